// Modules on what Chartside promises beyond the standards: JSON at the token endpoint, answers that
// tell a stranger nothing, launches and tokens that end with the sign-in. docs/inside/spec/protocol.md 4.2,
// docs/inside/spec/security.md T02, T04, T15, C06, L04.
import { expectAuthorizeError } from '../expectations.ts'
import {
  authorize,
  exchange,
  isTokenAccepted,
  obtainCode,
  obtainTokens,
  postAsClient,
  randomText,
  receiveTokens,
} from '../flow.ts'
import type { ConformanceModule } from '../module.ts'

const TOKEN = 'The token endpoint.'

export const BEYOND_STANDARDS_MODULES: readonly ConformanceModule[] = [
  {
    id: 'token-takes-json',
    title: 'the token endpoint takes JSON',
    source: 'Protocol 4.2; security T02',
    where: TOKEN,
    only: 'chartside',
    run: async (t) => {
      const grant = await obtainCode(t)
      const answer = await t.send(t.metadata.token_endpoint, {
        json: {
          grant_type: 'authorization_code',
          code: grant.code,
          client_id: grant.client.id,
          client_secret: grant.client.secret,
          ...(grant.verifier ? { code_verifier: grant.verifier } : {}),
        },
      })
      receiveTokens(t, grant, answer)
    },
  },
  {
    id: 'token-no-cors',
    title: 'the token endpoint lets no page read its answers',
    source: 'Security T15',
    where: 'The CORS settings of the service and of the proxy in front of it.',
    only: 'chartside',
    run: async (t) => {
      const headers = {
        origin: 'https://page.conformance.example',
        'access-control-request-method': 'POST',
      }
      for (const method of ['OPTIONS', 'POST']) {
        const answer = await t.send(t.metadata.token_endpoint, { method, headers })
        t.equal(answer.headers.get('access-control-allow-origin'), null, `CORS of ${method}`)
      }
    },
  },
  {
    id: 'token-hides-which-clients-exist',
    title: 'an unknown client and a wrong secret get the same answer',
    source: 'Security T04',
    where: 'How the token endpoint authenticates clients.',
    only: 'chartside',
    run: async (t) => {
      const body = { grant_type: 'authorization_code', code: randomText(32) }
      const secret = randomText(32)
      const clients = [
        { ...t.target.client, secret },
        { ...t.target.client, id: 'cli_00000000000000000000000000000000', secret },
      ]
      const shown: string[] = []
      for (const client of clients) {
        const answer = await postAsClient(t, t.metadata.token_endpoint, body, client)
        const { error, error_description: description } = answer.json ?? {}
        shown.push(JSON.stringify([answer.status, error, description]))
      }
      t.equal(shown[1], shown[0], 'the answer to an unknown client')
    },
  },
  {
    id: 'code-of-a-stranger',
    title: 'another client with a spent code revokes nothing',
    source: 'Security C06',
    where: 'What the token endpoint does with a spent code.',
    only: 'chartside',
    run: async (t) => {
      const client = t.target.otherClient ?? t.skip('There is no second client.')
      const { grant, accessToken } = await obtainTokens(t)
      const answer = await exchange(t, grant, {}, { client })
      t.equal(answer.json?.error, 'invalid_grant', 'the error')
      t.check(await isTokenAccepted(t, accessToken), 'the token still works', 'it is dead')
    },
  },
  {
    id: 'sign-out-ends-launches',
    title: 'signing out ends launches and access tokens',
    source: 'Protocol 8; security L04, C11',
    where: 'What a sign-out ends.',
    only: 'chartside',
    run: async (t) => {
      const agent = await t.target.newUserAgent({ isSeparate: true })
      const { accessToken } = await obtainTokens(t, {}, { agent })
      const preparation = await agent.prepare(t.target.client)
      t.check(await isTokenAccepted(t, accessToken), 'the token works', 'it is refused')
      await agent.signOut()
      t.check(!(await isTokenAccepted(t, accessToken)), 'the token is dead', 'it still works')
      const attempt = await authorize(t, {}, { agent, preparation })
      expectAuthorizeError(t, attempt, ['access_denied', 'login_required'])
    },
  },
]
