// The app's registered token endpoint: gets `{ code }` from the SDK, exchanges it with the client
// secret and answers with the tokens, exactly as Spec §4.3 says. The secret is in no answer and no
// log line. Spec §2.3, §5.2; security R08, R09.
import { ExchangeError } from './errors.ts'
import type { ExchangeOptions, Tokens } from './exchange.ts'
import { parseObject, readText } from './read-text.ts'
import { corsHeaders, decideCallerOrigin } from './same-origin.ts'

export interface TokenEndpointSettings {
  readonly exchange: (code: unknown, options?: ExchangeOptions) => Promise<Tokens>
  readonly allowedOrigins: readonly string[]
  readonly log: (line: string) => void
}

const MAX_REQUEST_BYTES = 16_384

export async function handleTokenRequest(
  request: Request,
  settings: TokenEndpointSettings,
): Promise<Response> {
  const cors = corsHeaders(request, settings.allowedOrigins)
  const log = (line: string) => void writeLog(settings.log, line)
  const reply = (status: number, body: object, headers: Record<string, string> = {}) =>
    Response.json(body, { status, headers: { ...NO_STORE, ...cors, ...headers } })

  if (decideCallerOrigin(request, settings.allowedOrigins) === 'foreign') {
    const origin = JSON.stringify(request.headers.get('origin')?.slice(0, 200) ?? null)
    log(`token endpoint refused a page of ${origin}: list it in allowedOrigins if it is yours`)
    return reply(403, { error: 'origin_not_allowed' })
  }
  if (request.method === 'OPTIONS')
    return new Response(null, { status: 204, headers: { ...cors, ...PREFLIGHT } })
  if (request.method !== 'POST') return reply(405, { error: 'method_not_allowed' }, ALLOW)
  try {
    const text = await readText(request, MAX_REQUEST_BYTES)
    if (text === undefined) return reply(413, { error: 'request_too_large' })
    return reply(200, buildAnswer(await settings.exchange(parseObject(text).code)))
  } catch (error) {
    if (error instanceof ExchangeError && error.code === 'code_missing') {
      return reply(400, { error: error.error })
    }
    if (error instanceof ExchangeError && error.code === 'exchange_refused') {
      log(`exchange refused: ${error.status} ${error.error}${traceSuffix(error)}`)
      const { retryAfter, traceId } = error
      return reply(
        error.status,
        { error: error.error },
        {
          ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
          // The body holds `error` only (spec §4.3); the SDK shows the trace id to the developer.
          ...(isTraceId(traceId) ? { 'x-trace-id': traceId } : {}),
        },
      )
    }
    const reason = error instanceof ExchangeError ? error.code : 'unexpected error'
    log(`exchange failed: ${reason}`)
    return reply(500, { error: 'internal_server_error' })
  }
}

/** A failing log fails no token request. */
async function writeLog(log: TokenEndpointSettings['log'], line: string): Promise<void> {
  try {
    await log(line)
  } catch {}
}

const NO_STORE = {
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
}
const ALLOW = { allow: 'POST' }
const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '600',
}

const isTraceId = (value: string | undefined): value is string => /^[\w-]{1,64}$/.test(value ?? '')

const traceSuffix = ({ traceId }: ExchangeError) => (traceId ? ` (trace ${traceId})` : '')

/** The SDK reads the snake_case field names of the service. */
const buildAnswer = (tokens: Tokens) => ({
  access_token: tokens.accessToken,
  ...(tokens.idToken === undefined ? {} : { id_token: tokens.idToken }),
  token_type: tokens.tokenType,
  ...(tokens.expiresIn === undefined ? {} : { expires_in: tokens.expiresIn }),
  ...(tokens.scope === undefined ? {} : { scope: tokens.scope }),
})
