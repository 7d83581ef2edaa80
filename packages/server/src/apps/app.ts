// Owns what an app is and what its registration allows: which URLs may be registered, which
// redirect URI a request may use, which origins may use a launch. Pure rules.
// Contract §2 (redirect_uri), §4 (App), RFC 9700 2.1.
import { findUrlProblem } from '@chartside/protocol/oauth'
import type { FieldError } from '../kernel/errors.ts'
import { newClientId, newId } from '../kernel/identifiers.ts'
import type { Randomness } from '../kernel/randomness.ts'
import type { SigningAlgorithm } from '../keys/signing-key.ts'
import type { AppKeySet } from './app-key.ts'

export const EXCHANGES = ['app', 'token_endpoint', 'identity_provider'] as const
export type Exchange = (typeof EXCHANGES)[number]

/** The launch of an app differs from the specification in this style. Contract §14. */
export const LAUNCH_STYLES = ['smart'] as const
export type LaunchStyle = (typeof LAUNCH_STYLES)[number]

export const isSmart = (app: Pick<App, 'launchStyle'>): boolean => app.launchStyle === 'smart'

export const DISABLED_BY = ['platform', 'account'] as const
export type DisabledBy = (typeof DISABLED_BY)[number]

export interface DisabledNote {
  /** The time in milliseconds. */
  readonly at: number
  /** The person; absent for an app that was disabled before this was kept. */
  readonly user?: { readonly id: string; readonly name: string }
  readonly reason?: string
}

