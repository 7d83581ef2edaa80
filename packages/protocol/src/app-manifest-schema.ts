// The fields of chartside.app.json as a JSON schema, draft 7, which editors know. The reader in app-manifest.ts
// checks each field by the same schema, so that an editor and the sandbox refuse the same values. Which
// placeholders a file may use depends on its `origins`: only the reader checks that. Pure.

/** The keywords of the schemas below; `accepts` knows these and no others. */
interface ValueSchema {
  readonly type?: 'string' | 'integer' | 'boolean' | 'array'
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: ValueSchema
  readonly minItems?: number
  readonly uniqueItems?: boolean
}

interface Field extends ValueSchema {
  /** An editor shows this text. */
  readonly description: string
}

/** The value that a field must have, in the words of its error, and its schema. */
type Rule = readonly [what: string, field: Field]

const TEXT: ValueSchema = { type: 'string', pattern: '\\S' }
const URL_TEXT: ValueSchema = { type: 'string', pattern: '^(\\{origin(\\.\\w+)?\\}|https?://)' }
const KINDS = ['ui', 'worker'] as const
const EXCHANGES = ['app', 'token_endpoint', 'identity_provider'] as const

const ADDRESS = 'that begins with {origin}, http:// or https://'
const url = (description: string): Rule => [`an address ${ADDRESS}`, { ...URL_TEXT, description }]
const urls = (description: string, minItems = 0): Rule => [
  `a list, each an address ${ADDRESS}`,
  { type: 'array', items: URL_TEXT, minItems, description },
]
const flag = (description: string): Rule => ['true or false', { type: 'boolean', description }]

export const MANIFEST_FIELDS = {
  $schema: [
    'the address of a JSON schema',
    { ...TEXT, description: 'The schema of this file, for an editor. The sandbox ignores it.' },
  ],
  name: [
    'a name with a character from a to z or a digit',
    {
      type: 'string',
      pattern: '[A-Za-z0-9]',
      description: 'The name of the app. In host names “My App” is written my-app.',
    },
  ],
  kinds: [
    'a list of "ui", "worker" or both',
    {
      type: 'array',
      items: { enum: KINDS },
      minItems: 1,
      description: 'ui: a page in the panel. worker: no screen, starts at once.',
    },
  ],
  launchUrl: url('Where the UI app is launched, such as {origin}/launch.'),
  workerLaunchUrl: url('Where the Worker app is launched.'),
  redirectUris: urls('Where codes may arrive, at least one. Compared as exact texts.', 1),
  tokenEndpoint: url('Option 2: where the SDK posts the code.'),
  backchannelLogoutUri: url('Where the server of the app takes logout tokens.'),
  allowedIframeUrls: urls('Option 3: further pages that may stand in the frame of the app.'),
  exchange: [
    '"app", "token_endpoint" or "identity_provider"',
    {
      enum: EXCHANGES,
      description: 'Who exchanges the code. Left out, it follows from tokenEndpoint.',
    },
  ],
  launchStyle: [
    '"smart", or absent',
    { enum: ['smart'], description: 'For a SMART App Launch app without the SDK.' },
  ],
  requirePkce: flag('Whether authorize requires a code challenge.'),
  autoLaunch: flag('Whether the app opens by itself. Workers do by default.'),
  ehrTypes: [
    'a list of EHR kinds such as "meadow"',
    { type: 'array', items: TEXT, description: 'The EHRs that it runs on. Left out, all.' },
  ],
  origins: [
    'a list of different names in lower case, such as "provider"',
    {
      type: 'array',
      items: { type: 'string', pattern: '^[a-z]+$' },
      uniqueItems: true,
      description: 'Further origins by name: of "provider" the address is {origin.provider}.',
    },
  ],
  port: [
    'a port from 1024 to 65535',
    {
      type: 'integer',
      minimum: 1024,
      maximum: 65_535,
      description: 'A fixed port. Left out, the next free one.',
    },
  ],
  start: [
    'a command, such as "npm start"',
    { ...TEXT, description: 'The command that starts the app. Left out, npm start.' },
  ],
  watch: [
    'a list of folders such as "src", or an empty one',
    {
      type: 'array',
      items: TEXT,
      description: 'Folders of its code: a change starts the app again. Left out, the directory.',
    },
  ],
  hotReload: [
    'a list of folders such as "src/browser"',
    {
      type: 'array',
      items: TEXT,
      description:
        'Folders that the app itself brings into its open page: they start nothing again.',
    },
  ],
} as const satisfies Readonly<Record<string, Rule>>

export type ManifestField = keyof typeof MANIFEST_FIELDS

/** The fields that a file must have beside its Launch URLs, and the error for each that is missing. */
export const REQUIRED_FIELDS = {
  name: 'is missing.',
  kinds: 'is missing: "ui", "worker" or both.',
  redirectUris: 'is missing: where the code arrives.',
} as const

/** The Launch URL that goes with each kind. */
export const LAUNCH_URLS = { ui: 'launchUrl', worker: 'workerLaunchUrl' } as const

export function buildManifestSchema(): object {
  const fields = Object.entries<Rule>(MANIFEST_FIELDS).map(([name, [, field]]) => [name, field])
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'chartside.app.json',
    description: 'An app and its registration, as the sandbox of Chartside reads it.',
    type: 'object',
    properties: Object.fromEntries(fields),
    required: Object.keys(REQUIRED_FIELDS),
    additionalProperties: false,
    allOf: Object.entries(LAUNCH_URLS).map(([kind, launchUrl]) => ({
      if: { required: ['kinds'], properties: { kinds: { contains: { const: kind } } } },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON schema
      then: { required: [launchUrl] },
      else: { properties: { [launchUrl]: false } },
    })),
  }
}

/** Whether `value` fits `schema`. */
export function accepts(schema: ValueSchema, value: unknown): boolean {
  const { type, pattern, items, minItems = 0, minimum = -Infinity, maximum = Infinity } = schema
  if (schema.enum) return schema.enum.some((choice) => choice === value)
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'string') return typeof value === 'string' && new RegExp(pattern ?? '').test(value)
  if (type === 'integer') {
    return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
  }
  return (
    Array.isArray(value) &&
    value.length >= minItems &&
    value.every((item) => items === undefined || accepts(items, item)) &&
    (!schema.uniqueItems || new Set(value).size === value.length)
  )
}
