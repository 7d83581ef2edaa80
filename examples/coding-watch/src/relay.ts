// The registered token endpoint: takes `{ code }` from the SDK, exchanges it at the service with the
// client secret, answers with the tokens. One attempt per code, no redirect followed, ten seconds at
// most; the secret never leaves in a response. Spec §4.3 to the letter, §2.3; security R08, R09.

export interface RelayOptions {
  /** `{base_url}/app-auth/token`. */
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch: typeof fetch
  readonly timeoutMs?: number
  /** Told why an exchange failed: status, code and trace id, never a code or a token. */
  readonly log?: (line: string) => void
}

export async function relayExchange(request: Request, options: RelayOptions): Promise<Response> {
  try {
    const { code } = await readObject(request)
    if (typeof code !== 'string' || code === '') return reply(400, { error: 'missing_code' })
    const upstream = await exchange(code, options)
    const body = await readObject(upstream)
    if (!upstream.ok) return passOnFailure(upstream.status, body, options)
    return passOnTokens(body)
  } catch (error) {
    options.log?.(`exchange failed: ${error instanceof Error ? error.message : 'unknown error'}`)
    return reply(500, { error: 'internal_server_error' })
  }
}

function exchange(code: string, options: RelayOptions): Promise<Response> {
  return options.fetch(options.tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      code,
      client_id: options.clientId,
      client_secret: options.clientSecret,
    }),
    // A followed redirect would carry the secret to an address that nobody configured.
    redirect: 'error',
    signal: AbortSignal.timeout(options.timeoutMs ?? 10_000),
  })
}

function passOnFailure(
  status: number,
  body: Record<string, unknown>,
  { log }: RelayOptions,
): Response {
  const error =
    typeof body.error === 'string' && body.error !== '' ? body.error : 'token_exchange_failed'
  const trace = typeof body.trace_id === 'string' ? ` (trace ${body.trace_id})` : ''
  log?.(`exchange refused: ${status} ${error}${trace}`)
  return reply(status, { error })
}

function passOnTokens(body: Record<string, unknown>): Response {
  const { access_token, id_token, token_type, expires_in, scope } = body
  if (typeof access_token !== 'string' || access_token === '') {
    throw new Error('the service answered 200 without an access_token')
  }
  return reply(200, {
    access_token,
    ...(typeof id_token === 'string' ? { id_token } : {}),
    token_type: typeof token_type === 'string' ? token_type : 'Bearer',
    ...(typeof expires_in === 'number' ? { expires_in } : {}),
    ...(typeof scope === 'string' ? { scope } : {}),
  })
}

/** A body that is no JSON object reads as an empty one: the caller then misses its field. */
async function readObject(message: Request | Response): Promise<Record<string, unknown>> {
  const text = await message.text()
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function reply(status: number, body: unknown): Response {
  return Response.json(body, {
    status,
    headers: {
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  })
}
