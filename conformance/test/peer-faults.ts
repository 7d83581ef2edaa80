// Forty faults of a provider that others wrote, each a distortion of single answers of oidc-provider, with every
// module that fails by it: the one that is about it, and those that meet it on their way.
import { generateKeyPairSync } from 'node:crypto'
import type { Handle, ProxyAnswer } from './faulty-proxy.ts'
import {
  distort,
  distortJson,
  distortRedirect,
  PLANTED_FAULTS,
  type Places,
  resign,
} from './planted-faults.ts'

export interface PeerFault {
  readonly title: string
  readonly finds: readonly string[]
  readonly plant: (at?: Places) => Handle
}

const signed = (change: (claims: Record<string, unknown>) => object, header: object = {}) =>
  resign('RS256', change, header)

const without = (claims: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

const withoutHeader = (answer: ProxyAnswer, name: string): ProxyAnswer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([key]) => key !== name)),
})

const seconds = () => Math.floor(Date.now() / 1000)

/** A request without these parameters: the provider does not know them. */
const forget =
  (place: 'authorize' | 'token', ...names: readonly string[]) =>
  (at?: Places): Handle =>
  (request, forward) => {
    if (request.path !== at?.[place]) return forward(request)
    const query = new URLSearchParams(request.query)
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form')
    const form = new URLSearchParams(isForm ? request.body : '')
    for (const name of names) {
      query.delete(name)
      form.delete(name)
    }
    return forward({ ...request, query, body: isForm ? form.toString() : request.body })
  }

const both =
  (outer: Handle, inner: Handle): Handle =>
  (request, forward) =>
    outer(request, (changed) => inner(changed, forward))

/** Of refusals of the token endpoint. */
const refusals = (change: (answer: ProxyAnswer) => ProxyAnswer) =>
  distort('token', (answer) => (answer.status >= 400 ? change(answer) : answer))

/** The first answer of userinfo, to a request without a token too. */
const answerAnyone = (at?: Places): Handle => {
  return async (request, forward) => {
    const answer = await forward(request)
    if (request.path !== at?.userinfo || answer.status !== 401) return answer
    if (request.headers.authorization !== undefined || request.query.has('access_token'))
      return answer
    const headers = { 'content-type': 'application/json' }
    return { status: 200, headers, body: '{"sub":"person"}' }
  }
}

const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** Those of our own service that mean nothing here: what oidc-provider has not, or does by its own pages. */
const OF_CHARTSIDE: ReadonlySet<string> = new Set([
  'a refresh token in the token answer',
  'a description that tells which clients exist',
  'a POST redirected with 307',
  'metadata in the second place with another issuer',
  'an exchange without the code_verifier',
])

/** A token that another key has signed is no hint for this provider. */
const HINTS: Readonly<Record<string, readonly string[]>> = {
  'an ID token with a wrong at_hash': ['oidcc-id-token-hint'],
  'an ID token signed with PS256': ['oidcc-id-token-hint'],
}

const SHARED: readonly PeerFault[] = PLANTED_FAULTS.filter(
  ({ title }) => !OF_CHARTSIDE.has(title),
).map(({ title, finds, plant }) => ({ title, finds: [finds, ...(HINTS[title] ?? [])], plant }))

