// What the form of an app holds, and what it sends: lists are typed one address on a line, an empty field
// takes a value back. Also the words that explain each of the three ways to exchange the code. Pure.
import type { App } from '@chartside/protocol/payloads'
import { linesOf } from '../../forms/lines.ts'

export type Exchange = App['exchange']

export interface AppValues extends Readonly<Record<string, unknown>> {
  readonly name: string
  readonly exchange: Exchange
  readonly launchUrl: string
  readonly workerLaunchUrl: string
  readonly redirectUris: string
  readonly tokenEndpoint: string
  readonly allowedIframeUrls: string
  readonly iconUrl: string
  readonly backchannelLogoutUri: string
  /** True when the app is launched as SMART App Launch has it, without the SDK. */
  readonly isSmart: boolean
  readonly requirePkce: boolean
  /** Signs its ID tokens in place of RS256. */
  readonly isEs256: boolean
  /** A JSON Web Key Set, as it was pasted. */
  readonly jwks: string
}

export const EMPTY: AppValues = {
  name: '',
  exchange: 'app',
  launchUrl: '',
  workerLaunchUrl: '',
  redirectUris: '',
  tokenEndpoint: '',
  allowedIframeUrls: '',
  iconUrl: '',
  backchannelLogoutUri: '',
  isSmart: false,
  requirePkce: true,
  isEs256: false,
  jwks: '',
}

interface ExchangeChoice {
  readonly value: Exchange
  readonly label: string
  readonly text: string
}

/** The options in the order of the guides, docs/build. */
export const EXCHANGES: readonly ExchangeChoice[] = [
  {
    value: 'app',
    label: 'Option 1: the app’s own page and server',
    text: 'Your page starts the sign-in, your server exchanges the code and gives the token to the page.',
  },
  {
    value: 'token_endpoint',
    label: 'Option 2: a token endpoint',
    text: 'The SDK sends the code to an address of your server, which exchanges it. The least code of your own.',
  },
  {
    value: 'identity_provider',
    label: 'Option 3: your identity provider',
    text: 'A provider such as Auth0 or Okta holds client ID and secret, and signs your users in within the panel.',
  },
]

/** A SMART launch is for a server with a secret. */
export const canBeSmart = ({ exchange }: Pick<AppValues, 'exchange'>) => exchange === 'app'
/** The fields that belong to one option only. */
export const usesTokenEndpoint = ({ exchange }: Pick<AppValues, 'exchange'>) =>
  exchange === 'token_endpoint'
export const usesIframes = ({ exchange }: Pick<AppValues, 'exchange'>) =>
  exchange === 'identity_provider'

export const valuesOf = (app: App): AppValues => ({
  name: app.name,
  exchange: app.exchange,
  launchUrl: app.launchUrl ?? '',
  workerLaunchUrl: app.workerLaunchUrl ?? '',
  redirectUris: app.redirectUris.join('\n'),
  tokenEndpoint: app.tokenEndpoint ?? '',
  allowedIframeUrls: app.allowedIframeUrls.join('\n'),
  iconUrl: app.iconUrl ?? '',
  backchannelLogoutUri: app.backchannelLogoutUri ?? '',
  isSmart: app.launchStyle === 'smart',
  requirePkce: app.requirePkce,
  isEs256: app.idTokenSignedResponseAlg === 'ES256',
  jwks: app.jwks === undefined ? '' : JSON.stringify(app.jwks, null, 2),
})

/** A key set, or one key, which becomes a set; undefined for an empty text, or one that is neither. */
function parseKeys(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return 'kty' in value ? { keys: [value] } : value
  } catch {
    return undefined
  }
}

const OPTIONAL = ['launchUrl', 'workerLaunchUrl', 'iconUrl', 'backchannelLogoutUri'] as const

/** The body of POST: what is empty is left out. Of PATCH: what is empty becomes null. */
export function bodyOf(values: AppValues, isNew: boolean): Record<string, unknown> {
  const optional = OPTIONAL.map((name) => [name, values[name].trim() || null] as const)
  const tokenEndpoint = usesTokenEndpoint(values) ? values.tokenEndpoint.trim() || null : null
  const body: Record<string, unknown> = {
    name: values.name.trim(),
    exchange: values.exchange,
    redirectUris: linesOf(values.redirectUris),
    allowedIframeUrls: usesIframes(values) ? linesOf(values.allowedIframeUrls) : [],
    requirePkce: values.requirePkce,
    ...Object.fromEntries([...optional, ['tokenEndpoint', tokenEndpoint]]),
    launchStyle: values.isSmart && canBeSmart(values) ? 'smart' : null,
    idTokenSignedResponseAlg: values.isEs256 ? 'ES256' : null,
    jwks: parseKeys(values.jwks) ?? null,
  }
  return isNew
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body
}

/** Finds the errors that are known before the form is sent. The service checks all of it again. */
export function validateApp(values: AppValues): Partial<Record<keyof AppValues & string, string>> {
  const { name, launchUrl, workerLaunchUrl, redirectUris, tokenEndpoint } = values
  const isMissing = (text: string) => text.trim() === ''
  return {
    ...(isMissing(name) && { name: 'Enter the name that providers see.' }),
    ...(isMissing(launchUrl) &&
      isMissing(workerLaunchUrl) && {
        launchUrl: 'Enter the address that opens in the panel, or a Worker’s address below.',
      }),
    ...(isMissing(redirectUris) && { redirectUris: 'Enter at least one redirect URI.' }),
    ...(!isMissing(values.jwks) &&
      parseKeys(values.jwks) === undefined && {
        jwks: 'Paste a JSON Web Key Set: {"keys": [ … ]}, or one public key as JSON.',
      }),
    ...(usesTokenEndpoint(values) &&
      isMissing(tokenEndpoint) && { tokenEndpoint: 'Option 2 needs a token endpoint.' }),
  }
}
