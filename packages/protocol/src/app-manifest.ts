// The chartside.app.json of an app's folder: parsed, checked field by field, and filled with the
// addresses of a run. Every error names the file and the field. Reads no file. Contract §4 (App).
import type { AppKind } from './launch.ts'

export const MANIFEST_FILE = 'chartside.app.json'

/** The registration at the service; texts may contain `{origin}` until they are filled. */
export interface Registration {
  readonly name: string
  readonly launchUrl: string | null
  readonly workerLaunchUrl: string | null
  readonly redirectUris: readonly string[]
  readonly tokenEndpoint: string | null
  readonly backchannelLogoutUri: string | null
  readonly allowedIframeUrls: readonly string[]
  readonly exchange: 'app' | 'token_endpoint' | 'identity_provider'
  readonly launchStyle?: 'smart'
  readonly requirePkce: boolean
}

export interface Manifest {
  readonly directory: string
  /** The name in host names: "Visit Notes" is `visit-notes`. */
  readonly slug: string
  readonly kinds: readonly AppKind[]
  /** Further origins of the app by name, such as an identity provider's. */
  readonly origins: readonly string[]
  /** A fixed port; null: the sandbox chooses one. */
  readonly port: number | null
  readonly autoLaunch: boolean
  /** Null: on every sample EHR. */
  readonly ehrTypes: readonly string[] | null
  /** The command that starts the app in its directory. */
  readonly start: string
  /** Folders of its code: a change in one starts the app again. */
  readonly watch: readonly string[]
  readonly registration: Registration
}

/**
 * `text` undefined: the folder has no such file.
 * @throws ManifestError that names the file, the field and its rule
 */
export function parseManifestText(text: string | undefined, directory: string): Manifest {
  if (text === undefined) {
    throw new ManifestError(
      `There is no ${MANIFEST_FILE} in ${directory}. It has the app's name and addresses; copy one from examples/ and change it.`,
    )
  }
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'unreadable'
    throw new ManifestError(`${directory}/${MANIFEST_FILE} is not JSON: ${why}`, { cause })
  }
  return parseManifest(content, directory)
}

export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}

/** The file itself, once every field has passed its check. */
type ManifestFile = Partial<Omit<Manifest, 'directory' | 'slug' | 'registration'>> &
  Partial<{ [Field in keyof Registration]: NonNullable<Registration[Field]> }>

type Check = readonly [what: string, accepts: (value: unknown) => boolean]

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const isUrl = (value: unknown): boolean =>
  typeof value === 'string' && /^(\{origin(\.\w+)?\}|https?:\/\/)/.test(value)
const isPort = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1024 && Number(value) <= 65_535
const oneOf =
  (...choices: readonly string[]) =>
  (value: unknown) =>
    choices.some((choice) => choice === value)
