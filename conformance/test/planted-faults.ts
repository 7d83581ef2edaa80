// The faults that the suite must find, each a distortion of single answers, with the one module that
// it must fail. Each `plant` starts afresh, so that a fault remembers nothing of an earlier run.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { decodeJwt, SignJWT } from 'jose'
import type { Handle, ProxyAnswer, ProxyRequest } from './faulty-proxy.ts'

export interface PlantedFault {
  readonly title: string
  readonly finds: string
  readonly plant: (at?: Places) => Handle
}

/** The path of each endpoint. */
export type Places = Readonly<
  Record<'authorize' | 'token' | 'userinfo' | 'keys' | 'metadata' | 'introspect' | 'revoke', string>
>

type Place = keyof Places | { readonly path: string }

const CHARTSIDE: Places = {
  authorize: '/app-auth/authorize',
  token: '/app-auth/token',
  userinfo: '/app-auth/userinfo',
  keys: '/app-auth/.well-known/jwks.json',
  metadata: '/app-auth/.well-known/openid-configuration',
  introspect: '/app-auth/introspect',
  revoke: '/app-auth/revoke',
}

/** Changes the answers of one endpoint; those of authorize too that a provider gives after its own pages. */
export const distort =
  (place: Place, change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer) =>
  (at: Places = CHARTSIDE): Handle =>
  async (request, forward) => {
    const answer = await forward(request)
    const path = typeof place === 'string' ? at[place] : place.path
    const isThere =
      request.path === path ||
      (place === 'authorize' && request.path.startsWith(`${at.authorize}/`))
    return isThere ? change(answer, request) : answer
  }

export const headerOf = ({ headers }: ProxyAnswer, name: string): string =>
  String(headers[name] ?? '')

export const withHeader = (answer: ProxyAnswer, name: string, value: string): ProxyAnswer => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
})

/** Changes the parameters of redirects that have `marker`: a code or an error. */
export const distortRedirect = (
  marker: 'code' | 'error',
  change: (parameters: URLSearchParams) => void,
) =>
  distort('authorize', (answer) => {
    const url = URL.parse(headerOf(answer, 'location'))
    if (!url?.searchParams.has(marker)) return answer
    change(url.searchParams)
    return withHeader(answer, 'location', url.href)
  })

/** Changes JSON answers with status 200. */
export const distortJson = (
  place: Place,
  change: (json: Record<string, unknown>, request: ProxyRequest) => object,
) =>
  distort(place, (answer, request) =>
    answer.status === 200
      ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body), request)) }
      : answer,
  )

/** Signs the ID tokens again with a key of its own, which it publishes. */
export const resign =
  (
    alg: 'RS256' | 'PS256',
    change: (claims: Record<string, unknown>) => object,
    header: object = {},
  ) =>
  (at: Places = CHARTSIDE): Handle => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'planted', use: 'sig', alg }]
    return async (request, forward) => {
      const answer = await forward(request)
      if (request.path === at.keys) return { ...answer, body: JSON.stringify({ keys }) }
      if (request.path !== at.token || answer.status !== 200) return answer
      const tokens = JSON.parse(answer.body)
      const jwt = new SignJWT({ ...change(decodeJwt(tokens.id_token)) }).setProtectedHeader({
        ...{ alg, kid: 'planted', typ: 'JWT' },
        ...header,
      })
      return {
        ...answer,
        body: JSON.stringify({ ...tokens, id_token: await jwt.sign(privateKey) }),
      }
    }
  }

/** Gives the answer of a code again, until a token is used: a cache that takes it for a retry. */
export const cacheFirstAnswer = (at: Places = CHARTSIDE): Handle => {
  const answers = new Map<string, ProxyAnswer>()
  return async (request, forward) => {
    if (request.path === at.userinfo) answers.clear()
    if (request.path !== at.token) return forward(request)
    const retry = `${request.headers.authorization} ${request.body}`
    const cached = answers.get(retry)
    if (cached) return cached
    const answer = await forward(request)
    if (answer.status === 200) answers.set(retry, answer)
    return answer
  }
}