export interface App {
  readonly id: string
  readonly clientId: string
  readonly accountId: string
  readonly name: string
  readonly iconUrl: string | undefined
  readonly launchUrl: string | undefined
  readonly workerLaunchUrl: string | undefined
  readonly redirectUris: readonly string[]
  readonly tokenEndpoint: string | undefined
  /** The address at which the app's server takes logout tokens. Contract §12. */
  readonly backchannelLogoutUri: string | undefined
  readonly allowedIframeUrls: readonly string[]
  readonly exchange: Exchange
  /** The value `smart`: as SMART App Launch has it, without the SDK. */
  readonly launchStyle: LaunchStyle | undefined
  readonly requirePkce: boolean
  /** The public keys with which it may authenticate in place of a client secret. */
  readonly jwks: AppKeySet | undefined
  /** The algorithm of its ID tokens and logout tokens. OpenID Connect Dynamic Client Registration 1.0, 2. */
  readonly idTokenSignedResponseAlg: SigningAlgorithm
  readonly accessTokenLifetimeSeconds: number
  readonly idTokenLifetimeSeconds: number
  readonly stagingAccess: boolean
  readonly enabled: boolean
  /** A disabled app has it. Only the platform enables what the platform disabled. */
  readonly disabledBy: DisabledBy | undefined
  /** A disabled app has this note: when, by whom and why it was disabled. */
  readonly disabledNote: DisabledNote | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

/** An app without URLs, with the default lifetimes of the platform. */
export function newApp(
  defaults: Pick<App, 'accessTokenLifetimeSeconds' | 'idTokenLifetimeSeconds'>,
  accountId: string,
  now: number,
  randomness: Randomness,
): App {
  return {
    id: newId('app', now, randomness),
    clientId: newClientId(randomness),
    accountId,
    name: '',
    iconUrl: undefined,
    launchUrl: undefined,
    workerLaunchUrl: undefined,
    redirectUris: [],
    tokenEndpoint: undefined,
    backchannelLogoutUri: undefined,
    allowedIframeUrls: [],
    exchange: 'app',
    launchStyle: undefined,
    requirePkce: false,
    jwks: undefined,
    idTokenSignedResponseAlg: 'RS256',
    accessTokenLifetimeSeconds: defaults.accessTokenLifetimeSeconds,
    idTokenLifetimeSeconds: defaults.idTokenLifetimeSeconds,
    stagingAccess: false,
    enabled: true,
    disabledBy: undefined,
    disabledNote: undefined,
    createdAt: now,
    updatedAt: now - 1,
  }
}

/** The note of an app after a change: a new one when the change disabled it, or made it the platform's. */
export const decideDisabledNote = (
  stored: Pick<App, 'disabledBy' | 'disabledNote'>,
  disabledBy: DisabledBy | undefined,
  now: DisabledNote,
): DisabledNote | undefined => {
  if (disabledBy === undefined) return undefined
  return disabledBy === stored.disabledBy ? stored.disabledNote : now
}

/**
 * Returns who has disabled the app after a change by `caller`; `refused` when an account enables what the
 * platform disabled. A disabled app that the platform disables too is the platform's from then on.
 */
export function decideDisabledBy(
  stored: Pick<App, 'disabledBy'>,
  { enabled, isSet }: { readonly enabled: boolean; readonly isSet: boolean },
  caller: DisabledBy,
): DisabledBy | undefined | 'refused' {
  const isPlatforms = stored.disabledBy === 'platform'
  if (enabled) return isPlatforms && caller === 'account' ? 'refused' : undefined
  if (stored.disabledBy === undefined) return caller
  return isSet && caller === 'platform' ? 'platform' : stored.disabledBy
}

declare const registered: unique symbol

/** A redirect URI that the app has registered. Only {@link decideRedirectUri} returns one. */
export type RegisteredRedirectUri = string & { readonly [registered]: true }

/** The requested redirect URI if the app has registered exactly this string. RFC 9700 2.1. */
export function decideRedirectUri(
  app: Pick<App, 'redirectUris'>,
  requested: string,
): RegisteredRedirectUri | undefined {
  return app.redirectUris.includes(requested) ? (requested as RegisteredRedirectUri) : undefined
}

type AppUrls = Partial<
  Pick<App, 'launchStyle' | 'iconUrl' | 'launchUrl' | 'workerLaunchUrl' | 'tokenEndpoint'> &
    Pick<App, 'backchannelLogoutUri'> &
    Pick<App, 'redirectUris' | 'allowedIframeUrls'>
>

/**
 * The problems of the URLs of a registration, one entry per field. A Launch URL that stays was checked when it
 * was written, so that an app from before a rule can still be disabled.
 */
export function listUrlProblems(app: AppUrls, stored: AppUrls = {}): FieldError[] {
  const hasSameStyle = app.launchStyle === stored.launchStyle
  const changed = (field: 'launchUrl' | 'workerLaunchUrl') =>
    app[field] === stored[field] && hasSameStyle ? undefined : app[field]
  const single = [
    ['/iconUrl', app.iconUrl],
    ['/launchUrl', changed('launchUrl')],
    ['/workerLaunchUrl', changed('workerLaunchUrl')],
    ['/tokenEndpoint', app.tokenEndpoint],
    ['/backchannelLogoutUri', app.backchannelLogoutUri],
  ] as const
  const listed = [
    ...(app.redirectUris ?? []).map((url, i) => [`/redirectUris/${i}`, url] as const),
    ...(app.allowedIframeUrls ?? []).map((url, i) => [`/allowedIframeUrls/${i}`, url] as const),
  ]
  return [...single, ...listed].flatMap(([field, url]) => {
    if (url === undefined) return []
    const problem = findUrlProblem(url) ?? findAmbiguity(url, listAdded(field, app.launchStyle))
    return problem ? [{ field, message: `This URL ${problem}.` }] : []
  })
}

type ExchangeFields = Pick<App, 'exchange' | 'tokenEndpoint'>

/** A token endpoint without the exchange that uses it, or the exchange without one. */
export function listExchangeProblems(app: ExchangeFields): FieldError[] {
  const hasEndpoint = app.tokenEndpoint !== undefined
  if (hasEndpoint === (app.exchange === 'token_endpoint')) return []
  const message = hasEndpoint
    ? `An app with the exchange ${app.exchange} has no token endpoint: leave it out, or set exchange to token_endpoint.`
    : 'The exchange token_endpoint needs the URL to which the SDK posts the code.'
  return [{ field: '/tokenEndpoint', message }]
}

/** SMART App Launch has confidential clients with a server of their own; no page of theirs knows the SDK. */
export function listSmartProblems(app: Pick<App, 'exchange' | 'launchStyle'>): FieldError[] {
  if (app.launchStyle === undefined || app.exchange === 'app') return []
  const message = `An app with the exchange ${app.exchange} needs the SDK. A SMART launch has the exchange app.`
  return [{ field: '/launchStyle', message }]
}

/** Logout tokens go to an origin that the app has registered for its pages already. */
export function listLogoutProblems(app: App): FieldError[] {
  const { backchannelLogoutUri: url } = app
  if (url === undefined || !URL.canParse(url)) return []
  // A URL that cannot be parsed is a problem of its own field.
  const registered = listPages(app).filter((page) => URL.canParse(page))
  if (registered.some((page) => new URL(page).origin === new URL(url).origin)) return []
  const field = '/backchannelLogoutUri'
  const message = 'Its origin must be that of a Launch URL, redirect URI or iframe URL of the app.'
  return [{ field, message }]
}

/** The service adds these to a URL: one that has such a parameter would have it twice, and apps read the first. */
const ADDED = [
  ['/redirectUris', ['code', 'state', 'iss', 'error', 'error_description']],
  ['/launchUrl', ['launch_id']],
  ['/workerLaunchUrl', ['launch_id']],
] as const

const ADDED_BY_SMART = ['launch', 'iss']

function listAdded(field: string, launchStyle: LaunchStyle | undefined): readonly string[] {
  const added = ADDED.find(([prefix]) => field.startsWith(prefix))?.[1] ?? []
  const isLaunchUrl = field === '/launchUrl' || field === '/workerLaunchUrl'
  return launchStyle === 'smart' && isLaunchUrl ? [...added, ...ADDED_BY_SMART] : added
}

function findAmbiguity(url: string, added: readonly string[]): string | undefined {
  const { searchParams } = new URL(url)
  const name = added.find((parameter) => searchParams.has(parameter))
  return name && `has the parameter ${name}, which the service adds itself`
}

/** The exact origins whose documents may use a launch of this app. Contract §5. */
export const listOrigins = (app: App): string[] => [
  ...new Set(listPages(app).map((url) => new URL(url).origin)),
]

const listPages = (app: App): string[] =>
  [app.launchUrl, app.workerLaunchUrl, ...app.redirectUris, ...app.allowedIframeUrls].filter(
    (url) => url !== undefined,
  )