export const PEER_FAULTS: readonly PeerFault[] = [
  ...SHARED,
  {
    title: 'an error redirect without iss',
    finds: ['rfc9207-iss-in-error'],
    plant: distortRedirect('error', (p) => p.delete('iss')),
  },
  {
    title: 'iss with a slash in redirects',
    finds: ['rfc9207-iss-in-success'],
    plant: distortRedirect('code', (p) => p.set('iss', `${p.get('iss')}/`)),
  },
  {
    title: 'a state in lower case',
    finds: ['oidcc-server', 'rfc6749-state-returned-exactly'],
    plant: distortRedirect('code', (p) => p.set('state', (p.get('state') ?? '').toLowerCase())),
  },
  {
    title: 'an ID token without exp',
    finds: ['oidcc-server', 'oidcc-id-token-hint'],
    plant: signed((claims) => without(claims, 'exp')),
  },
  {
    title: 'an ID token without iat',
    finds: ['oidcc-server', 'oidcc-id-token-hint'],
    plant: signed((claims) => without(claims, 'iat')),
  },
  {
    title: 'an ID token of tomorrow',
    finds: ['oidcc-server', 'oidcc-id-token-hint'],
    plant: signed((claims) => ({ ...claims, iat: seconds() + 86_400, exp: seconds() + 90_000 })),
  },
  {
    title: 'an ID token that has expired',
    finds: ['oidcc-server', 'oidcc-id-token-hint'],
    plant: signed((claims) => ({ ...claims, exp: seconds() - 3600 })),
  },
  {
    title: 'an ID token for a second audience',
    finds: ['oidcc-server', 'oidcc-id-token-hint'],
    plant: signed((claims) => ({ ...claims, aud: [claims.aud, 'another'] })),
  },
  {
    title: 'an ID token for another client',
    finds: ['oidcc-server', 'oidcc-id-token-hint'],
    plant: signed((claims) => ({ ...claims, aud: 'another' })),
  },
  {
    title: 'an ID token for another client in azp',
    finds: ['oidcc-server', 'oidcc-id-token-hint'],
    plant: signed((claims) => ({ ...claims, azp: 'another' })),
  },
  {
    title: 'an ID token of another issuer',
    finds: ['oidcc-server', 'oidcc-id-token-hint'],
    plant: signed((claims) => ({ ...claims, iss: 'https://other.example' })),
  },
  {
    title: 'an empty sub',
    finds: [
      'oidcc-server',
      'oidcc-userinfo-get',
      'oidcc-userinfo-post-header',
      'oidcc-userinfo-post-body',
      'oidcc-id-token-hint',
    ],
    plant: signed((claims) => ({ ...claims, sub: '' })),
  },
  {
    title: 'a nonce that is dropped',
    finds: ['oidcc-server', 'oidcc-id-token-hint'],
    plant: signed((claims) => without(claims, 'nonce')),
  },
  {
    title: 'a nonce of another request',
    finds: ['oidcc-server', 'oidcc-id-token-hint'],
    plant: signed((claims) => ('nonce' in claims ? { ...claims, nonce: 'another' } : claims)),
  },
  {
    title: 'the type of an access token',
    finds: ['oidcc-idtoken-signature', 'oidcc-id-token-hint'],
    plant: signed((claims) => claims, { typ: 'at+jwt' }),
  },
  {
    title: 'a kid that the key set does not have',
    finds: ['oidcc-idtoken-signature', 'oidcc-id-token-hint'],
    plant: signed((claims) => claims, { kid: 'unknown' }),
  },
  {
    title: 'a private key in the key set',
    finds: ['rfc7517-key-set'],
    plant: distortJson('keys', ({ keys }) => ({
      keys: [
        ...(keys as object[]),
        { ...PRIVATE_KEY.export({ format: 'jwk' }), kid: 'private', use: 'sig', alg: 'RS256' },
      ],
    })),
  },
  {
    title: 'the sub of another person at userinfo',
    finds: [
      'oidcc-server',
      'oidcc-userinfo-get',
      'oidcc-userinfo-post-header',
      'oidcc-userinfo-post-body',
    ],
    plant: distortJson('userinfo', (claims) => ({ ...claims, sub: 'another' })),
  },
  { title: 'userinfo without a token', finds: ['rfc6750-no-token'], plant: answerAnyone },
  {
    title: 'a challenge without WWW-Authenticate',
    finds: ['rfc6750-no-token'],
    plant: distort('userinfo', (answer) => withoutHeader(answer, 'www-authenticate')),
  },
  {
    title: 'PKCE that is ignored',
    finds: [
      'rfc7636-wrong-verifier',
      'rfc7636-missing-verifier',
      'rfc7636-verifier-syntax',
      'rfc9700-challenge-method-plain',
      'rfc9700-pkce-downgrade',
    ],
    plant: (at) =>
      both(
        forget('authorize', 'code_challenge', 'code_challenge_method')(at),
        forget('token', 'code_verifier')(at),
      ),
  },
  {
    title: 'a prompt that is ignored',
    finds: [
      'oidcc-prompt-login',
      'oidcc-prompt-none-not-logged-in',
      'oidcc-prompt-none-with-another-value',
    ],
    plant: forget('authorize', 'prompt'),
  },
  {
    title: 'a max_age that is ignored',
    finds: ['oidcc-max-age-1', 'oidcc-max-age-10000'],
    plant: forget('authorize', 'max_age'),
  },
  {
    title: '400 where a client is not authenticated',
    finds: ['rfc6749-wrong-secret'],
    plant: refusals((answer) => (answer.status === 401 ? { ...answer, status: 400 } : answer)),
  },
  {
    title: 'refusals as HTML',
    finds: [
      'rfc6749-redirect-uri-at-token',
      'oidcc-codereuse',
      'oidcc-codereuse-30seconds',
      'rfc6749-code-bound-to-client',
      'rfc6749-unknown-code',
      'rfc7636-wrong-verifier',
      'rfc7636-missing-verifier',
      'rfc7636-verifier-syntax',
      'rfc9700-pkce-downgrade',
      'rfc6749-wrong-secret',
      'rfc6749-no-client',
      'rfc6749-two-authentications',
      'rfc6749-unknown-grant-type',
      'rfc6749-token-answers-json',
    ],
    plant: refusals((answer) => ({
      ...answer,
      headers: { ...answer.headers, 'content-type': 'text/html' },
      body: '<p>No.</p>',
    })),
  },
  {
    title: 'expires_in as text',
    finds: ['oidcc-server'],
    plant: distortJson('token', (tokens) => ({ ...tokens, expires_in: String(tokens.expires_in) })),
  },
  {
    title: 'a token type that is not Bearer',
    finds: ['oidcc-server'],
    plant: distortJson('token', (tokens) => ({ ...tokens, token_type: 'mac' })),
  },
  {
    title: 'a scope that no request asked for',
    finds: ['oidcc-ensure-other-scope-order-succeeds'],
    plant: distortJson('token', (tokens) => ({ ...tokens, scope: `${tokens.scope} admin` })),
  },
  {
    title: 'metadata of another issuer',
    finds: ['oidcc-discovery-endpoint-verification', 'rfc8414-inserted-path'],
    plant: distortJson('metadata', (document) => ({ ...document, issuer: `${document.issuer}/` })),
  },
]
