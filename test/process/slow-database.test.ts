// A PostgreSQL that delays each statement by 200 ms, and one whose rows another connection locks. Moderate
// load is answered slowly; overload is refused within a bounded time while admitted requests
// complete, and the service then recovers. Security F04, F07, I05.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type FaultyRelay, startFaultyRelay } from '../../packages/server/test/faulty-relay.ts'
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts'
import { ADMIN, residentMegabytes, type ServiceProcess, startService } from './service-process.ts'
import {
  type Answer,
  api,
  exchange,
  freshCode,
  launch,
  type Practice,
  send,
  sendJson,
  setUpPractice,
} from './story-verbs.ts'

const STATEMENT_MS = 200
/** Ten connections, five statements a second each; half of that is moderate. */
const MODERATE_PER_SECOND = 25
/** Slower still, so that ten times too much is little enough for the machine that sends it. */
const OVERLOADED_STATEMENT_MS = 400
/** A second in the line at most; the rest is the slack of a busy machine. */
const TURNED_AWAY_WITHIN_MS = 3000
/** A second in the line, five statements, each of which waits for three others. */
const ADMITTED_WITHIN_MS = 12_000
const MAX_GROWTH_MB = 100

let postgres: TestPostgres
let relay: FaultyRelay
let service: ServiceProcess
let practice: Practice
before(async () => {
  postgres = await startPostgres()
  relay = await startFaultyRelay(await postgres.freshDividedDatabase())
  service = await startService({ environment: { CHARTSIDE_DATABASE_URL: relay.url } })
  practice = await setUpPractice(service.baseUrl, ADMIN)
})
after(async () => {
  await service?.discard()
  await relay?.stop()
  await postgres?.stop()
})

interface Outcome {
  readonly answer: Answer
  readonly tookMs: number
}

/** Sends at a steady pace, whether or not earlier requests have been answered. */
async function sendSteadily(perSecond: number, seconds: number, verb: () => Promise<Answer>) {
  const all: Promise<Outcome>[] = []
  const beganAt = performance.now()
  for (let i = 0; i < perSecond * seconds; i++) {
    const dueMs = (i / perSecond) * 1000 - (performance.now() - beganAt)
    if (dueMs > 1) await sleep(dueMs)
    const sentAt = performance.now()
    all.push(verb().then((answer) => ({ answer, tookMs: performance.now() - sentAt })))
  }
  const health = await send(service.baseUrl, '/health/ready')
  const outcomes = await Promise.all(all)
  const good = outcomes.filter(({ answer }) => answer.status < 300)
  const turnedAway = outcomes.filter(({ answer }) => answer.status === 503)
  for (const { answer } of turnedAway) {
    assert.equal(answer.body.error ?? answer.body.code, 'temporarily_unavailable')
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  assert.equal(good.length + turnedAway.length, outcomes.length, 'nothing but yes and not now')
  return { good, turnedAway, health }
}

const slowest = (outcomes: readonly Outcome[]) =>
  Math.max(0, ...outcomes.map(({ tookMs }) => tookMs))

function introspect(token: string): Promise<Answer> {
  const { clientId: client_id, secret: client_secret } = practice.app
  return sendJson(service.baseUrl, '/app-auth/introspect', { token, client_id, client_secret })
}

const openLaunch = () =>
  api(practice, 'POST', `/api/sessions/${practice.sessionId}/launches`, {
    appId: practice.app.id,
    kind: 'ui',
  })

test('answers slowly on a slow database and sheds overload [F04, F07]', async (t) => {
  const { body } = await exchange(practice, await freshCode(practice))
  const token = String(body.access_token)
  relay.delayMs = STATEMENT_MS
  t.after(() => {
    relay.delayMs = 0
  })
  const moderate = await sendSteadily(MODERATE_PER_SECOND, 2, () => introspect(token))
  assert.equal(moderate.turnedAway.length, 0)
  assert.ok(moderate.good.every(({ answer }) => answer.body.active === true))
  assert.ok(moderate.good.every(({ tookMs }) => tookMs >= STATEMENT_MS))
  assert.equal((await exchange(practice, await freshCode(practice))).status, 200)

  relay.delayMs = OVERLOADED_STATEMENT_MS
  const megabytesBefore = residentMegabytes(service.pid) ?? 0
  for (const [what, perSecond, verb] of [
    // One statement and five. 25 statements a second would be all, if callers did not share round trips.
    ['introspect', 250, () => introspect(token)],
    ['launch', 150, openLaunch],
  ] as const) {
    const { good, turnedAway, health } = await sendSteadily(perSecond, 3, verb)
    t.diagnostic(
      `${what}, ${perSecond}/s: ${good.length} done, slowest ${slowest(good).toFixed(0)} ms; ` +
        `${turnedAway.length} turned away, slowest ${slowest(turnedAway).toFixed(0)} ms`,
    )
    assert.ok(good.length >= 15 && turnedAway.length > good.length)
    assert.ok(slowest(turnedAway) < TURNED_AWAY_WITHIN_MS)
    assert.ok(slowest(good) < ADMITTED_WITHIN_MS)
    assert.equal(health.status, 200, 'busy is not broken')
  }
  const grownMb = (residentMegabytes(service.pid) ?? 0) - megabytesBefore
  t.diagnostic(`resident memory grew by ${grownMb.toFixed(0)} MB`)
  assert.ok(grownMb < MAX_GROWTH_MB)

  relay.delayMs = STATEMENT_MS
  const afterwards = await sendSteadily(MODERATE_PER_SECOND, 1, () => introspect(token))
  assert.equal(afterwards.turnedAway.length, 0)
  relay.delayMs = 0
  assert.equal((await exchange(practice, await freshCode(practice))).status, 200)
})

test('answers 503 in time while other connections lock every row [F01, F04]', async (t) => {
  const codes = [await freshCode(practice), await freshCode(practice)] as const
  const { clientId: client_id, secret: client_secret } = practice.app
  const holder = new pg.Client({ connectionString: relay.url })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE launches IN ACCESS EXCLUSIVE MODE')

  const outcomes: Outcome[] = []
  const stuck = Array.from({ length: 60 }, async () => {
    const sentAt = performance.now()
    const answer = await exchange(practice, codes[0])
    outcomes.push({ answer, tookMs: performance.now() - sentAt })
  })
  assert.equal((await send(service.baseUrl, '/app-auth/.well-known/jwks.json')).status, 200)
  assert.equal((await send(service.baseUrl, '/health')).status, 200)
  await Promise.all(stuck)
  for (const { answer } of outcomes) {
    assert.deepEqual([answer.status, answer.body.error], [503, 'temporarily_unavailable'])
  }
  t.diagnostic(`slowest 503 behind a lock: ${slowest(outcomes).toFixed(0)} ms`)
  assert.ok(slowest(outcomes) < 8000)
  // The table is still held, and who does not need it is served.
  assert.equal((await api(practice, 'GET', '/api/users/me')).status, 200)

  await holder.query('ROLLBACK')
  const began = performance.now()
  const answers = await Promise.all(codes.map((code) => exchange(practice, code)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.ok((await launch(practice)).id)
  t.diagnostic(`recovered in ${(performance.now() - began).toFixed(0)} ms`)
  assert.ok(performance.now() - began < 2000)
  const revoke = { token: answers[0]?.body.access_token, client_id, client_secret }
  assert.equal((await sendJson(service.baseUrl, '/app-auth/revoke', revoke)).status, 200)
})