const isName = (value: unknown): boolean => typeof value === 'string' && /^[a-z]+$/.test(value)
const isListOfNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isName) && new Set(value).size === value.length
const listOf = (accepts: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(accepts)

const ADDRESS = 'that begins with {origin}, http:// or https://'
const URL_CHECK: Check = [`an address ${ADDRESS}`, isUrl]
const URLS_CHECK: Check = [`a list, each an address ${ADDRESS}`, listOf(isUrl)]
const FLAG: Check = ['true or false', (value) => typeof value === 'boolean']

const CHECKS: Readonly<Record<keyof ManifestFile, Check>> = {
  name: [
    'a name with a character from a to z or a digit',
    (value) => isText(value) && slugOf(`${value}`) !== '',
  ],
  kinds: ['a list of "ui", "worker" or both', listOf(oneOf('ui', 'worker'))],
  launchUrl: URL_CHECK,
  workerLaunchUrl: URL_CHECK,
  redirectUris: URLS_CHECK,
  tokenEndpoint: URL_CHECK,
  backchannelLogoutUri: URL_CHECK,
  allowedIframeUrls: URLS_CHECK,
  exchange: [
    '"app", "token_endpoint" or "identity_provider"',
    oneOf('app', 'token_endpoint', 'identity_provider'),
  ],
  launchStyle: ['"smart", or absent', oneOf('smart')],
  requirePkce: FLAG,
  autoLaunch: FLAG,
  ehrTypes: ['a list of EHR kinds such as "meadow"', listOf(isText)],
  origins: ['a list of different names in lower case, such as "provider"', isListOfNames],
  port: ['a port from 1024 to 65535', isPort],
  start: ['a command, such as "npm start"', isText],
  watch: ['a list of folders such as "src", or an empty one', listOf(isText)],
}

/** @throws ManifestError */
export function parseManifest(content: unknown, directory: string): Manifest {
  const refuse: Refuse = (field, problem) => {
    throw new ManifestError(`${directory}/${MANIFEST_FILE}: ${field} ${problem}`)
  }
  const file = checkFields(content, refuse)
  const { name, kinds, redirectUris, origins = [] } = file
  if (!name) return refuse('name', 'is missing.')
  if (!kinds?.length) return refuse('kinds', 'is missing: "ui", "worker" or both.')
  if (!redirectUris?.length) return refuse('redirectUris', 'is missing: where the code arrives.')
  checkLaunchUrls(file, kinds, refuse)
  const registration: Registration = {
    name,
    launchUrl: file.launchUrl ?? null,
    workerLaunchUrl: file.workerLaunchUrl ?? null,
    redirectUris,
    tokenEndpoint: file.tokenEndpoint ?? null,
    backchannelLogoutUri: file.backchannelLogoutUri ?? null,
    allowedIframeUrls: file.allowedIframeUrls ?? [],
    exchange: file.exchange ?? (file.tokenEndpoint ? 'token_endpoint' : 'app'),
    ...(file.launchStyle ? { launchStyle: file.launchStyle } : {}),
    requirePkce: file.requirePkce ?? false,
  }
  checkPlaceholders(registration, origins, refuse)
  return {
    directory,
    slug: slugOf(name),
    kinds,
    origins,
    port: file.port ?? null,
    autoLaunch: file.autoLaunch ?? kinds.includes('worker'),
    ehrTypes: file.ehrTypes ?? null,
    start: file.start ?? 'npm start',
    watch: file.watch ?? ['.'],
    registration,
  }
}

/** @throws ManifestError */
type Refuse = (field: string, problem: string) => never

function checkFields(content: unknown, refuse: Refuse): ManifestFile {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return refuse('the file', 'has to hold a JSON object.')
  }
  for (const [field, value] of Object.entries(content)) {
    // Inherited names, such as `constructor`, are not fields.
    const check = Object.hasOwn(CHECKS, field) && CHECKS[field as keyof ManifestFile]
    if (!check) refuse(field, `is not a field. The fields are ${Object.keys(CHECKS).join(', ')}.`)
    else if (!check[1](value)) refuse(field, `has to be ${check[0]}.`)
  }
  return content
}

function checkLaunchUrls(file: ManifestFile, kinds: readonly AppKind[], refuse: Refuse): void {
  for (const [kind, field] of [
    ['ui', 'launchUrl'],
    ['worker', 'workerLaunchUrl'],
  ] as const) {
    const isKind = kinds.includes(kind)
    if (isKind && !file[field]) refuse(field, `is missing, and kinds has "${kind}".`)
    if (!isKind && file[field]) refuse(field, `is there, but kinds has no "${kind}".`)
  }
}

function checkPlaceholders(
  registration: Registration,
  origins: readonly string[],
  refuse: Refuse,
): void {
  const known = ['{origin}', ...origins.map((origin) => `{origin.${origin}}`)]
  for (const [placeholder] of JSON.stringify(registration).matchAll(/\{[^{}"]*\}/g)) {
    if (!known.includes(placeholder)) {
      refuse(placeholder, `is not a placeholder. There is ${known.join(', ')}.`)
    }
  }
}

/** The registration with the addresses of this run in place of `{origin}` and `{origin.name}`. */
export function fillRegistration(
  registration: Registration,
  origins: Readonly<Record<string, string>>,
): Registration {
  const text = JSON.stringify(registration).replaceAll(
    /\{(origin[^{}"]*)\}/g,
    (whole, placeholder: string) => origins[placeholder] ?? whole,
  )
  return JSON.parse(text) as Registration
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