/** Redirects to any address that `isAccepted`, with a code of the registered one. */
export const openRedirect =
  (isAccepted: (redirectUri: string) => boolean) =>
  (at: Places = CHARTSIDE): Handle =>
  async (request, forward) => {
    const redirectUri = request.query.get('redirect_uri') ?? ''
    if (request.path !== at.authorize || !isAccepted(redirectUri)) return forward(request)
    const target = new URL(redirectUri)
    target.searchParams.set('error', 'invalid_request')
    return { status: 302, headers: { location: target.href }, body: '' }
  }

/** Says of every token that was revoked that it is active. */
export const keepRevokedActive = (at: Places = CHARTSIDE): Handle => {
  const revoked = new Set<string>()
  return async (request, forward) => {
    const answer = await forward(request)
    const token = new URLSearchParams(request.body).get('token') ?? ''
    if (request.path === at.revoke && answer.status === 200) revoked.add(token)
    const isLie = request.path === at.introspect && answer.status === 200
    return isLie && revoked.has(token) ? { ...answer, body: '{"active":true}' } : answer
  }
}

/** Compares verifiers itself, and does not mind when there is none. */
export const acceptMissingVerifier = (at: Places = CHARTSIDE): Handle => {
  const challenges = new Map<string, string>()
  return async (request, forward) => {
    if (request.path === at.authorize && request.query.get('code_challenge_method') === 'S256') {
      const query = new URLSearchParams(request.query)
      const challenge = query.get('code_challenge') ?? ''
      query.delete('code_challenge')
      query.delete('code_challenge_method')
      const answer = await forward({ ...request, query })
      const code = URL.parse(headerOf(answer, 'location'))?.searchParams.get('code')
      if (code) challenges.set(code, challenge)
      return answer
    }
    const isJson = request.headers['content-type']?.startsWith('application/json')
    const form = new URLSearchParams(isJson ? JSON.parse(request.body) : request.body)
    const challenge = challenges.get(form.get('code') ?? '')
    const verifier = form.get('code_verifier')
    if (request.path !== at.token || challenge === undefined) return forward(request)
    const isRight =
      verifier === null ||
      (/^[\w.~-]{43,128}$/.test(verifier) &&
        createHash('sha256').update(verifier).digest('base64url') === challenge)
    // A verifier that the service does not expect is refused by it.
    if (isRight) form.delete('code_verifier')
    const body = isJson ? JSON.stringify(Object.fromEntries(form)) : form.toString()
    return forward({ ...request, body })
  }
}

