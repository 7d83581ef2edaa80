// Modules on access tokens after they were issued: how they may be sent, introspection, revocation.
// RFC 6750, RFC 7662, RFC 7009.
import {
  basicHeaders,
  bearerHeaders,
  isTokenAccepted,
  obtainTokens,
  postAsClient,
  randomText,
} from '../flow.ts'
import type { ConformanceModule } from '../module.ts'
import { describeAnswer, type ModuleContext } from '../module-context.ts'

const INTROSPECTION = 'The introspection endpoint.'
const REVOCATION = 'The revocation endpoint.'
const BEARER = 'The userinfo endpoint.'

const needOther = (t: ModuleContext) => t.target.otherClient ?? t.skip('There is no second client.')

async function introspect(t: ModuleContext, token: string, client = t.target.client) {
  const answer = await postAsClient(t, t.endpoint('introspection_endpoint'), { token }, client)
  t.check(answer.status === 200, 'introspection answers 200', describeAnswer(answer))
  return answer.json ?? {}
}

async function expectInactive(
  t: ModuleContext,
  token: string,
  what: string,
  client = t.target.client,
) {
  const state = await introspect(t, token, client)
  t.check(state.active === false, `${what} is not active`, JSON.stringify(state.active))
  const members = Object.keys(state)
  t.advise(members.length === 1, 'the answer has active alone', members.join(', '))
}

async function revoke(t: ModuleContext, token: string, client = t.target.client) {
  const url = t.endpoint('revocation_endpoint')
  return postAsClient(t, url, { token, token_type_hint: 'access_token' }, client)
}

/** An endpoint that needs a client answers 401 to a caller without one. */
const authenticationModule = (
  rfc: string,
  name: 'introspection_endpoint' | 'revocation_endpoint',
  source: string,
): ConformanceModule => ({
  id: `${rfc}-authentication`,
  title: `${name.replace('_endpoint', '')} without authentication is refused`,
  source,
  where: `The ${name.replace('_', ' ')}.`,
  run: async (t) => {
    const url = t.endpoint(name)
    const wrong = basicHeaders({ ...t.target.client, secret: randomText(32) })
    for (const headers of [{}, wrong]) {
      const answer = await t.send(url, { form: { token: randomText(32) }, headers })
      const isRefused = [400, 401].includes(answer.status)
      t.check(isRefused, 'the caller is refused', describeAnswer(answer))
      t.advise(answer.status === 401, 'the status is 401', `${answer.status}`)
    }
  },
})

