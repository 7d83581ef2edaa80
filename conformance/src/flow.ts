// The steps of the authorization code flow as a correct client takes them: authorize, receive the
// code, exchange it, use the token. A module changes what it is about; a step that fails for another
// reason fails the module. RFC 6749 4.1, OpenID Connect Core 3.1.
import { createHash, randomBytes } from 'node:crypto'
import type { Landing } from './browser.ts'
import type { Answer } from './http-client.ts'
import { describeAnswer, type ModuleContext } from './module-context.ts'
import type { Client, Preparation, UserAgent } from './target.ts'

export type Changes = Readonly<Record<string, string | undefined>>

export interface AuthorizeOptions {
  readonly client?: Client
  readonly agent?: UserAgent
  readonly preparation?: Preparation
  readonly method?: 'GET' | 'POST'
  /** No code_challenge, although the service supports PKCE. */
  readonly withoutPkce?: boolean
  /** The last word on what is sent. */
  readonly rewrite?: (parameters: URLSearchParams) => URLSearchParams
}

export interface Attempt {
  readonly client: Client
  readonly parameters: URLSearchParams
  readonly verifier: string | undefined
  readonly landing: Landing
}

export interface Grant extends Attempt {
  readonly code: string
  /** The parameters of the redirect. */
  readonly response: URLSearchParams
}

export interface Tokens {
  readonly grant: Grant
  readonly answer: Answer
  readonly accessToken: string
  readonly idToken: string
}

export const randomText = (bytes = 24) => randomBytes(bytes).toString('base64url')
export const challengeOf = (verifier: string) =>
  createHash('sha256').update(verifier).digest('base64url')

const supportsPkce = (t: ModuleContext) =>
  t.metadata.code_challenge_methods_supported?.includes('S256') === true

/** Sends the person's browser to authorize and says where it ended. `undefined` leaves one out. */
export async function authorize(
  t: ModuleContext,
  changes: Changes = {},
  options: AuthorizeOptions = {},
): Promise<Attempt> {
  const { client = t.target.client, method = 'GET', rewrite } = options
  const agent = options.agent ?? (await t.agent())
  const preparation = options.preparation ?? (await agent.prepare(client))
  const verifier = supportsPkce(t) && !options.withoutPkce ? randomText(32) : undefined
  const { launch } = preparation.parameters
  const all: Changes = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: t.target.scopes.join(' '),
    state: launch ? `${launch}:${randomText(16)}` : randomText(16),
    nonce: randomText(16),
    ...preparation.parameters,
    ...(verifier ? { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' } : {}),
    ...changes,
  }
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) given.append(name, value)
  }
  const parameters = rewrite ? rewrite(given) : given
  const endpoint = t.metadata.authorization_endpoint
  const landing =
    method === 'POST'
      ? await agent.browser.open(endpoint, { form: parameters }, t.send)
      : await agent.browser.open(withQuery(endpoint, parameters), {}, t.send)
  return { client, parameters, verifier, landing }
}

const withQuery = (endpoint: string, parameters: URLSearchParams) =>
  `${endpoint}${endpoint.includes('?') ? '&' : '?'}${parameters}`

export function describeLanding({ landing }: Attempt): string {
  if (landing.kind === 'page') return `a page: ${describeAnswer(landing.answer)}`
  const error = landing.url.searchParams.get('error')
  const why = landing.url.searchParams.get('error_description') ?? ''
  const to = `${landing.url.origin}${landing.url.pathname}`
  if (error) return `a redirect to ${to} with ${error} (${why})`
  return `a redirect to ${to}${landing.url.searchParams.has('code') ? ' with a code' : ''}`
}

/** Whether the redirect goes to this redirect URI, with its own query kept. */
export function isRedirectTo(url: URL, redirectUri: string): boolean {
  const registered = new URL(redirectUri)
  return (
    url.origin === registered.origin &&
    url.pathname === registered.pathname &&
    [...registered.searchParams].every(([name, value]) => url.searchParams.get(name) === value)
  )
}

