// Modules of the Basic OP plan on the complete flow: answer, ID token, userinfo, scopes. Each ID
// token rule that can break by itself has its own module. OpenID Connect Core 3.1, 5.3, 5.4.
import { bearerHeaders, exchange, obtainCode, obtainTokens, receiveTokens } from '../flow.ts'
import { checkClaims, checkSignature, decodeIdToken, leftHalfHash } from '../id-token.ts'
import type { ConformanceModule } from '../module.ts'
import { describeAnswer, type ModuleContext } from '../module-context.ts'

const ID_TOKEN = 'What the service puts into ID tokens, and the key that signs them.'
const USERINFO = 'The userinfo endpoint.'

/** Estimates the Shannon entropy of a text from below, in bits: how random it is. */
export function estimateEntropyBits(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  const each = [...counts.values()].map((count) => {
    const share = count / text.length
    return -share * Math.log2(share)
  })
  return each.reduce((sum, bits) => sum + bits, 0) * text.length
}

async function completeFlow(t: ModuleContext): Promise<void> {
  const grant = await obtainCode(t)
  const { code, parameters } = grant
  t.equal(grant.response.get('state'), parameters.get('state'), 'state')
  const bits = Math.round(estimateEntropyBits(code))
  t.check(code.length * 6 >= 128 && bits >= 96, 'the code has 128 bits, 96 by estimate', `${bits}`)
  const { answer, accessToken, idToken } = receiveTokens(t, grant, await exchange(t, grant))
  const { token_type: type, expires_in: seconds } = answer.json ?? {}
  t.check(/^bearer$/i.test(String(type)), 'token_type is Bearer', JSON.stringify(type))
  const isLifetime = Number.isInteger(seconds) && Number(seconds) > 0
  t.check(isLifetime, 'expires_in is a positive integer', JSON.stringify(seconds))
  const { claims } = decodeIdToken(t, idToken)
  const nonce = parameters.get('nonce') ?? undefined
  checkClaims(t, claims, { nonce, clientId: grant.client.id })
  const personal = ['name', 'email', 'phone_number', 'address', 'birthdate'].filter(
    (name) => name in claims,
  )
  t.check(personal.length === 0, 'no personal claim without its scope', personal.join(', '))
  await checkUserinfo(t, claims.sub, { headers: bearerHeaders(accessToken) })
}

async function checkUserinfo(
  t: ModuleContext,
  sub: string | undefined,
  options: Parameters<ModuleContext['send']>[1],
): Promise<void> {
  const answer = await t.send(t.endpoint('userinfo_endpoint'), options)
  t.check(answer.status === 200, 'userinfo answers 200', describeAnswer(answer))
  t.equal(answer.json?.sub, sub, 'sub of userinfo')
}

const userinfoModule = (
  id: string,
  title: string,
  send: (accessToken: string) => Parameters<ModuleContext['send']>[1],
): ConformanceModule => ({
  id: `oidcc-userinfo-${id}`,
  title,
  source: 'OpenID Connect Core, 5.3.1; RFC 6750, 2',
  where: USERINFO,
  run: async (t) => {
    const { idToken, accessToken } = await obtainTokens(t)
    await checkUserinfo(t, decodeIdToken(t, idToken).claims.sub, send(accessToken))
  },
})

/** Claims that come with a scope, OpenID Connect Core 5.4. */
const scopeModule = (scope: string, claims: readonly string[]): ConformanceModule => ({
  id: `oidcc-scope-${scope}`,
  title: `the scope ${scope} is granted with its claims, or not at all`,
  source: 'OpenID Connect Core, 5.4; RFC 6749, 3.3',
  where: 'scopes_supported in the metadata, and what userinfo answers for the scope.',
  run: async (t) => {
    const wanted = [...t.target.scopes, scope].join(' ')
    const { accessToken, answer } = await obtainTokens(t, { scope: wanted })
    const { scope: granted = wanted } = answer.json ?? {}
    const userinfo = await t.send(t.endpoint('userinfo_endpoint'), {
      headers: bearerHeaders(accessToken),
    })
    const found = claims.filter((claim) => userinfo.json?.[claim] !== undefined)
    if (t.metadata.scopes_supported?.includes(scope) === false) {
      t.check(!String(granted).split(' ').includes(scope), 'the scope is not granted', `${granted}`)
      t.check(found.length === 0, 'its claims are not in userinfo', found.join(', '))
      t.skip(`The metadata does not list the scope ${scope}; it is proved that it is not granted.`)
    }
    t.check(String(granted).split(' ').includes(scope), 'the scope is granted', `${granted}`)
    t.advise(found.length > 0, `userinfo has ${claims.join(' or ')}`, 'none of them')
  },
})

