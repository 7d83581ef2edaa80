// The answers of the fake issuer, as the real service gives them: authorize, token, keys, metadata,
// userinfo, SDK manifest. Pure except for the codes and tokens in its state; opens no socket.
// Spec §4.1, §4.2, §4.4; contract §2.
import { createHash } from 'node:crypto'
import { clientOfAssertion, isAssertionRight } from './client-assertion.ts'
import type { Codes } from './codes.ts'
import type { Jwk } from './jwk.ts'
import { buildClaims, buildLaunchClaims, type FakeLaunch, mintValue } from './launch.ts'

export interface RecordedRequest {
  readonly method: string
  /** The path without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The connection is cut in the middle of the answer. */
  readonly isCut?: boolean
}

interface LiveToken {
  readonly launch: FakeLaunch
  readonly scope: string
  /** The code this token was issued for. */
  readonly code: string
}

export interface IssuerState {
  readonly baseUrl: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The public key for private_key_jwt. */
  readonly clientKey: Jwk | undefined
  /** The jti of client assertions that were accepted. */
  readonly usedAssertions: Set<string>
  readonly redirectUris: readonly string[]
  readonly sdkScript: string
  readonly launches: ReadonlyMap<string, FakeLaunch>
  /** The live tokens by access token. */
  readonly tokens: Map<string, LiveToken>
  readonly codes: Codes
  readonly publishedKeys: () => readonly object[]
  readonly sign: (claims: object) => string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export function answer(state: IssuerState, request: RecordedRequest): Answer {
  const route = ROUTES[request.path]
  if (route) return route(state, request)
  if (request.path === sdkPath(state)) return script(state)
  return { status: 404, body: { error: 'not_found' } }
}

const ROUTES: Readonly<Record<string, (state: IssuerState, request: RecordedRequest) => Answer>> = {
  '/app-auth/authorize': authorize,
  '/app-auth/token': exchange,
  '/app-auth/userinfo': userinfo,
  '/app-auth/.well-known/jwks.json': (state) => publish({ keys: state.publishedKeys() }),
  '/app-auth/.well-known/openid-configuration': (state) => publish(metadata(state)),
  '/sdk/manifest.json': (state) => publish(manifest(state)),
  '/sdk/v1/sdk.js': (state) => script(state),
}

const PUBLIC = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' }
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

const publish = (body: unknown): Answer => ({ status: 200, headers: PUBLIC, body })

const trace = (): string => mintValue('trc').slice(0, 20)

function fail(status: number, error: string, error_description: string): Answer {
  return { status, headers: NO_STORE, body: { error, error_description, trace_id: trace() } }
}

function authorize(state: IssuerState, { method, query, body }: RecordedRequest): Answer {
  const sent = method === 'POST' ? new URLSearchParams(body) : query
  const get = (name: string) => sent.get(name) ?? undefined
  const redirectUri = get('redirect_uri') ?? ''
  if (get('client_id') !== state.clientId) {
    return fail(400, 'invalid_request', 'No app has this client_id on this server.')
  }
  if (!state.redirectUris.includes(redirectUri)) {
    return fail(400, 'invalid_request', 'redirect_uri is not registered, to the byte.')
  }
  const status = method === 'POST' ? 303 : 302
  const redirect = (parameters: Record<string, string>): Answer => {
    const common = { ...(get('state') ? { state: get('state') ?? '' } : {}), iss: state.issuer }
    const added = new URLSearchParams({ ...parameters, ...common })
    const location = `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`
    return { status, headers: { location, 'cache-control': 'no-store' } }
  }
  const refuse = (error: string, why: string) =>
    redirect({ error, error_description: `${why} (trace ${trace()})` })

  if (get('response_type') !== 'code') {
    return refuse('unsupported_response_type', 'response_type must be code.')
  }
  if (!get('state')) return refuse('invalid_request', 'The parameter state is missing.')
  const scopes = (get('scope') ?? '').split(' ')
  if (!scopes.includes('launch') || !scopes.includes('openid')) {
    return refuse('invalid_scope', 'scope must contain "launch openid".')
  }
  if (get('code_challenge') !== undefined && get('code_challenge_method') !== 'S256') {
    return refuse('invalid_request', 'code_challenge_method must be S256.')
  }
  const launch = state.launches.get(get('launch') ?? get('login_hint') ?? '')
  if (!launch) return refuse('invalid_request', 'No launch with this launch_id exists.')
  if (state.codes.isUsed(launch.launchId)) {
    return refuse('access_denied', 'The launch has already yielded its tokens.')
  }
  const grant = {
    launch,
    clientId: state.clientId,
    redirectUri,
    scope: scopes.filter((scope) => /^(launch|openid|profile|email)$/.test(scope)).join(' '),
    nonce: get('nonce'),
    codeChallenge: get('code_challenge'),
  }
  return redirect({ code: state.codes.mint(grant) })
}

function exchange(state: IssuerState, { method, headers, body }: RecordedRequest): Answer {
  if (method !== 'POST') return fail(405, 'invalid_request', 'The token endpoint takes POST.')
  const fields = readFields(headers, body)
  const clientId = fields.client_id ?? clientOfAssertion(fields.client_assertion) ?? ''
  if (fields.grant_type !== 'authorization_code') {
    state.codes.spend(fields.code ?? '', clientId)
    return fields.grant_type
      ? fail(400, 'unsupported_grant_type', 'grant_type must be authorization_code.')
      : fail(400, 'invalid_request', 'The parameter grant_type is missing.')
  }
  if (!fields.code) return fail(400, 'invalid_request', 'The parameter code is missing.')
  const isAuthenticated = isClient(state, fields)
  const redemption = state.codes.redeem(fields.code, {
    clientId,
    isAuthenticated,
    redirectUri: fields.redirect_uri,
    codeVerifier: fields.code_verifier,
  })
  if (clientId !== state.clientId || !isAuthenticated) {
    return fail(401, 'invalid_client', 'The client is unknown or its secret or assertion is wrong.')
  }
  if ('refused' in redemption) {
    revokeTokenOf(state, fields.code)
    return fail(400, 'invalid_grant', redemption.refused)
  }
  const { launch, scope, nonce } = redemption.grant
  const accessToken = mintValue('at')
  state.tokens.set(accessToken, { launch, scope, code: fields.code })
  const now = Math.floor(state.now() / 1000)
  const claims = buildClaims(launch, {
    issuer: state.issuer,
    clientId: state.clientId,
    scope,
    nonce,
    accessToken,
    jti: mintValue('jti'),
    now,
  })
  // The provider has signed in a minute ago.
  const id_token = state.sign({ ...claims, auth_time: now - 60 })
  const tokens = { access_token: accessToken, id_token, token_type: 'Bearer', expires_in: 3600 }
  return { status: 200, headers: NO_STORE, body: { ...tokens, scope } }
}

/** Tests the secret or the assertion of a client; both at once authenticate no one. RFC 6749 2.3 */
function isClient(state: IssuerState, fields: ReturnType<typeof readFields>): boolean {
  const { clientId, clientKey: key, usedAssertions: used, issuer, baseUrl } = state
  if (fields.client_assertion === undefined) return fields.client_secret === state.clientSecret
  if (fields.client_secret !== undefined) return false
  const audiences = [issuer, `${baseUrl}/app-auth/token`]
  return isAssertionRight(fields, { clientId, key, audiences, now: state.now(), used })
}

/** A second exchange of a code revokes the token of the first (RFC 6749 4.1.2). */
function revokeTokenOf({ tokens }: IssuerState, code: string): void {
  for (const [accessToken, live] of tokens) if (live.code === code) tokens.delete(accessToken)
}

/** Reads JSON as specified, or a form and HTTP Basic, as identity providers send them. */
function readFields(
  headers: RecordedRequest['headers'],
  body: string,
): Record<string, string | undefined> {
  const fields: Record<string, string | undefined> = {}
  if (String(headers['content-type']).startsWith('application/x-www-form-urlencoded')) {
    Object.assign(fields, Object.fromEntries(new URLSearchParams(body)))
  } else {
    try {
      for (const [name, value] of Object.entries(JSON.parse(body) ?? {})) {
        if (typeof value === 'string') fields[name] = value
      }
    } catch {}
  }
  const [, basic = ''] = /^Basic (\S+)$/i.exec(String(headers.authorization ?? '')) ?? []
  if (!basic) return fields
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return { ...fields, client_id: decodeURIComponent(id), client_secret: decodeURIComponent(secret) }
}

function userinfo(state: IssuerState, { headers }: RecordedRequest): Answer {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(String(headers.authorization ?? '')) ?? []
  const known = state.tokens.get(token)
  if (!known) return { ...fail(401, 'invalid_token', 'The access token is not live.') }
  const { launch, scope } = known
  const scopes = scope.split(' ')
  return {
    status: 200,
    headers: NO_STORE,
    body: {
      sub: launch.userId,
      ...(scopes.includes('profile') ? { name: launch.name } : {}),
      ...(scopes.includes('email') ? { email: launch.email, email_verified: false } : {}),
      ...buildLaunchClaims(launch),
    },
  }
}

function metadata({ baseUrl, issuer }: IssuerState): object {
  return {
    issuer,
    authorization_endpoint: `${baseUrl}/app-auth/authorize`,
    token_endpoint: `${baseUrl}/app-auth/token`,
    jwks_uri: `${baseUrl}/app-auth/.well-known/jwks.json`,
    userinfo_endpoint: `${baseUrl}/app-auth/userinfo`,
    scopes_supported: ['openid', 'launch', 'profile', 'email'],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
    ],
    token_endpoint_auth_signing_alg_values_supported: ['RS256', 'ES256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text)

const sdkPath = ({ sdkScript }: IssuerState) =>
  `/sdk/0.0.0-${digest('sha256', sdkScript).digest('hex').slice(0, 12)}/sdk.js`

function manifest(state: IssuerState): object {
  const url = state.baseUrl + sdkPath(state)
  const integrity = `sha384-${digest('sha384', state.sdkScript).digest('base64')}`
  return { version: '0.0.0', url, moduleUrl: url, integrity, moduleIntegrity: integrity }
}

const script = ({ sdkScript }: IssuerState): Answer => ({
  status: 200,
  headers: { ...PUBLIC, 'content-type': 'text/javascript; charset=utf-8' },
  body: sdkScript,
})