/** The code that an attempt brought. */
export function receiveCode(t: ModuleContext, attempt: Attempt): Grant {
  const { landing, parameters } = attempt
  const redirectUri = parameters.get('redirect_uri') ?? attempt.client.redirectUri
  const code = landing.kind === 'redirect' ? landing.url.searchParams.get('code') : null
  t.check(
    landing.kind === 'redirect' && isRedirectTo(landing.url, redirectUri) && Boolean(code),
    'authorize redirects to the redirect URI with a code',
    describeLanding(attempt),
  )
  const response = landing.kind === 'redirect' ? landing.url.searchParams : new URLSearchParams()
  return { ...attempt, code: code ?? '', response }
}

export async function obtainCode(
  t: ModuleContext,
  changes: Changes = {},
  options: AuthorizeOptions = {},
): Promise<Grant> {
  return receiveCode(t, await authorize(t, changes, options))
}

export interface ExchangeOptions {
  readonly client?: Client
  /** The method; with `none` the body has what authenticates the client. */
  readonly method?: 'client_secret_basic' | 'client_secret_post' | 'none'
}

/** Posts the code to the token endpoint. */
export function exchange(
  t: ModuleContext,
  grant: Grant,
  changes: Changes = {},
  { client = grant.client, method = 'client_secret_basic' }: ExchangeOptions = {},
): Promise<Answer> {
  const body: Changes = {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.parameters.get('redirect_uri') ?? client.redirectUri,
    code_verifier: grant.verifier,
    ...changes,
  }
  return postAsClient(t, t.metadata.token_endpoint, body, client, method)
}

export function postAsClient(
  t: ModuleContext,
  url: string,
  body: Changes,
  client: Client = t.target.client,
  method: ExchangeOptions['method'] = 'client_secret_basic',
): Promise<Answer> {
  const isPost = method === 'client_secret_post'
  const all = isPost ? { ...body, client_id: client.id, client_secret: client.secret } : body
  const headers = method === 'client_secret_basic' ? basicHeaders(client) : {}
  return postForm(t, url, all, headers)
}

export const postForm = (
  t: ModuleContext,
  url: string,
  body: Changes,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => t.send(url, { form: definedOnly(body), headers })

/** Builds the header of HTTP Basic; both parts are form-encoded (RFC 6749 2.3.1). */
export const basicHeaders = ({ id, secret }: Pick<Client, 'id' | 'secret'>) => ({
  authorization: `Basic ${Buffer.from(
    `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`,
  ).toString('base64')}`,
})

export const bearerHeaders = (token: string) => ({ authorization: `Bearer ${token}` })

function definedOnly(values: Changes): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** The tokens of a successful answer. */
export function receiveTokens(t: ModuleContext, grant: Grant, answer: Answer): Tokens {
  const { access_token: accessToken, id_token: idToken } = answer.json ?? {}
  t.check(
    answer.status === 200 && typeof accessToken === 'string' && typeof idToken === 'string',
    'the token endpoint answers 200 with access_token and id_token',
    describeAnswer(answer),
  )
  return { grant, answer, accessToken: String(accessToken), idToken: String(idToken) }
}

/** The whole flow. */
export async function obtainTokens(
  t: ModuleContext,
  changes: Changes = {},
  options: AuthorizeOptions = {},
): Promise<Tokens> {
  const grant = await obtainCode(t, changes, options)
  return receiveTokens(t, grant, await exchange(t, grant))
}

/** Whether the access token still works: userinfo says so, introspection when there is none. */
export async function isTokenAccepted(t: ModuleContext, token: string): Promise<boolean> {
  const userinfo = t.metadata.userinfo_endpoint
  if (userinfo) return (await t.send(userinfo, { headers: bearerHeaders(token) })).status === 200
  const answer = await postAsClient(t, t.endpoint('introspection_endpoint'), { token })
  return answer.json?.active === true
}
