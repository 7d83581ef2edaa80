// Modules on private_key_jwt: a client that signs for itself, each assertion once, and the claims, keys and
// algorithms that must not authenticate. Skipped where the metadata does not list it, or the client has no
// key. RFC 7521 4.2, RFC 7523 3, OpenID Connect Core 9, RFC 8414 2.
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { expectTokenError } from '../expectations.ts'
import { exchange, obtainCode, postForm, randomText, receiveTokens } from '../flow.ts'
import type { ConformanceModule } from '../module.ts'
import type { ModuleContext } from '../module-context.ts'
import type { ClientKey } from '../target.ts'

const ASSERTIONS = 'How the token endpoint checks client_assertion.'
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

type Claims = Readonly<Record<string, unknown>>

function requireKey(t: ModuleContext): ClientKey {
  const methods = t.metadata.token_endpoint_auth_methods_supported ?? []
  if (!methods.includes('private_key_jwt')) t.skip('The metadata does not list private_key_jwt.')
  const { key } = t.target.client
  return key ?? t.skip('The client of this run has no key.')
}

function claimsFor({ target }: ModuleContext, changes: Claims = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000)
  const { id } = target.client
  const all = { iss: id, sub: id, aud: target.issuer, iat: now, exp: now + 60, jti: randomText(16) }
  return { ...all, ...changes }
}

const sign = (claims: Record<string, unknown>, { alg, kid, privateKey }: ClientKey) =>
  new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey)

const byAssertion = (assertion: string) => ({
  client_assertion_type: TYPE,
  client_assertion: assertion,
})

/** A request whose client is checked before its code. */
const present = (t: ModuleContext, assertion: string, more: Record<string, string> = {}) =>
  postForm(t, t.metadata.token_endpoint, {
    ...{ grant_type: 'authorization_code', code: randomText(32) },
    ...byAssertion(assertion),
    ...more,
  })

export const CLIENT_ASSERTION_MODULES: readonly ConformanceModule[] = [
  {
    id: 'rfc7523-private-key-jwt',
    title: 'a client authenticates with a signed assertion',
    source: 'RFC 7523, 2.2; OpenID Connect Core, 9',
    where: ASSERTIONS,
    run: async (t) => {
      const key = requireKey(t)
      const grant = await obtainCode(t)
      const assertion = await sign(claimsFor(t), key)
      const answer = await exchange(t, grant, byAssertion(assertion), { method: 'none' })
      receiveTokens(t, grant, answer)
    },
  },
  {
    id: 'rfc7523-assertion-once',
    title: 'an assertion authenticates once',
    source: 'RFC 7523, 3 (7); OpenID Connect Core, 9',
    where: ASSERTIONS,
    run: async (t) => {
      const assertion = await sign(claimsFor(t), requireKey(t))
      const first = await present(t, assertion)
      expectTokenError(t, first, ['invalid_grant'], 'the first use, with an unknown code')
      const again = await present(t, assertion)
      expectTokenError(t, again, ['invalid_client'], 'the second use')
    },
  },
  {
    id: 'rfc7523-assertion-claims',
    title: 'an assertion for another server, client or time is refused',
    source: 'RFC 7523, 3',
    where: ASSERTIONS,
    run: async (t) => {
      const key = requireKey(t)
      const now = Math.floor(Date.now() / 1000)
      const wrong: Readonly<Record<string, Claims>> = {
        'the audience of another server': { aud: 'https://other.example' },
        'no audience': { aud: undefined },
        'another issuer': { iss: randomText(16) },
        'another subject': { sub: randomText(16) },
        'an end in the past': { iat: now - 900, exp: now - 600 },
        'no end': { exp: undefined },
        'a beginning in the future': { nbf: now + 600, exp: now + 660 },
      }
      for (const [what, changes] of Object.entries(wrong)) {
        const answer = await present(t, await sign(claimsFor(t, changes), key))
        expectTokenError(t, answer, ['invalid_client'], what)
      }
    },
  },
  {
    id: 'rfc7523-assertion-signature',
    title: 'an assertion that no key of the client has signed is refused',
    source: 'RFC 7523, 3 (9); RFC 8725, 3.1 and 3.2',
    where: ASSERTIONS,
    run: async (t) => {
      const key = requireKey(t)
      const { privateKey } = await generateKeyPair(key.alg)
      const foreign = await sign(claimsFor(t), { ...key, privateKey })
      expectTokenError(t, await present(t, foreign), ['invalid_client'], 'a foreign key')
      const unsigned = new UnsecuredJWT(claimsFor(t)).encode()
      expectTokenError(t, await present(t, unsigned), ['invalid_client'], 'alg none')
      const secret = new TextEncoder().encode(t.target.client.secret)
      const symmetric = await new SignJWT(claimsFor(t))
        .setProtectedHeader({ alg: 'HS256', kid: key.kid })
        .sign(secret)
      expectTokenError(t, await present(t, symmetric), ['invalid_client'], 'HS256')
    },
  },
  {
    id: 'rfc7523-assertion-beside-a-secret',
    title: 'an assertion beside a client secret is refused',
    source: 'RFC 6749, 2.3',
    where: ASSERTIONS,
    run: async (t) => {
      const assertion = await sign(claimsFor(t), requireKey(t))
      const { id, secret } = t.target.client
      const answer = await present(t, assertion, { client_id: id, client_secret: secret })
      expectTokenError(t, answer, ['invalid_request', 'invalid_client'], 'two methods')
    },
  },
  {
    id: 'rfc8414-assertion-algorithms',
    title: 'the metadata lists the algorithms of assertions, and not none',
    source: 'RFC 8414, 2',
    where: 'The metadata of the issuer.',
    run: async (t) => {
      const methods = t.metadata.token_endpoint_auth_methods_supported ?? []
      if (!methods.includes('private_key_jwt')) t.skip('private_key_jwt is not listed.')
      const listed = t.metadata.token_endpoint_auth_signing_alg_values_supported
      const algorithms = Array.isArray(listed) ? listed.map(String) : []
      t.check(algorithms.length > 0, 'the algorithms are listed', JSON.stringify(listed))
      t.check(!algorithms.includes('none'), 'none is not among them', algorithms.join(' '))
    },
  },
]
