// The chartside.app.json of an app's folder: parsed, checked field by field, and filled with the
// addresses of a run. Every error names the file and the field. Reads no file. Contract §4 (App).
import {
  accepts,
  LAUNCH_URLS,
  MANIFEST_FIELDS,
  type ManifestField,
  REQUIRED_FIELDS,
} from './app-manifest-schema.ts'
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
  /** The names of further origins of the app, such as an identity provider's. */
  readonly origins: readonly string[]
  /** A fixed port; null: the sandbox chooses one. */
  readonly port: number | null
  readonly autoLaunch: boolean
  /** The EHR types; null stands for every sample EHR. */
  readonly ehrTypes: readonly string[] | null
  /** The command that starts the app in its directory. */
  readonly start: string
  /** Folders of its code: a change in one starts the app again. */
  readonly watch: readonly string[]
  /** Folders that a development server of the app brings into its open page. */
  readonly hotReload: readonly string[]
  readonly registration: Registration
}

/**
 * Parses `text`, which is undefined when the folder has no such file.
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
type ManifestFile = { readonly $schema?: string } & Partial<
  Omit<Manifest, 'directory' | 'slug' | 'registration'>
> &
  Partial<{ [Field in keyof Registration]: NonNullable<Registration[Field]> }>

/** @throws ManifestError */
export function parseManifest(content: unknown, directory: string): Manifest {
  const refuse: Refuse = (field, problem) => {
    throw new ManifestError(`${directory}/${MANIFEST_FILE}: ${field} ${problem}`)
  }
  const file = checkFields(content, refuse)
  const { name, kinds, redirectUris, origins = [] } = file
  if (!name) return refuse('name', REQUIRED_FIELDS.name)
  if (!kinds) return refuse('kinds', REQUIRED_FIELDS.kinds)
  if (!redirectUris) return refuse('redirectUris', REQUIRED_FIELDS.redirectUris)
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
    hotReload: file.hotReload ?? [],
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
    const rule = Object.hasOwn(MANIFEST_FIELDS, field) && MANIFEST_FIELDS[field as ManifestField]
    if (!rule) {
      refuse(field, `is not a field. The fields are ${Object.keys(MANIFEST_FIELDS).join(', ')}.`)
    } else if (!accepts(rule[1], value)) refuse(field, `has to be ${rule[0]}.`)
  }
  return content
}

function checkLaunchUrls(file: ManifestFile, kinds: readonly AppKind[], refuse: Refuse): void {
  for (const kind of ['ui', 'worker'] as const) {
    const field = LAUNCH_URLS[kind]
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
