// The addresses of SCIM below /scim/v2/:accountId. A table of its own: SCIM describes itself at
// /ServiceProviderConfig, /ResourceTypes and /Schemas, and has its own errors and callers (decision 67).
import type { Method, Reply } from '../http/call.ts'
import type { ScimCall, ScimParts } from './directory-caller.ts'
import { ScimError, scimReply } from './scim-error.ts'
import {
  createUser,
  deleteUser,
  listReply,
  listUsers,
  patchUser,
  replaceUser,
  showUser,
} from './scim-http.ts'
import { USER_SCHEMA } from './scim-user.ts'

export interface ScimRoute {
  readonly method: Method
  /** The path below /scim/v2/:accountId. */
  readonly path: string
  readonly handle: (service: ScimParts, call: ScimCall) => Promise<Reply>
}

const unsupported = { supported: false } as const

const CONFIG = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  // Some clients take PATCH and filter as absent when one of these numbers is.
  bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: unsupported,
  sort: unsupported,
  etag: unsupported,
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that an administrator of the account made (scim_…).',
      primary: true,
    },
  ],
}

const typeOf = (name: string, schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
})

const TYPES = [
  typeOf('User', USER_SCHEMA),
  typeOf('Group', 'urn:ietf:params:scim:schemas:core:2.0:Group'),
]

const attribute = (name: string, type = 'string', more: object = {}) => ({
  ...{ name, type, multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none', ...more },
})

const SCHEMAS = [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: USER_SCHEMA,
    name: 'User',
    attributes: [
      attribute('userName', 'string', { required: true, uniqueness: 'server' }),
      attribute('externalId', 'string', { caseExact: true }),
      attribute('name', 'complex', {
        subAttributes: ['givenName', 'familyName', 'formatted'].map((name) => attribute(name)),
      }),
      attribute('displayName'),
      attribute('emails', 'complex', {
        multiValued: true,
        subAttributes: [attribute('value'), attribute('type'), attribute('primary', 'boolean')],
      }),
      attribute('active', 'boolean'),
    ],
  },
]

const list = (resources: readonly object[]) => async () => listReply(resources.length, 1, resources)

const one =
  (resources: readonly { readonly id: string }[]) => async (_: unknown, call: ScimCall) => {
    const found = resources.find(({ id }) => id === call.params.id)
    if (!found) throw new ScimError(404, 'There is no such resource.')
    return scimReply(200, found)
  }

const noGroups = async () => {
  throw new ScimError(501, 'Groups are not supported. Leave groups off in the directory.')
}

const noGroup = async () => {
  throw new ScimError(404, 'There are no groups.')
}

export const SCIM_ROUTES: readonly ScimRoute[] = [
  { method: 'GET', path: '/Users', handle: listUsers },
  { method: 'POST', path: '/Users', handle: createUser },
  { method: 'GET', path: '/Users/:id', handle: showUser },
  { method: 'PUT', path: '/Users/:id', handle: replaceUser },
  { method: 'PATCH', path: '/Users/:id', handle: patchUser },
  { method: 'DELETE', path: '/Users/:id', handle: deleteUser },
  { method: 'GET', path: '/Groups', handle: list([]) },
  { method: 'GET', path: '/Groups/:id', handle: noGroup },
  { method: 'POST', path: '/Groups', handle: noGroups },
  { method: 'PUT', path: '/Groups/:id', handle: noGroups },
  { method: 'PATCH', path: '/Groups/:id', handle: noGroups },
  { method: 'DELETE', path: '/Groups/:id', handle: noGroups },
  { method: 'GET', path: '/ServiceProviderConfig', handle: async () => scimReply(200, CONFIG) },
  { method: 'GET', path: '/ResourceTypes', handle: list(TYPES) },
  { method: 'GET', path: '/ResourceTypes/:id', handle: one(TYPES) },
  { method: 'GET', path: '/Schemas', handle: list(SCHEMAS) },
  { method: 'GET', path: '/Schemas/:id', handle: one(SCHEMAS) },
]
