// Option 3: an identity provider made the exchange and stores the platform access token with the
// user's identity. Reads it from the provider's management API for each call; caches and logs
// nothing. Spec §5.3 rule 3. The answer has Auth0's form: GET /api/v2/users/{id} → identities[].
import { CodedError } from '../coded-error.ts'
import { parseObject, readText } from './read-text.ts'
import { requireDuration, requireText, requireUrl } from './require-option.ts'

/** Required options may come directly from the environment: undefined is refused by name. */
export interface PlatformTokenOptions {
  /** The address `https://{tenant}`; the user is read at `/api/v2/users/{id}`. */
  readonly managementUrl: string | undefined
  /** Returns the address of one user, for providers of another shape. It must answer with `identities`. */
  readonly userUrl?: (userId: string) => string
  /** A management access token, or a function that gets one. */
  readonly managementToken: string | (() => Promise<string>) | undefined
  /** The name of the connection that is configured with authorize and token URL of the service. */
  readonly connection: string | undefined
  readonly fetch?: typeof fetch
  /** Default 10,000, at most 60,000. */
  readonly timeoutMs?: number
  /** Allows http to another machine for the management token. Never in production. */
  readonly dangerouslyAllowHttp?: boolean
}

export interface PlatformTokens {
  /** The access token for `initServiceSDK({ accessToken })`. */
  readonly accessToken: string
  /** The ID token, when the provider keeps it; most do not, and `getIdToken()` then rejects (spec §5.3 rule 4). */
  readonly idToken?: string
}

export interface PlatformTokenReader {
  /** @throws PlatformTokenError */
  read(userId: string): Promise<PlatformTokens>
}

export type PlatformTokenErrorCode =
  /** The app's own `managementToken` gave none; `cause` is what it threw. */
  | 'management_token_unavailable'
  | 'management_unreachable'
  /** The management API answered 401 or 403. */
  | 'management_refused'
  | 'management_failed'
  | 'user_unknown'
  /** The user has no identity of the connection. */
  | 'identity_missing'
  /** The user has several identities of the connection, so the launch is ambiguous. */
  | 'identity_ambiguous'
  /** The identity has no access token. */
  | 'token_missing'

const FIXES: Readonly<Record<PlatformTokenErrorCode, string>> = {
  management_token_unavailable:
    'Look at cause: managementToken must resolve with the access token, a text.',
  management_unreachable: 'Check managementUrl and that this server reaches the provider.',
  management_refused:
    'Get a fresh management token, for this tenant, with read:users and read:user_idp_tokens.',
  management_failed: 'Wait and try again; if it fails again, look at the provider’s log.',
  user_unknown: 'Pass the user id as the provider writes it in sub, such as "oauth2|chartside|…".',
  identity_missing: 'Compare connection with the name of the connection that the sign-in used.',
  identity_ambiguous: 'Do not link two platform users to one user of the provider.',
  token_missing: 'Give the management token the scope read:user_idp_tokens.',
}

/**
 * The error when the management API of an identity provider gave no platform token. `code` is from the closed
 * list `PlatformTokenErrorCode`. The constructor never throws. Spec §5.3 rule 3.
 * @example if (error instanceof PlatformTokenError) console.error(error.code, error.fix)
 */
export class PlatformTokenError extends CodedError<PlatformTokenErrorCode> {
  override readonly name = 'PlatformTokenError'

  constructor(code: PlatformTokenErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, FIXES[code], options?.cause)
  }
}

const MAX_BYTES = 262_144

/**
 * Reads the platform token of a user from the management API of an identity provider. `read` rejects with
 * PlatformTokenError. Spec §5.3 rule 3.
 * @throws TypeError when an option is missing or wrong
 * @example const { accessToken } = await createPlatformTokenReader(options).read(userId)
 */
export function createPlatformTokenReader(options: PlatformTokenOptions): PlatformTokenReader {
  const { userUrl, connection, loadToken, fetchFrom, timeoutMs } = parseOptions(options)

  const load = async (url: string, token: string) => {
    try {
      const response = await fetchFrom(url, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { status: response.status, text: await readText(response, MAX_BYTES) }
    } catch (cause) {
      const message = 'The management API did not answer.'
      throw new PlatformTokenError('management_unreachable', message, { cause })
    }
  }

  return {
    async read(userId) {
      // An empty path, or one of dots, would be another address of the management API.
      if (typeof userId !== 'string' || /^\.{0,2}$/.test(userId)) {
        throw new PlatformTokenError('user_unknown', 'This is not a user id.')
      }
      const { status, text } = await load(userUrl(userId), await loadToken())
      if (status === 401 || status === 403) {
        throw new PlatformTokenError('management_refused', `The management API answered ${status}.`)
      }
      if (status === 404) {
        throw new PlatformTokenError('user_unknown', 'The provider does not know this user.')
      }
      if (status !== 200) {
        throw new PlatformTokenError('management_failed', `The management API answered ${status}.`)
      }
      return findTokens(parseObject(text), connection)
    },
  }
}

function parseOptions(options: PlatformTokenOptions) {
  const { managementToken, dangerouslyAllowHttp: allowHttp } = options
  const base = requireUrl(named('managementUrl'), options.managementUrl, allowHttp)
  const { userUrl = (id) => `${base.replace(/\/+$/, '')}/api/v2/users/${encodeURIComponent(id)}` } =
    options
  if (typeof managementToken !== 'function') requireText(named('managementToken'), managementToken)
  return {
    userUrl: (id: string) => requireUrl(named('userUrl'), userUrl(id), allowHttp),
    connection: requireText(named('connection'), options.connection),
    loadToken: () => loadToken(managementToken),
    fetchFrom: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: requireDuration(named('timeoutMs'), options.timeoutMs ?? 10_000, 60_000),
  }
}

const named = (option: string) => `createPlatformTokenReader: ${option}`

async function loadToken(managementToken: PlatformTokenOptions['managementToken']) {
  let cause: unknown
  try {
    const token = typeof managementToken === 'function' ? await managementToken() : managementToken
    if (typeof token === 'string' && token !== '') return token
  } catch (error) {
    cause = error
  }
  const message = 'There is no management token to ask with.'
  throw new PlatformTokenError('management_token_unavailable', message, { cause })
}

function findTokens({ identities }: Record<string, unknown>, connection: string): PlatformTokens {
  const all = Array.isArray(identities) ? identities : []
  const matching = all.filter((identity) => identity?.connection === connection)
  if (matching.length === 0) {
    throw new PlatformTokenError('identity_missing', `No identity of connection "${connection}".`)
  }
  if (matching.length > 1) {
    throw new PlatformTokenError(
      'identity_ambiguous',
      `${matching.length} identities of connection "${connection}".`,
    )
  }
  const { access_token: accessToken, id_token: idToken } = matching[0]
  if (typeof accessToken !== 'string' || accessToken === '') {
    throw new PlatformTokenError('token_missing', 'The identity shows no access token.')
  }
  return typeof idToken === 'string' ? { accessToken, idToken } : { accessToken }
}
