// The steps of initialization: hello → welcome → token → verified → SDK object. handshake.ts and
// the host decide on trust. Tokens stay in this closure. Spec §2.5, §4.5; contract §5; security
// L05, X08.
import { INIT_MARK } from '@chartside/protocol/failure-report'
import type { SessionSeed } from '@chartside/protocol/launch'
import { type Channel, openChannel } from './channel.ts'
import { ServiceSDKError } from './errors.ts'
import { performHandshake } from './handshake.ts'
import { createFailureReporter, reportError } from './launch-failure.ts'
import { memoizeInFlight } from './memoize-in-flight.ts'
import { openLog, type Page } from './page.ts'
import { createTokenSource, type ObtainTokens, readLaunchId, type Tokens } from './token.ts'
import { version } from './version.ts'
import { readLimits, type Timing } from './wait.ts'

export interface InitOptions extends Timing {
  /**
   * The access token of the app's own exchange (spec §5.1). Without it the SDK asks the registered token endpoint.
   */
  readonly accessToken?: string | undefined
  readonly idToken?: string | undefined
  /**
   * The authorization code for the registered token endpoint. Default: the `code` in the page's
   * address, now or when the SDK was loaded; needed only when it was taken out before that.
   */
  readonly code?: string | undefined
  /** True writes readable console lines; never a token. */
  readonly debug?: boolean | undefined
}

/** The context has plain values in the app's own page; it is never proof of identity (spec §2.5). */
export interface SessionContext extends SessionSeed {
  /** Rejects with ID_TOKEN_UNAVAILABLE when the SDK holds no ID token. */
  getIdToken(): Promise<{ idToken: string }>
}

export interface ServiceSDK {
  readonly version: string
  /** The context is null until the handshake, and set once init has resolved. */
  readonly sessionContext: SessionContext | null
  readonly on: Channel['on']
  /** Whether this SDK has a feature; a script of an earlier version may have no `supports`. */
  supports(name: SDKFeature | (string & {})): boolean
  /** The host asks the person before it opens the app again while there is unsaved work. */
  readonly setUnsavedWork: Channel['setUnsavedWork']
}

export type SDKFeature = 'expiring' | 'unsaved-work' | 'chart'
const FEATURES: readonly string[] = ['expiring', 'unsaved-work', 'chart'] satisfies SDKFeature[]

export type InitServiceSDK = (options?: InitOptions) => Promise<ServiceSDK>

export function createInit(page: Page, hostOrigins: readonly string[]): InitServiceSDK {
  const obtainTokens = createTokenSource(page)
  const start = memoizeInFlight((options: InitOptions) =>
    initialize(page, hostOrigins, obtainTokens, options),
  )
  return (options) => {
    // For the app kit, which reports a page that never comes to init.
    Object.assign(page, { [INIT_MARK]: true })
    return start(options ?? {})
  }
}

async function initialize(
  page: Page,
  hostOrigins: readonly string[],
  obtainTokens: ObtainTokens,
  options: InitOptions,
): Promise<ServiceSDK> {
  const limits = readLimits(options)
  const log = openLog(options.debug === true)
  const { welcome, port } = await performHandshake(page, hostOrigins, limits, log).catch((error) =>
    reportError(createFailureReporter(page), error),
  )
  const channel = openChannel(port, page, log)
  try {
    const tokens = await obtainTokens(options, welcome.tokenEndpoint, limits.signal, log)
    if (tokens.idToken) refuseOtherLaunch(tokens.idToken, welcome.launchId)
    await channel.present(tokens.accessToken, limits)
    const { on, setUnsavedWork } = channel
    const sessionContext = buildContext(welcome.seed, tokens)
    const supports = (name: string) => FEATURES.includes(name)
    return { version, sessionContext, on, supports, setUnsavedWork }
  } catch (error) {
    channel.abandon(error)
    throw error
  }
}

function refuseOtherLaunch(idToken: string, launchId: string): void {
  const named = readLaunchId(idToken)
  if (named === undefined || named === launchId) return
  throw new ServiceSDKError(
    'LAUNCH_MISMATCH',
    'The ID token belongs to another launch than this frame: two launches may share one key.',
    'Keep state, code and tokens per launch_id.',
  )
}

function buildContext(seed: SessionSeed, { idToken, isFetched }: Tokens): SessionContext {
  return {
    ...seed,
    getIdToken: async () => {
      if (idToken) return { idToken }
      throw new ServiceSDKError(
        'ID_TOKEN_UNAVAILABLE',
        `The SDK holds no ID token: ${
          isFetched
            ? 'the token endpoint returned no id_token'
            : 'accessToken was passed to init without idToken'
        }.`,
        isFetched
          ? 'Let the token endpoint pass on id_token unchanged.'
          : 'Pass initServiceSDK({ accessToken, idToken }). An identity provider (option 3) often ' +
              'keeps none: verify its own.',
      )
    },
  }
}
