// What a directory says of a person: parsed from its resources, its patches and its filters, and shown as a
// resource. Takes what Entra ID and Okta send; what it does not know it ignores, what is not named stays. Pure.
// Contract §13, RFC 7643 4.1, RFC 7644 3.4.2.2 and 3.5.2.
import { normalizeEmail } from '../kernel/user.ts'
import { ScimError } from './scim-error.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'

export interface Names {
  readonly givenName?: string | undefined
  readonly familyName?: string | undefined
  readonly formatted?: string | undefined
  readonly displayName?: string | undefined
}

export interface DirectoryFields extends Names {
  readonly userName?: string
  readonly externalId?: string | undefined
  readonly workEmail?: string
  readonly active?: boolean
}

type Changes = { -readonly [Name in keyof DirectoryFields]: DirectoryFields[Name] }

const MAX_LENGTH = 254
/** The characters are control, direction and invisible ones, and half a character. Security V34. */
const HIDDEN = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u

const invalidValue = (message: string) => new ScimError(400, message, 'invalidValue')

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_LENGTH) {
    throw invalidValue(`${name} must be a text of 1 to ${MAX_LENGTH} characters.`)
  }
  if (HIDDEN.test(value)) throw invalidValue(`${name} has a character that cannot be seen.`)
  return value
}

/** An empty value takes the attribute away. */
const optionalTextOf = (value: unknown, name: string): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : textOf(value, name)

/** Parses a flag; Entra ID sends "True" and "False". */
function flagOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word === 'true' || word === 'false') return word === 'true'
  throw invalidValue('active must be true or false.')
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The work address of a list, else the primary one, else the first. */
function workEmailOf(value: unknown): string | undefined {
  const all = (Array.isArray(value) ? value : [value]).filter(isObject)
  const chosen =
    all.find(({ type }) => String(type).toLowerCase() === 'work') ??
    all.find(({ primary }) => primary === true) ??
    all[0]
  return chosen && optionalTextOf(chosen.value, 'emails')
}

const NAME_PARTS: Readonly<Record<string, keyof Names>> = {
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
  'name.formatted': 'formatted',
  displayname: 'displayName',
}

const WORK_EMAIL =
  /^emails\[\s*(?:type\s+eq\s+"work"|primary\s+eq\s+(?:true|"true"))\s*\](?:\.value)?$/

function setAttribute(changes: Changes, path: string, value: unknown): void {
  const core = `${USER_SCHEMA.toLowerCase()}:`
  const lower = path.trim().toLowerCase()
  const name = lower.startsWith(core) ? lower.slice(core.length) : lower
  const part = Object.hasOwn(NAME_PARTS, name) ? NAME_PARTS[name] : undefined
  if (part) changes[part] = optionalTextOf(value, path)
  else if (name === 'username') changes.userName = textOf(value, 'userName')
  else if (name === 'externalid') changes.externalId = optionalTextOf(value, 'externalId')
  else if (name === 'active') changes.active = flagOf(value)
  else if (name === 'name' && isObject(value)) setAll(changes, value, 'name.')
  else if (name === 'emails' || WORK_EMAIL.test(name)) {
    const email = typeof value === 'string' ? textOf(value, 'emails') : workEmailOf(value)
    if (email !== undefined) changes.workEmail = normalizeEmail(email)
  }
}

function setAll(changes: Changes, value: Readonly<Record<string, unknown>>, prefix = ''): void {
  for (const [name, one] of Object.entries(value)) setAttribute(changes, prefix + name, one)
}

/** Parses the body of POST and PUT. @throws ScimError 400 */
export function parseUser(body: unknown): DirectoryFields {
  if (!isObject(body)) throw new ScimError(400, 'The body must be a User.', 'invalidSyntax')
  const changes: Changes = {}
  setAll(changes, body)
  return changes
}

const OPERATIONS = ['add', 'replace', 'remove']
const MAX_OPERATIONS = 100

/** @throws ScimError 400 */
export function parsePatch(body: unknown): DirectoryFields {
  const given = isObject(body) ? (body.Operations ?? body.operations) : undefined
  if (!Array.isArray(given) || given.length > MAX_OPERATIONS) {
    throw new ScimError(400, 'The body must have a list of Operations.', 'invalidSyntax')
  }
  const changes: Changes = {}
  for (const operation of given) {
    const { op, path, value } = isObject(operation) ? operation : {}
    const verb = String(op).toLowerCase()
    if (!OPERATIONS.includes(verb)) {
      throw new ScimError(400, 'op must be add, replace or remove.', 'invalidSyntax')
    }
    if (verb === 'remove') removeAttribute(changes, path)
    else if (typeof path === 'string') setAttribute(changes, path, value)
    else if (isObject(value)) setAll(changes, value)
  }
  return changes
}

/** Removes only what a membership can be without. */
function removeAttribute(changes: Changes, path: unknown): void {
  const name = typeof path === 'string' ? path.trim().toLowerCase() : ''
  if (name === 'externalid' || Object.hasOwn(NAME_PARTS, name)) setAttribute(changes, name, null)
}

export type Filter = {
  readonly by: 'userName' | 'externalId' | 'workEmail'
  readonly value: string
}

const FILTER =
  /^\s*(username|externalid|emails\[\s*type\s+eq\s+"work"\s*\]\.value)\s+eq\s+("(?:[^"\\]|\\["\\/])*")\s*$/i

/** @throws ScimError 400 invalidFilter */
export function parseFilter(text: string): Filter {
  const [, attribute = '', quoted = '""'] = FILTER.exec(text) ?? []
  const name = attribute.toLowerCase()
  const value: string = JSON.parse(quoted)
  if (name === '' || HIDDEN.test(value)) {
    throw new ScimError(
      400,
      'filter takes userName, externalId or emails[type eq "work"].value, with eq and a text.',
      'invalidFilter',
    )
  }
  if (name === 'externalid') return { by: 'externalId', value }
  return { by: name === 'username' ? 'userName' : 'workEmail', value: normalizeEmail(value) }
}

/** The name that people read. */
export const nameOf = ({
  displayName,
  formatted,
  givenName,
  familyName,
}: Names): string | undefined =>
  displayName ?? formatted ?? ([givenName, familyName].filter(Boolean).join(' ') || undefined)

/** A membership as its directory sees it. */
export interface DirectoryMember extends Names {
  readonly id: string
  readonly userId: string
  readonly userName: string
  readonly externalId: string | undefined
  readonly workEmail: string
  readonly active: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

export function userResource(member: DirectoryMember, location: string): object {
  const { givenName, familyName, formatted } = member
  return {
    schemas: [USER_SCHEMA],
    id: member.id,
    externalId: member.externalId,
    userName: member.userName,
    name: { givenName, familyName, formatted: formatted ?? nameOf(member) },
    displayName: nameOf(member),
    emails: [{ value: member.workEmail, type: 'work', primary: true }],
    active: member.active,
    meta: {
      resourceType: 'User',
      created: new Date(member.createdAt).toISOString(),
      lastModified: new Date(member.updatedAt).toISOString(),
      location,
    },
  }
}