export const TOKEN_USE_MODULES: readonly ConformanceModule[] = [
  {
    id: 'rfc6750-no-token',
    title: 'userinfo without a token gets 401 and a Bearer challenge',
    source: 'RFC 6750, 3 and 3.1',
    where: BEARER,
    run: async (t) => {
      const url = t.endpoint('userinfo_endpoint')
      for (const headers of [{}, bearerHeaders(randomText(32))]) {
        const answer = await t.send(url, { headers })
        const isRefused =
          answer.status === 401 || (t.target.kind === 'peer' && answer.status === 400)
        t.check(isRefused, 'userinfo answers 401', describeAnswer(answer))
        t.advise(answer.status === 401, 'the status is 401', `${answer.status}`)
        const challenge = answer.headers.get('www-authenticate') ?? 'none'
        t.check(/^Bearer\b/i.test(challenge), 'the challenge is Bearer', challenge)
      }
    },
  },
  {
    id: 'rfc6750-token-in-query',
    title: 'userinfo refuses a token in the query',
    source: 'RFC 6750, 2.3; RFC 9700, 4.3.2',
    where: BEARER,
    run: async (t) => {
      const { accessToken } = await obtainTokens(t)
      const query = new URLSearchParams({ access_token: accessToken })
      const answer = await t.send(`${t.endpoint('userinfo_endpoint')}?${query}`)
      const isRefused = answer.status >= 400 && answer.status < 500
      t.check(isRefused, 'userinfo refuses it', describeAnswer(answer))
    },
  },
  {
    id: 'rfc8725-id-token-is-no-access-token',
    title: 'userinfo refuses an ID token',
    source: 'RFC 8725, 3.11 and 3.12',
    where: BEARER,
    run: async (t) => {
      const { idToken } = await obtainTokens(t)
      const url = t.endpoint('userinfo_endpoint')
      const answer = await t.send(url, { headers: bearerHeaders(idToken) })
      t.check(answer.status === 401, 'userinfo answers 401', describeAnswer(answer))
    },
  },
  {
    id: 'rfc7662-active-token',
    title: 'introspection shows a live token to its client',
    source: 'RFC 7662, 2.2',
    where: INTROSPECTION,
    run: async (t) => {
      t.endpoint('introspection_endpoint')
      const { accessToken } = await obtainTokens(t)
      const state = await introspect(t, accessToken)
      t.equal(state.active, true, 'active')
      t.equal(state.client_id, t.target.client.id, 'client_id')
      const { exp } = state
      const isLive = typeof exp === 'number' && exp > Date.now() / 1000
      t.check(isLive, 'exp is in the future', JSON.stringify(exp))
      const missing = ['scope', 'sub', 'iss'].filter((name) => state[name] === undefined)
      t.advise(missing.length === 0, 'scope, sub and iss are there', `no ${missing.join(', ')}`)
    },
  },
  {
    id: 'rfc7662-unknown-token',
    title: 'introspection says only that an unknown token is not active',
    source: 'RFC 7662, 2.2',
    where: INTROSPECTION,
    run: (t) => expectInactive(t, randomText(32), 'an unknown token'),
  },
  {
    id: 'rfc7662-revoked-token',
    title: 'introspection says that a revoked token is not active',
    source: 'RFC 7662, 2.2; RFC 7009, 2.1',
    where: INTROSPECTION,
    run: async (t) => {
      t.endpoint('introspection_endpoint')
      t.endpoint('revocation_endpoint')
      const { accessToken } = await obtainTokens(t)
      await revoke(t, accessToken)
      await expectInactive(t, accessToken, 'a revoked token')
    },
  },
  {
    id: 'rfc7662-token-of-another-client',
    title: 'introspection shows no token of another client',
    source: 'RFC 7662, 2.2 and 4',
    where: INTROSPECTION,
    only: 'chartside',
    run: async (t) => {
      const client = needOther(t)
      const { accessToken } = await obtainTokens(t)
      await expectInactive(t, accessToken, 'a token of another client', client)
    },
  },
  authenticationModule('rfc7662', 'introspection_endpoint', 'RFC 7662, 2.1'),
  {
    id: 'rfc7009-revocation',
    title: 'a revoked access token is dead at once',
    source: 'RFC 7009, 2.1 and 2.2',
    where: REVOCATION,
    run: async (t) => {
      t.endpoint('revocation_endpoint')
      const { accessToken } = await obtainTokens(t)
      t.check(await isTokenAccepted(t, accessToken), 'the token works', 'it is refused')
      const answer = await revoke(t, accessToken)
      t.check(answer.status === 200, 'revocation answers 200', describeAnswer(answer))
      t.check(!(await isTokenAccepted(t, accessToken)), 'the token is dead', 'it still works')
      const again = await revoke(t, accessToken)
      t.check(again.status === 200, 'revoking it again answers 200', describeAnswer(again))
    },
  },
  {
    id: 'rfc7009-unknown-token',
    title: 'revoking an unknown token answers 200',
    source: 'RFC 7009, 2.2',
    where: REVOCATION,
    run: async (t) => {
      const answer = await revoke(t, randomText(32))
      t.check(answer.status === 200, 'revocation answers 200', describeAnswer(answer))
    },
  },
  {
    id: 'rfc7009-token-of-another-client',
    title: 'a client cannot revoke the token of another',
    source: 'RFC 7009, 2.1',
    where: REVOCATION,
    run: async (t) => {
      const client = needOther(t)
      t.endpoint('revocation_endpoint')
      const { accessToken } = await obtainTokens(t)
      await revoke(t, accessToken, client)
      t.check(await isTokenAccepted(t, accessToken), 'the token still works', 'it is dead')
    },
  },
  authenticationModule('rfc7009', 'revocation_endpoint', 'RFC 7009, 2.1'),
]
