// Exchanges an authorization code for tokens at the service, once: no retry (a code is invalid
// after its first attempt), no redirect (it would forward the secret), ten seconds at most. Never
// logs what it sends, and no error quotes it. Spec §4.2, §2.3, §5.1, §7; security R09.
import { buildClientAssertion } from './client-assertion.ts'
import { ExchangeError } from './errors.ts'
import { parseObject, readText } from './read-text.ts'
import type { Settings } from './settings.ts'

export interface Tokens {
  /** The token is scoped to one launch and not to be stored. */
  readonly accessToken: string
  readonly idToken?: string
  readonly tokenType: string
  /** Seconds. */
  readonly expiresIn?: number
  readonly scope?: string
}

export interface ExchangeOptions {
  /** The service compares it when it is sent. */
  readonly redirectUri?: string | undefined
  /** The verifier as the page sent it, when the authorize request carried a challenge (RFC 7636). */
  readonly codeVerifier?: unknown
  readonly signal?: AbortSignal | undefined
}

export type ExchangeSettings = Pick<
  Settings,
  'clientId' | 'credential' | 'fetch' | 'issuer' | 'now' | 'timeoutMs' | 'tokenUrl'
>

const MAX_ANSWER_BYTES = 65_536

/** @throws ExchangeError; the reason of `options.signal` when that aborts */
export async function exchangeCode(
  code: unknown,
  options: ExchangeOptions,
  settings: ExchangeSettings,
): Promise<Tokens> {
  if (typeof code !== 'string' || code === '') {
    const details = { status: 400, error: 'missing_code' }
    throw new ExchangeError('code_missing', 'There is no code to exchange.', details)
  }
  const { clientId, credential } = settings
  // What authenticates this request; the last one is what no answer may quote.
  const authentication: Record<string, string> =
    'key' in credential
      ? { client_id: clientId, ...(await buildClientAssertion(credential.key, settings)) }
      : { client_id: clientId, client_secret: credential.secret }
  options.signal?.throwIfAborted()
  const { response, text } = await post(code, options, settings, authentication)
  if (response.status === 0 || (response.status >= 300 && response.status < 400)) {
    throw new ExchangeError('redirect_refused', 'The token address redirects to another one.', {
      status: 502,
      error: 'token_exchange_failed',
    })
  }
  const fields = parseObject(text)
  if (!response.ok) throw refused(response, fields, Object.values(authentication).at(-1) ?? '')
  return parseTokens(fields)
}

async function post(
  code: string,
  options: ExchangeOptions,
  settings: ExchangeSettings,
  authentication: Record<string, string>,
) {
  const timeout = AbortSignal.timeout(settings.timeoutMs)
  try {
    // Called as a plain function: Workers refuse a fetch whose `this` is another object.
    const fetchFrom = settings.fetch
    const response = await fetchFrom(settings.tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        grant_type: 'authorization_code',
        code,
        ...authentication,
        ...(options.redirectUri === undefined ? {} : { redirect_uri: options.redirectUri }),
        ...(options.codeVerifier === undefined ? {} : { code_verifier: options.codeVerifier }),
      }),
      // Not 'error', which Workers lack. Any answer but a success is refused below.
      redirect: 'manual',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    })
    return { response, text: await readText(response, MAX_ANSWER_BYTES) }
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason
    if (timeout.aborted) {
      const seconds = settings.timeoutMs / 1000
      throw new ExchangeError(
        'exchange_timeout',
        `The token endpoint did not answer within ${seconds} s.`,
        { status: 504, error: 'token_exchange_failed', cause },
      )
    }
    throw new ExchangeError('service_unreachable', 'The token endpoint could not be reached.', {
      status: 502,
      error: 'token_exchange_failed',
      cause,
    })
  }
}

/** The characters of an error code (RFC 6749 5.2). */
const ERROR_CODE = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,128}$/

function refused(
  response: Response,
  fields: Record<string, unknown>,
  secret: string,
): ExchangeError {
  // The service might echo the request; the secret must not reach the page.
  const withoutSecret = (value: unknown) =>
    typeof value === 'string' && !value.includes(secret) ? value.slice(0, 1024) : undefined
  const named = withoutSecret(fields.error)
  const error = named && ERROR_CODE.test(named) ? named : 'token_exchange_failed'
  const description = withoutSecret(fields.error_description)
  return new ExchangeError(
    'exchange_refused',
    description ?? `The token endpoint answered ${response.status} without a description.`,
    {
      // A Response cannot have a status above 599.
      status: response.status <= 599 ? response.status : 502,
      error,
      description,
      traceId: withoutSecret(fields.trace_id),
      retryAfter: withoutSecret(response.headers.get('retry-after') ?? undefined),
    },
  )
}

function parseTokens(fields: Record<string, unknown>): Tokens {
  const { access_token, id_token, token_type, expires_in, scope } = fields
  if (typeof access_token !== 'string' || access_token === '') {
    throw new ExchangeError(
      'answer_unusable',
      'The token endpoint answered with success, but without an access_token string.',
      { status: 502, error: 'token_exchange_failed' },
    )
  }
  return {
    accessToken: access_token,
    ...(typeof id_token === 'string' ? { idToken: id_token } : {}),
    tokenType: typeof token_type === 'string' ? token_type : 'Bearer',
    ...(typeof expires_in === 'number' ? { expiresIn: expires_in } : {}),
    ...(typeof scope === 'string' ? { scope } : {}),
  }
}