export const BASIC_FLOW_MODULES: readonly ConformanceModule[] = [
  {
    id: 'oidcc-server',
    title: 'the complete code flow ends in correct tokens and userinfo',
    source: 'OpenID Connect Core, 3.1; RFC 6749, 4.1 and 10.10',
    where: 'The authorize and token endpoints, and the claims of ID tokens.',
    run: completeFlow,
  },
  {
    id: 'oidcc-idtoken-signature',
    title: 'the ID token is signed with RS256 by a published key',
    source: 'OpenID Connect Core, 2 and 10.1; RFC 8725, 3.1',
    where: ID_TOKEN,
    run: async (t) => {
      const { idToken } = await obtainTokens(t)
      const { header } = decodeIdToken(t, idToken)
      t.equal(header.alg, 'RS256', 'alg')
      t.check(typeof header.kid === 'string', 'the header has a kid', JSON.stringify(header))
      const { typ = 'JWT' } = header
      t.check(typ === 'JWT', 'typ is JWT or absent', typ)
      await checkSignature(t, idToken)
    },
  },
  {
    id: 'idtoken-registered-algorithm',
    title: 'an app that registered ES256 gets its ID tokens signed with ES256',
    source: 'OpenID Connect Dynamic Client Registration 1.0, 2',
    where: ID_TOKEN,
    run: async (t) => {
      const { otherClient } = t.target
      const client =
        otherClient?.idTokenSignedResponseAlg === 'ES256'
          ? otherClient
          : t.skip('No app has registered ES256; the first one would leave a key in the key set.')
      const { idToken } = await obtainTokens(t, {}, { client })
      t.equal(decodeIdToken(t, idToken).header.alg, 'ES256', 'alg')
      await checkSignature(t, idToken)
    },
  },
  {
    id: 'oidcc-idtoken-at-hash',
    title: 'at_hash of the ID token fits the access token',
    source: 'OpenID Connect Core, 3.1.3.6',
    where: ID_TOKEN,
    run: async (t) => {
      const { idToken, accessToken } = await obtainTokens(t)
      const { header, claims } = decodeIdToken(t, idToken)
      if (claims.at_hash === undefined) return t.note('There is no at_hash, which is allowed.')
      t.equal(claims.at_hash, leftHalfHash(header.alg, accessToken), 'at_hash')
    },
  },
  {
    id: 'oidcc-idtoken-unsigned',
    title: 'an ID token without signature is never issued unasked',
    source: 'OpenID Connect Core, 2; RFC 8725, 3.2',
    where: ID_TOKEN,
    run: async (t) => {
      const supported = t.metadata.id_token_signing_alg_values_supported ?? []
      const { idToken } = await obtainTokens(t)
      const { header } = decodeIdToken(t, idToken)
      t.check(header.alg !== 'none', 'alg is not none', `${header.alg}`)
      if (supported.includes('none')) return
      t.skip('The metadata does not list the algorithm none; the ID token is signed.')
    },
  },
  userinfoModule('get', 'userinfo takes the token by GET', (token) => ({
    headers: bearerHeaders(token),
  })),
  userinfoModule('post-header', 'userinfo takes the token by POST in the header', (token) => ({
    method: 'POST',
    headers: bearerHeaders(token),
  })),
  userinfoModule('post-body', 'userinfo takes the token by POST in the body', (token) => ({
    form: { access_token: token },
  })),
  {
    id: 'oidcc-ensure-request-without-nonce-succeeds-for-code-flow',
    title: 'a request without nonce succeeds, and the ID token has none',
    source: 'OpenID Connect Core, 3.1.2.1',
    where: ID_TOKEN,
    run: async (t) => {
      const { idToken } = await obtainTokens(t, { nonce: undefined })
      t.equal(decodeIdToken(t, idToken).claims.nonce, undefined, 'nonce')
    },
  },
  scopeModule('profile', ['name', 'preferred_username', 'given_name']),
  scopeModule('email', ['email']),
  scopeModule('address', ['address']),
  scopeModule('phone', ['phone_number']),
  {
    id: 'oidcc-scope-all',
    title: 'all standard scopes together are served as far as they are listed',
    source: 'OpenID Connect Core, 5.4',
    where: 'scopes_supported in the metadata.',
    run: async (t) => {
      const all = ['profile', 'email', 'address', 'phone']
      const wanted = [...t.target.scopes, ...all].join(' ')
      const { answer } = await obtainTokens(t, { scope: wanted })
      const granted = String(answer.json?.scope ?? wanted).split(' ')
      const supported = t.metadata.scopes_supported ?? all
      for (const scope of all) {
        t.equal(granted.includes(scope), supported.includes(scope), `whether ${scope} is granted`)
      }
      const missing = all.filter((scope) => !supported.includes(scope))
      if (missing.length > 0) {
        t.skip(`The metadata does not list ${missing.join(' and ')}; what it lists is granted.`)
      }
    },
  },
]
