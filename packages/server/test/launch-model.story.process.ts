// Random interleavings of launch, authorize, exchange, replay, revoke, expire, rotate, disable, end, idle and
// sign out, some of them in parallel: each answer compared with the reference model (launch-model.ts). A failure prints its seed and the
// shortest sequence; repeat a run with CHARTSIDE_TEST_SEED. Security F09.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { applyPlan, type KeyContext, planRotation } from '../src/keys/key-rotation.ts'
import { keyTimesOf } from '../src/keys/key-schedule.ts'
import { masterKeysOf } from '../src/keys/master-key.ts'
import {
  addCode,
  addLaunch,
  addToken,
  endSession,
  type Fault,
  foresee,
  isLive,
  killApp,
  launchAnswer,
  type Model,
  type ModelLaunch,
  mayAuthorize,
  newModel,
  redeem,
  signOut,
  TOKEN_SECONDS,
} from './launch-model.ts'
import {
  asApp,
  fault,
  none,
  pick,
  type StepOf,
  small,
  step,
  weighted,
} from './launch-model-steps.ts'
import { authorize, exchange, type RegisteredApp, type Story, signIn, startStory } from './story.ts'
import { ADMIN, isOnPostgres } from './test-service.ts'

const IDLE_SECONDS = 86_400
/** Rules are judged on SQLite; PostgreSQL shows that its statements say the same. */
const RUNS = isOnPostgres ? 8 : 15
const MIN_STEPS = 40
const MAX_STEPS = 100
/** Ends the search for the shortest failing sequence. */
const MAX_MS = 60_000
const seed = Number(process.env.CHARTSIDE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

let story: Story
let apps: RegisteredApp[]
let sessionToken = ''
before(async () => {
  story = await startStory({
    CHARTSIDE_ACCESS_TOKEN_LIFETIME_SECONDS: String(TOKEN_SECONDS),
    CHARTSIDE_SESSION_IDLE_SECONDS: String(IDLE_SECONDS),
    CHARTSIDE_SESSION_LIFETIME_SECONDS: String(IDLE_SECONDS),
  })
  sessionToken = story.adminToken
  apps = [story.app, await story.registerApp('other')]
})
after(() => story.close())

const now = () => story.service.clock()
const appAt = (n: number): RegisteredApp => apps[n % apps.length] ?? story.app

function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${sessionToken}` }
  return story.request({ method, url, headers, ...(payload ? { payload } : {}) })
}

async function openSession(): Promise<string> {
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'device-1' }
  const answer = await call('POST', '/api/sessions', body)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().id
}

async function signInAgain(): Promise<string> {
  sessionToken = await signIn(story.service, ADMIN)
  return openSession()
}

const launch: StepOf<number> = async (model, n) => {
  const body = { appId: appAt(n).id, kind: 'ui' }
  const answer = await call('POST', `/api/sessions/${model.session.id}/launches`, body)
  assert.equal(answer.statusCode, launchAnswer(model), answer.body)
  if (answer.statusCode === 201) {
    addLaunch(model, answer.json(), n % apps.length, now())
  }
}

const authorizeLaunch: StepOf<[number, number]> = async (model, [l, as]) => {
  const chosen = pick(model.launches, l)
  if (!chosen) return
  const app = as === 0 ? (chosen.app + 1) % apps.length : chosen.app
  const expected = mayAuthorize(chosen, app, now())
  const { searchParams } = await authorize(story, chosen.launchId, {}, appAt(app))
  const code = searchParams.get('code')
  assert.equal(searchParams.get('error'), expected ? null : 'access_denied')
  assert.equal(code !== null, expected)
  if (code !== null) addCode(model, chosen, code, now())
}

const exchangeCode: StepOf<[number, number, Fault]> = async (model, [c, as, fault]) => {
  const code = pick(model.codes, c)
  if (!code) return
  const app = as === 0 ? (code.launch.app + 1) % apps.length : code.launch.app
  const changes = {
    ...(fault === 'wrong secret' ? { client_secret: `${appAt(app).secret}x` } : {}),
    ...(fault === 'wrong redirect URI' ? { redirect_uri: 'https://wrong.example/' } : {}),
  }
  const answer = await exchange(story, code.value, changes, appAt(app))
  // The rate limit of wrong secrets answers before the code is touched.
  if (fault === 'wrong secret' && answer.statusCode === 429) return
  assert.equal(answer.statusCode, redeem(code, app, fault, now()), answer.body)
  if (answer.statusCode !== 200) return
  const { access_token: token, id_token: idToken } = answer.json()
  addToken(model, code.launch, token, now())
  const { kid } = JSON.parse(Buffer.from(idToken.split('.')[0], 'base64url').toString())
  const { keys } = (await story.request({ url: '/app-auth/.well-known/jwks.json' })).json()
  assert.ok(
    keys.some((key: { kid: string }) => key.kid === kid),
    'signed by a published key',
  )
}

/** The same code twice at once: one of both may have it, and then the other one ends its token. */
const exchangeTwice: StepOf<number> = async (model, c) => {
  const code = pick(model.codes, c)
  if (!code) return
  const { launch } = code
  const send = () => exchange(story, code.value, {}, appAt(launch.app))
  const answers = await Promise.all([send(), send()])
  const expected = [redeem(code, launch.app, 'none', now())]
  const done = answers.find(({ statusCode }) => statusCode === 200)
  if (done) addToken(model, launch, done.json().access_token, now())
  expected.push(redeem(code, launch.app, 'none', now()))
  const statuses = answers.map(({ statusCode }) => statusCode).sort()
  assert.deepEqual(statuses, expected.sort(), answers.map(({ body }) => body).join())
}

/** An exchange beside another authorize of its launch: whichever is first, only one of both counts. */
const exchangeBesideAuthorize: StepOf<number> = async (model, l) => {
  const launch = pick(model.launches, l)
  if (!launch?.code) return
  const { code } = launch
  const [redirect, answer] = await Promise.all([
    authorize(story, launch.launchId, {}, appAt(launch.app)),
    exchange(story, code.value, {}, appAt(launch.app)),
  ])
  const next = redirect.searchParams.get('code')
  assert.ok(next === null || answer.statusCode === 400, 'a code beside a token')
  if (next !== null) {
    assert.ok(mayAuthorize(launch, launch.app, now()))
    addCode(model, launch, next, now())
    return
  }
  assert.equal(answer.statusCode, redeem(code, launch.app, 'none', now()), answer.body)
  if (answer.statusCode === 200) addToken(model, launch, answer.json().access_token, now())
}

const endLaunch = async (model: Model, launch: ModelLaunch) => {
  const { statusCode, body } = await call('DELETE', `/api/launches/${launch.id}`)
  assert.equal(statusCode, model.isSignedIn ? 204 : 401, body)
  if (model.isSignedIn) launch.isEnded = true
}

const endOneLaunch: StepOf<number> = async (model, l) => {
  const launch = pick(model.launches, l)
  if (launch) await endLaunch(model, launch)
}

/** A token that an exchange got just before the end is dead with the launch. */
const exchangeBesideEnd: StepOf<number> = async (model, c) => {
  const code = pick(model.codes, c)
  if (!code || !model.isSignedIn) return
  const { launch } = code
  const before = foresee(code, now())
  const sent = exchange(story, code.value, {}, appAt(launch.app))
  const [answer] = await Promise.all([sent, endLaunch(model, launch)])
  assert.ok(answer.statusCode === 400 || answer.statusCode === before, answer.body)
  if (answer.statusCode === 200) {
    launch.redemption = 'issued'
    addToken(model, launch, answer.json().access_token, now())
  }
}

const disableApp: StepOf<number> = async (model, n) => {
  // A sign-out may have ended the token of this test.
  const headers = { authorization: `Bearer ${await signIn(story.service, ADMIN)}` }
  const url = `/api/apps/${appAt(n).id}`
  for (const enabled of [false, true]) {
    const answer = await story.request({ method: 'PATCH', url, headers, payload: { enabled } })
    assert.equal(answer.statusCode, 200, answer.body)
  }
  killApp(model, n % apps.length)
}

/** No one is active for as long as a sign-in may be idle, and what depends on it ends. */
const idle: StepOf<null> = async (model) => {
  story.service.clock.advance(IDLE_SECONDS + 1)
  signOut(model)
}

const revoke: StepOf<[number, number]> = async (model, [n, as]) => {
  const token = pick(model.tokens, n)
  if (!token) return
  const app = as === 0 ? (token.launch.app + 1) % apps.length : token.launch.app
  const { clientId, secret } = appAt(app)
  const payload = { token: token.value, client_id: clientId, client_secret: secret }
  const answer = await story.request({ method: 'POST', url: '/app-auth/revoke', payload })
  assert.equal(answer.statusCode, 200, answer.body)
  if (app === token.launch.app) token.isRevoked = true
}

const expire: StepOf<number> = async (_model, seconds) => story.service.clock.advance(seconds)

const rotateSecret: StepOf<number> = async (_model, n) => {
  // A sign-out may have ended the token of this test; the story's own administrator is still here.
  const url = `/api/apps/${appAt(n).id}/secrets`
  const token = await signIn(story.service, ADMIN)
  const headers = { authorization: `Bearer ${token}` }
  const { items } = (await story.request({ url, headers })).json()
  const made = await story.request({ method: 'POST', url, headers, payload: {} })
  assert.equal(made.statusCode, 201, made.body)
  for (const { id } of items) {
    const answer = await story.request({ method: 'DELETE', url: `${url}/${id}`, headers })
    assert.equal(answer.statusCode, 204, answer.body)
  }
  apps[n % apps.length] = { ...appAt(n), secret: made.json().secret }
}

const rotateKey: StepOf<null> = async () => {
  const { db, config, randomness } = story.service.service
  const masters = masterKeysOf(config, randomness)
  const work: KeyContext = { db, masters, randomness, times: keyTimesOf(config), now: now() }
  await applyPlan(work, await planRotation(work, 'RS256', 0))
}

const endOrOpenSession: StepOf<null> = async (model) => {
  if (!model.isSignedIn) return
  if (model.session.isEnded) {
    model.session = { id: await openSession(), isEnded: false }
    return
  }
  assert.equal((await call('DELETE', `/api/sessions/${model.session.id}`)).statusCode, 204)
  endSession(model)
}

const signOutOrIn: StepOf<null> = async (model) => {
  if (!model.isSignedIn) {
    model.session = { id: await signInAgain(), isEnded: false }
    model.isSignedIn = true
    return
  }
  assert.equal((await call('POST', '/auth/sign-out', {})).statusCode, 204)
  signOut(model)
}

/** Compares the newest access tokens of the sequence with the model. */
async function checkTokens(model: Model): Promise<void> {
  for (const token of model.tokens.slice(-4)) {
    const { clientId, secret } = appAt(token.launch.app)
    const payload = { token: token.value, client_id: clientId, client_secret: secret }
    const answer = await story.request({ method: 'POST', url: '/app-auth/introspect', payload })
    assert.equal(answer.json().active, isLive(token, now()), answer.body)
  }
}

const anyStep = fc.oneof(
  weighted(5, step('launch', launch, small)),
  weighted(8, step('authorize', authorizeLaunch, fc.tuple(small, asApp))),
  weighted(14, step('exchange', exchangeCode, fc.tuple(small, asApp, fault))),
  weighted(2, step('revoke', revoke, fc.tuple(small, asApp))),
  weighted(3, step('expire', expire, fc.constantFrom(1, 20, 59, 60, 299, 300, 600))),
  weighted(3, step('exchangeTwice', exchangeTwice, small)),
  weighted(3, step('exchangeBesideAuthorize', exchangeBesideAuthorize, small)),
  weighted(2, step('exchangeBesideEnd', exchangeBesideEnd, small)),
  weighted(1, step('endOneLaunch', endOneLaunch, small)),
  weighted(1, step('disableApp', disableApp, small)),
  weighted(1, step('idle', idle, none)),
  weighted(1, step('rotateSecret', rotateSecret, small)),
  weighted(1, step('rotateKey', rotateKey, none)),
  weighted(1, step('endOrOpenSession', endOrOpenSession, none)),
  weighted(1, step('signOutOrIn', signOutOrIn, none)),
)

test('random interleavings of a launch behave as the reference model says [F09]', async (t) => {
  t.diagnostic(`CHARTSIDE_TEST_SEED=${seed}`)
  const steps = fc.array(anyStep, { minLength: MIN_STEPS, maxLength: MAX_STEPS, size: 'max' })
  const property = fc.asyncProperty(steps, async (sequence) => {
    const model = newModel(await signInAgain())
    for (const { run } of sequence) {
      await run(model)
      await checkTokens(model)
    }
  })
  await fc.assert(property, { numRuns: RUNS, seed, interruptAfterTimeLimit: MAX_MS })
})
