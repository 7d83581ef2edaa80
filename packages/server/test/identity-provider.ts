// A real OpenID Connect provider for the tests, on loopback: the npm package oidc-provider with one
// client, ours, which must use PKCE. It signs every visitor in as the account that the test has set.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

export interface ProviderPerson {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

export interface TestProvider {
  readonly issuer: string
  /** The account that signs in; undefined: the user refuses. */
  person: ProviderPerson | undefined
  /** When the account has authenticated, in seconds since 1970; undefined: now. */
  authenticatedAt?: number | undefined
  /** Its own signing key. */
  readonly key: KeyObject
  /** Signs the ID tokens in place of the provider's own key. */
  forger?: KeyObject | undefined
  /** Stand in every ID token in place of the right ones. */
  claims?: JWTPayload | undefined
  /** The parameters of the last authorization request. */
  asked?: URLSearchParams
  /** Follows the redirects of the provider from the authorization URL to the callback URL. */
  visit(url: string): Promise<string>
  stop(): Promise<void>
}

export const CLIENT = { id: 'chartside', secret: 'a secret of the test client' }

/** @param redirectUri those below it are registered too: that of an account has an identifier in it */
export async function startProvider(redirectUri: string): Promise<TestProvider> {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(http.address() as AddressInfo).port}`
  const people = new Map<string, ProviderPerson>()
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: () => '/interaction' },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: async () => ({ ...people.get(sub), sub }),
    }),
  })
  provider.Client.prototype.redirectUriAllowed = (uri) =>
    uri === redirectUri || uri.startsWith(`${redirectUri}/`)
  provider.use(async (context, next) => {
    if (context.path === '/auth') test.asked = new URLSearchParams(context.querystring)
    await next()
    const body = context.body as { id_token?: string } | undefined
    const isForged = test.forger !== undefined || test.claims !== undefined
    if (context.path !== '/token' || !isForged || !body?.id_token) return
    const signer = new SignJWT({ ...decodeJwt(body.id_token), ...test.claims })
    const { kid = '' } = decodeProtectedHeader(body.id_token)
    const forged = await signer.setProtectedHeader({ alg: 'RS256', kid }).sign(test.forger ?? key)
    context.body = { ...body, id_token: forged }
  })
  const callback = provider.callback()
  http.on('request', async (request, response) => {
    if (request.url !== '/interaction') return callback(request, response)
    const { person } = test
    if (!person) {
      const refusal = { error: 'access_denied', error_description: 'The user refused' }
      return provider.interactionFinished(request, response, refusal)
    }
    people.set(person.sub, person)
    const { prompt, params } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login') {
      const ts = test.authenticatedAt
      const login = { login: { accountId: person.sub, ...(ts === undefined ? {} : { ts }) } }
      return provider.interactionFinished(request, response, login)
    }
    const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    const consent = { consent: { grantId: await grant.save() } }
    return provider.interactionFinished(request, response, consent)
  })

  const test: TestProvider = {
    issuer,
    key,
    person: undefined,
    async visit(url) {
      const cookies = new Map<string, string>()
      let next = url
      for (let hops = 0; hops < 10; hops++) {
        const answer = await fetch(next, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        })
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          cookies.set(name, value)
        }
        const location = answer.headers.get('location')
        if (!location) throw new Error(`${next}: ${answer.status} ${await answer.text()}`)
        next = new URL(location, next).href
        if (next.startsWith(redirectUri)) return next
      }
      throw new Error('the provider redirects in a loop')
    },
    async stop() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return test
}
