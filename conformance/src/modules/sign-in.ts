// Modules of the Basic OP plan on the person behind the request: prompt, max_age, id_token_hint. A
// service that cannot show a sign-in page in the flow (a launch in a frame) may answer with the
// error instead. OpenID Connect Core 3.1.2.1, 3.1.2.6, 2.
import { errorParameters, expectAuthorizeError } from '../expectations.ts'
import {
  type Attempt,
  authorize,
  exchange,
  obtainTokens,
  receiveCode,
  receiveTokens,
} from '../flow.ts'
import { decodeIdToken } from '../id-token.ts'
import type { ConformanceModule } from '../module.ts'
import type { ModuleContext } from '../module-context.ts'

const PROMPT = 'How authorize handles prompt.'
const MAX_AGE = 'How authorize handles max_age, and auth_time in ID tokens.'

const SIGN_IN_ERRORS = [
  ...['login_required', 'interaction_required', 'account_selection_required'],
  ...['consent_required'],
]

async function claimsOf(t: ModuleContext, attempt: Attempt) {
  const grant = receiveCode(t, attempt)
  const { idToken } = receiveTokens(t, grant, await exchange(t, grant))
  return decodeIdToken(t, idToken).claims
}

const errorOf = ({ landing }: Attempt) =>
  landing.kind === 'redirect' ? errorParameters(landing.url).get('error') : null

/** A sign-in that happened after this moment, or an error that says that none can. */
async function expectNewSignIn(t: ModuleContext, attempt: Attempt, since: number): Promise<void> {
  const error = errorOf(attempt)
  if (error !== null) {
    expectAuthorizeError(t, attempt, SIGN_IN_ERRORS)
    return
  }
  const { auth_time: at } = await claimsOf(t, attempt)
  t.check(
    typeof at === 'number' && at >= since,
    'the person signed in anew (auth_time), or authorize answers login_required',
    at === undefined ? 'a code, and no auth_time' : `a code, and auth_time ${at} before ${since}`,
  )
}

const seconds = () => Math.floor(Date.now() / 1000)

export const SIGN_IN_MODULES: readonly ConformanceModule[] = [
  {
    id: 'oidcc-prompt-login',
    title: 'prompt=login makes the person sign in again, or is refused',
    source: 'OpenID Connect Core, 3.1.2.1',
    where: PROMPT,
    run: async (t) => {
      const agent = await t.target.newUserAgent({ isSeparate: true })
      await obtainTokens(t, {}, { agent })
      await t.wait(1.1)
      const since = seconds()
      await expectNewSignIn(t, await authorize(t, { prompt: 'login' }, { agent }), since)
    },
  },
  {
    id: 'oidcc-prompt-none-not-logged-in',
    title: 'prompt=none without a sign-in gets login_required',
    source: 'OpenID Connect Core, 3.1.2.6',
    where: PROMPT,
    run: async (t) => {
      const agent = await t.target.newUserAgent({ isSeparate: true })
      const preparation = await agent.prepare(t.target.client)
      await agent.signOut()
      const attempt = await authorize(t, { prompt: 'none' }, { agent, preparation })
      expectAuthorizeError(t, attempt, SIGN_IN_ERRORS)
    },
  },
  {
    id: 'oidcc-prompt-none-logged-in',
    title: 'prompt=none with a sign-in succeeds for the same person',
    source: 'OpenID Connect Core, 3.1.2.1',
    where: PROMPT,
    run: async (t) => {
      const first = decodeIdToken(t, (await obtainTokens(t)).idToken).claims
      const second = await claimsOf(t, await authorize(t, { prompt: 'none' }))
      t.equal(second.sub, first.sub, 'sub')
      t.equal(second.auth_time, first.auth_time, 'auth_time')
    },
  },
  {
    id: 'oidcc-prompt-none-with-another-value',
    title: 'prompt=none together with login is refused',
    source: 'OpenID Connect Core, 3.1.2.1',
    where: PROMPT,
    run: async (t) => {
      const attempt = await authorize(t, { prompt: 'none login' })
      expectAuthorizeError(t, attempt, ['invalid_request'], { orPage: true })
    },
  },
  {
    id: 'oidcc-max-age-1',
    title: 'max_age=1 makes the person sign in again, or is refused',
    source: 'OpenID Connect Core, 3.1.2.1 and 2',
    where: MAX_AGE,
    run: async (t) => {
      const agent = await t.target.newUserAgent({ isSeparate: true })
      await obtainTokens(t, {}, { agent })
      await t.wait(2.1)
      const since = seconds() - 1
      await expectNewSignIn(t, await authorize(t, { max_age: '1' }, { agent }), since)
    },
  },
  {
    id: 'oidcc-max-age-10000',
    title: 'max_age=10000 keeps the sign-in and brings auth_time',
    source: 'OpenID Connect Core, 3.1.2.1 and 2',
    where: MAX_AGE,
    run: async (t) => {
      await obtainTokens(t)
      const { auth_time: at } = await claimsOf(t, await authorize(t, { max_age: '10000' }))
      t.check(typeof at === 'number', 'the ID token has auth_time', JSON.stringify(at))
      const age = seconds() - Number(at)
      t.check(age > -60 && age < 10_060, 'auth_time is within max_age', `${age} s ago`)
      const again = await claimsOf(t, await authorize(t, { max_age: '10000' }))
      t.equal(again.auth_time, at, 'auth_time of the next request')
    },
  },
  {
    id: 'oidcc-id-token-hint',
    title: 'prompt=none with id_token_hint succeeds for the same person',
    source: 'OpenID Connect Core, 3.1.2.1',
    where: PROMPT,
    run: async (t) => {
      const { idToken } = await obtainTokens(t)
      const { sub } = decodeIdToken(t, idToken).claims
      const attempt = await authorize(t, { prompt: 'none', id_token_hint: idToken })
      t.equal((await claimsOf(t, attempt)).sub, sub, 'sub')
    },
  },
]
