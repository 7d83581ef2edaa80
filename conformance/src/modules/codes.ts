// Modules on authorization codes: single use, bound to client and verifier, answered with iss and
// nothing else. RFC 6749 4.1, RFC 7636, RFC 9207, RFC 9700 2.1 and 4.
import { expectAuthorizeError, expectTokenError } from '../expectations.ts'
import {
  authorize,
  challengeOf,
  exchange,
  isTokenAccepted,
  obtainCode,
  randomText,
  receiveTokens,
} from '../flow.ts'
import type { ConformanceModule } from '../module.ts'
import { describeAnswer, type ModuleContext } from '../module-context.ts'

const CODE = 'How the token endpoint redeems a code.'
const PKCE = 'How code_challenge and code_verifier are compared.'
const ISS = 'The redirects of authorize, and the issuer that the service is set to.'

function needPkce(t: ModuleContext): void {
  if (t.metadata.code_challenge_methods_supported?.includes('S256')) return
  t.skip('The metadata does not list the challenge method S256.')
}

/** Exchanges a code whose challenge belongs to `verifier`, with other values. */
async function exchangeWithVerifier(t: ModuleContext, verifier: string, sent: string | undefined) {
  const grant = await obtainCode(t, {
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  })
  return exchange(t, grant, { code_verifier: sent })
}

const issOf = (parameters: URLSearchParams | undefined) => parameters?.get('iss') ?? undefined

function needIss(t: ModuleContext): void {
  if (t.metadata.authorization_response_iss_parameter_supported === true) return
  t.skip('The metadata does not have authorization_response_iss_parameter_supported.')
}