/** Takes an access token from the query, too. */
export const readTokenInQuery =
  (at: Places = CHARTSIDE): Handle =>
  (request, forward) => {
    const token = request.path === at.userinfo ? request.query.get('access_token') : null
    if (token === null) return forward(request)
    const headers = { ...request.headers, authorization: `Bearer ${token}` }
    return forward({ ...request, query: new URLSearchParams(), headers })
  }

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    title: 'a success redirect without iss',
    finds: 'rfc9207-iss-in-success',
    plant: distortRedirect('code', (parameters) => parameters.delete('iss')),
  },
  {
    title: 'an error redirect with another iss',
    finds: 'rfc9207-iss-in-error',
    plant: distortRedirect('error', (parameters) => parameters.set('iss', 'https://other.example')),
  },
  {
    title: 'an error redirect without state',
    finds: 'rfc6749-state-in-error-redirect',
    plant: distortRedirect('error', (parameters) => parameters.delete('state')),
  },
  {
    title: 'a state that loses what is not ASCII',
    finds: 'rfc6749-state-returned-exactly',
    plant: distortRedirect('code', (parameters) => {
      parameters.set('state', (parameters.get('state') ?? '').replace(/[^ -~]/g, '?'))
    }),
  },
  {
    title: 'a replay answered from a cache',
    finds: 'oidcc-codereuse',
    plant: cacheFirstAnswer,
  },
  {
    title: 'a refresh token in the token answer',
    finds: 'oidcc-refresh-token',
    plant: distortJson('token', (tokens) => ({ ...tokens, refresh_token: 'rt_planted' })),
  },
  {
    title: 'a redirect to an unregistered address',
    finds: 'oidcc-ensure-registered-redirect-uri',
    plant: openRedirect((redirectUri) => redirectUri.startsWith('https://foreign.')),
  },
  {
    title: 'redirect URIs compared by prefix',
    finds: 'rfc9700-redirect-uri-exact',
    plant: openRedirect((redirectUri) => /^https:.*\/callback\/deeper$/.test(redirectUri)),
  },
  {
    title: 'an error page that shows state as markup',
    finds: 'rfc6749-page-escapes-values',
    plant: distort('authorize', (answer, { query }) =>
      headerOf(answer, 'content-type').startsWith('text/html')
        ? { ...answer, body: answer.body.replace('</body>', `${query.get('state')}</body>`) }
        : answer,
    ),
  },
  {
    title: 'a description that tells which clients exist',
    finds: 'token-hides-which-clients-exist',
    plant: distort('token', (answer, { headers }) => {
      const [, basic = ''] = /^Basic (.*)/.exec(headers.authorization ?? '') ?? []
      const isUnknown = Buffer.from(basic, 'base64').toString().startsWith('cli_0000000000')
      const body = JSON.stringify({ error: 'invalid_client', error_description: 'No such client' })
      return isUnknown ? { ...answer, body } : answer
    }),
  },
  {
    title: 'an ID token with a wrong at_hash',
    finds: 'oidcc-idtoken-at-hash',
    plant: resign('RS256', (claims) => ({ ...claims, at_hash: 'A'.repeat(22) })),
  },
  {
    title: 'an ID token signed with PS256',
    finds: 'oidcc-idtoken-signature',
    plant: resign('PS256', (claims) => claims),
  },
  {
    title: 'a key of 1024 bits in the key set',
    finds: 'rfc7517-key-set',
    plant: distortJson('keys', ({ keys }) => {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
      return {
        keys: [...(keys as object[]), { ...publicKey.export({ format: 'jwk' }), kid: 'weak' }],
      }
    }),
  },
  {
    title: 'a token answer that may be stored',
    finds: 'rfc6749-no-store',
    plant: distort('token', (answer) => withHeader(answer, 'cache-control', 'private')),
  },
  {
    title: 'a POST redirected with 307',
    finds: 'rfc9700-post-redirect-303',
    plant: distort('authorize', (answer) =>
      answer.status === 303 ? { ...answer, status: 307 } : answer,
    ),
  },
  {
    title: 'metadata with an endpoint that is not there',
    finds: 'rfc9700-advertised-endpoints-answer',
    plant: distortJson('metadata', (document) => ({
      ...document,
      registration_endpoint: `${document.issuer}/register`,
    })),
  },
  {
    title: 'metadata in the second place with another issuer',
    finds: 'rfc8414-inserted-path',
    plant: distortJson(
      { path: '/.well-known/oauth-authorization-server/app-auth' },
      (document) => ({
        ...document,
        issuer: `${document.issuer}/`,
      }),
    ),
  },
  {
    title: 'introspection of a revoked token as active',
    finds: 'rfc7662-revoked-token',
    plant: keepRevokedActive,
  },
  {
    title: 'an exchange without the code_verifier',
    finds: 'rfc7636-missing-verifier',
    plant: acceptMissingVerifier,
  },
  {
    title: 'an access token taken from the query',
    finds: 'rfc6750-token-in-query',
    plant: readTokenInQuery,
  },
  {
    title: 'authorize with a CORS header',
    finds: 'rfc9700-authorize-no-cors',
    plant: distort('authorize', (answer) => withHeader(answer, 'access-control-allow-origin', '*')),
  },
]

const GROUPS = 3

/** Faults that are planted together: neighbours of the list, which distort the same answers, are apart. */
export const groupFaults = (): PlantedFault[][] =>
  Array.from({ length: GROUPS }, (_, group) =>
    PLANTED_FAULTS.filter((_, index) => index % GROUPS === group),
  )