export const CODE_MODULES: readonly ConformanceModule[] = [
  {
    id: 'oidcc-codereuse',
    title: 'a code that is used twice at once is refused',
    source: 'RFC 6749, 4.1.2 and 10.5',
    where: CODE,
    run: async (t) => {
      const grant = await obtainCode(t)
      receiveTokens(t, grant, await exchange(t, grant))
      const again = await exchange(t, grant)
      expectTokenError(t, again, ['invalid_grant'], 'the second use of a code')
    },
  },
  {
    id: 'oidcc-codereuse-30seconds',
    title: 'a code that is used again later is refused and its token revoked',
    source: 'RFC 6749, 4.1.2; RFC 9700, 4.5.2',
    where: CODE,
    run: async (t) => {
      const grant = await obtainCode(t)
      const { accessToken } = receiveTokens(t, grant, await exchange(t, grant))
      t.check(await isTokenAccepted(t, accessToken), 'the access token works', 'it is refused')
      await t.wait(t.codeReuseWaitSeconds)
      const again = await exchange(t, grant)
      expectTokenError(t, again, ['invalid_grant'], 'the second use of a code')
      const isDead = !(await isTokenAccepted(t, accessToken))
      t.advise(isDead, 'the access token of the first use is revoked', 'it still works')
    },
  },
  {
    id: 'rfc6749-code-bound-to-client',
    title: 'a code is of no use to another client',
    source: 'RFC 6749, 4.1.3',
    where: CODE,
    run: async (t) => {
      const client = t.target.otherClient ?? t.skip('There is no second client.')
      const grant = await obtainCode(t)
      const answer = await exchange(t, grant, {}, { client })
      expectTokenError(t, answer, ['invalid_grant'], 'a code of another client')
    },
  },
  {
    id: 'rfc6749-unknown-code',
    title: 'a code that was never issued is refused',
    source: 'RFC 6749, 5.2',
    where: CODE,
    run: async (t) => {
      const grant = await obtainCode(t)
      const answer = await exchange(t, { ...grant, code: randomText(32) })
      expectTokenError(t, answer, ['invalid_grant'], 'an unknown code')
    },
  },
  {
    id: 'oidcc-ensure-request-with-valid-pkce-succeeds',
    title: 'a flow with PKCE succeeds',
    source: 'RFC 7636, 4; RFC 9700, 2.1.1',
    where: PKCE,
    run: async (t) => {
      needPkce(t)
      for (const verifier of [randomText(32), `-._~${'a'.repeat(124)}`]) {
        const answer = await exchangeWithVerifier(t, verifier, verifier)
        t.check(answer.status === 200, 'the exchange succeeds', describeAnswer(answer))
      }
    },
  },
  {
    id: 'rfc7636-wrong-verifier',
    title: 'a wrong code_verifier is refused',
    source: 'RFC 7636, 4.6',
    where: PKCE,
    run: async (t) => {
      needPkce(t)
      const answer = await exchangeWithVerifier(t, randomText(32), randomText(32))
      expectTokenError(t, answer, ['invalid_grant'], 'a wrong code_verifier')
    },
  },
  {
    id: 'rfc7636-missing-verifier',
    title: 'a missing code_verifier is refused',
    source: 'RFC 7636, 4.6',
    where: PKCE,
    run: async (t) => {
      needPkce(t)
      const answer = await exchangeWithVerifier(t, randomText(32), undefined)
      expectTokenError(t, answer, ['invalid_grant', 'invalid_request'], 'no code_verifier')
    },
  },
  {
    id: 'rfc7636-verifier-syntax',
    title: 'a code_verifier outside the syntax is refused',
    source: 'RFC 7636, 4.1',
    where: PKCE,
    run: async (t) => {
      needPkce(t)
      for (const verifier of ['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(42)}€`]) {
        const answer = await exchangeWithVerifier(t, verifier, verifier)
        const what = `a verifier of ${verifier.length} characters`
        expectTokenError(t, answer, ['invalid_grant', 'invalid_request'], what)
      }
    },
  },
  {
    id: 'rfc9700-challenge-method-plain',
    title: 'the challenge method plain is refused unless it is listed',
    source: 'RFC 9700, 2.1.1; RFC 7636, 4.4.1',
    where: PKCE,
    run: async (t) => {
      needPkce(t)
      t.advise(
        !t.metadata.code_challenge_methods_supported?.includes('plain'),
        'the metadata does not list plain',
        'it does',
      )
      if (t.metadata.code_challenge_methods_supported?.includes('plain')) return
      const verifier = randomText(32)
      for (const method of ['plain', undefined]) {
        const challenge = { code_challenge: verifier, code_challenge_method: method }
        const attempt = await authorize(t, challenge, { withoutPkce: true })
        expectAuthorizeError(t, attempt, ['invalid_request'])
      }
    },
  },
  {
    id: 'rfc9700-pkce-downgrade',
    title: 'a code_verifier without an earlier code_challenge is refused',
    source: 'RFC 9700, 2.1.1 and 4.8.2',
    where: PKCE,
    run: async (t) => {
      needPkce(t)
      const attempt = await authorize(t, {}, { withoutPkce: true })
      if (attempt.landing.kind === 'redirect' && attempt.landing.url.searchParams.has('error')) {
        expectAuthorizeError(t, attempt, ['invalid_request'])
        return t.note('The service requires PKCE.')
      }
      const grant = await obtainCode(t, {}, { withoutPkce: true })
      const answer = await exchange(t, grant, { code_verifier: randomText(32) })
      expectTokenError(t, answer, ['invalid_grant', 'invalid_request'], 'a verifier alone')
    },
  },
  {
    id: 'rfc9207-iss-in-success',
    title: 'a success redirect has the issuer as iss',
    source: 'RFC 9207, 2',
    where: ISS,
    run: async (t) => {
      needIss(t)
      t.equal(issOf((await obtainCode(t)).response), t.target.issuer, 'iss')
    },
  },
  {
    id: 'rfc9207-iss-in-error',
    title: 'an error redirect has the issuer as iss',
    source: 'RFC 9207, 2',
    where: ISS,
    run: async (t) => {
      needIss(t)
      const { landing } = await authorize(t, { response_type: 'unknown' })
      if (landing.kind === 'page') return t.skip('The error came on a page, without a redirect.')
      t.equal(issOf(landing.url.searchParams), t.target.issuer, 'iss')
    },
  },
  {
    id: 'rfc9700-implicit-refused',
    title: 'implicit and hybrid response types yield no token',
    source: 'RFC 9700, 2.1.2',
    where: 'The response types of the service and of the client.',
    run: async (t) => {
      for (const type of ['token', 'id_token', 'id_token token', 'code id_token']) {
        const attempt = await authorize(t, { response_type: type })
        const errors = ['unsupported_response_type', 'unauthorized_client', 'invalid_request']
        expectAuthorizeError(t, attempt, errors, { orPage: true })
      }
    },
  },
  {
    id: 'rfc9700-post-redirect-303',
    title: 'authorize answers a POST with 303',
    source: 'RFC 9700, 4.12',
    where: 'The status of the redirects of authorize.',
    run: async (t) => {
      const { landing } = await authorize(t, {}, { method: 'POST' })
      const { status } = landing.answer
      t.check(![307, 308].includes(status), 'the redirect is neither 307 nor 308', `${status}`)
      t.advise(status === 303, 'the redirect is 303', `${status}`)
    },
  },
  {
    id: 'rfc9700-authorize-no-cors',
    title: 'authorize lets no page read its answers',
    source: 'RFC 9700, 2.6',
    where: 'The CORS settings of the service and of the proxy in front of it.',
    run: async (t) => {
      const origin = { headers: { origin: 'https://page.conformance.example' } }
      const answer = await t.send(t.metadata.authorization_endpoint, origin)
      t.equal(answer.headers.get('access-control-allow-origin'), null, 'the CORS header')
    },
  },
]
