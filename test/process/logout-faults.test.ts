// The guarantee of logout notices under faults: a node killed between sending and recording, the database away,
// servers of apps that refuse, redirect and fail. Each app whose server exchanged a code gets its notice, or the
// trail says why not. Contract §12, security V41.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import {
  api,
  bearer,
  exchange,
  freshCode,
  openSession,
  type Practice,
  sendJson,
  setUpPractice,
  signIn,
} from './story-verbs.ts'

/** The notice after which the first node dies. */
const KILL_AT = 3
/** What a dead node held is due after 30 seconds; with the database away as long again. */
const WITHIN_MS = 90_000
const AWAY_SECONDS = Number(process.env.CHARTSIDE_LOGOUT_AWAY_SECONDS ?? 8)

let postgres: TestPostgres
const nodes: ServiceProcess[] = []
before(async () => {
  postgres = await startPostgres()
})
after(async () => {
  await Promise.all(nodes.map((node) => node.discard()))
  await postgres?.stop()
})

interface Notice {
  readonly sid: string
  readonly txn: unknown
  readonly jti: unknown
}

/** The server of an app. `answer` gets each notice with those that came before for the same session. */
async function startReceiver(
  t: TestContext,
  answer: (notice: Notice, before: number, response: ServerResponse) => void | Promise<void>,
): Promise<{ origin: string; received: Notice[] }> {
  const received: Notice[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token') ?? ''
    const { sid, txn, jti } = decodeJwt(token)
    const notice = { sid: String(sid), txn, jti }
    const before = received.filter((one) => one.sid === notice.sid).length
    received.push(notice)
    await answer(notice, before, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, received }
}

interface Stage {
  readonly environment: Readonly<Record<string, string>>
  readonly practice: Practice
  readonly people: readonly Practice[]
}

/** People who are signed in at the first node, each with an exchanged code of the app. */
async function beginSessions(origin: string, count: number): Promise<Stage> {
  const environment = {
    CHARTSIDE_DATABASE_URL: await postgres.freshDividedDatabase(),
    CHARTSIDE_MASTER_KEY: randomBytes(32).toString('base64'),
  }
  const first = await startService({ environment })
  nodes.push(first)
  const appFields = { launchUrl: `${origin}/launch`, backchannelLogoutUri: `${origin}/logout` }
  const practice = await setUpPractice(first.baseUrl, ADMIN, { appFields })
  const people = []
  for (let n = 0; n < count; n++) {
    const own = { ...practice, sessionToken: await signIn(first.baseUrl, ADMIN) }
    const sessionId = await openSession(own, practice.accountId)
    const inIt = { ...own, sessionId }
    assert.equal((await exchange(inIt, await freshCode(inIt))).status, 200)
    people.push(inIt)
  }
  return { environment, practice, people }
}

async function signOutAll(people: readonly Practice[]): Promise<void> {
  for (const { baseUrl, sessionToken } of people) {
    const out = await sendJson(baseUrl, '/auth/sign-out', {}, bearer(sessionToken))
    assert.ok(out.status < 300, out.text)
  }
}

interface TrailEvent {
  readonly action: string
  readonly outcome: string
  readonly detail: Readonly<Record<string, string>>
}

/** The events of notices in the trail of the practice, once there is one for each session. */
async function waitForTrail({ practice, people }: Stage, node: ServiceProcess) {
  const startedAt = performance.now()
  const caller = { baseUrl: node.baseUrl, sessionToken: await signIn(node.baseUrl, ADMIN) }
  const path = `/api/accounts/${practice.accountId}/audit-events?limit=200`
  for (;;) {
    const { items } = (await api(caller, 'GET', path)).body as { items: TrailEvent[] }
    const events = items.filter(({ action }) => action === 'notifyLogout')
    if (events.length >= people.length) return events
    const ms = performance.now() - startedAt
    assert.ok(ms < WITHIN_MS, `${events.length} of ${people.length} events`)
    await sleep(250)
  }
}

function assertOneTransaction(received: readonly Notice[], sid: string): void {
  const ofSession = received.filter((one) => one.sid === sid)
  assert.equal(new Set(ofSession.map(({ txn }) => txn)).size, 1, 'one transaction')
  assert.equal(new Set(ofSession.map(({ jti }) => jti)).size, ofSession.length)
}

test('a node killed between send and delete loses no notice [V41]', async (t) => {
  const signedOut = Promise.withResolvers<void>()
  const killed = Promise.withResolvers<void>()
  let isKilled = false
  const { origin, received } = await startReceiver(t, async (_notice, _before, response) => {
    await signedOut.promise
    if (received.length >= KILL_AT && !isKilled) {
      isKilled = true
      await nodes.at(-1)?.end('SIGKILL')
      killed.resolve()
    }
    response.writeHead(204).end()
  })
  const stage = await beginSessions(origin, 6)
  await signOutAll(stage.people)
  signedOut.resolve()
  await killed.promise
  const second = await startService({ environment: stage.environment })
  nodes.push(second)
  assert.equal((await waitForTrail(stage, second)).length, stage.people.length)
  for (const { sessionId } of stage.people) assertOneTransaction(received, sessionId)
  assert.ok(received.length > stage.people.length, 'the cut one came twice')
})

/** By the number of the session: the first answer, and the one of each later attempt. */
const ANSWERS = [
  [204, 204],
  [302, 204],
  [500, 204],
  [400, 400],
] as const

test('with the database away, each notice comes or the trail says why not [V41]', async (t) => {
  const isAway = Promise.withResolvers<void>()
  const orders = new Map<string, number>()
  const { origin, received } = await startReceiver(t, async ({ sid }, before, response) => {
    await isAway.promise
    const [first, later] = ANSWERS[(orders.get(sid) ?? 0) % ANSWERS.length] ?? ANSWERS[0]
    response.writeHead(before === 0 ? first : later, { location: '/elsewhere' }).end()
  })
  const stage = await beginSessions(origin, 12)
  const first = nodes.at(-1)
  const second = await startService({ environment: stage.environment })
  nodes.push(second)
  for (const [n, { sessionId }] of stage.people.entries()) orders.set(sessionId, n)
  await signOutAll(stage.people)
  // Sent and not answered: the answers come while nothing can be recorded, and one node dies over it.
  while (received.length === 0) await sleep(20)
  await postgres.takeDown()
  isAway.resolve()
  await sleep((AWAY_SECONDS * 1000) / 2)
  await first?.end('SIGKILL')
  await sleep((AWAY_SECONDS * 1000) / 2)
  await postgres.bringBack()

  const events = await waitForTrail(stage, second)
  const outcomes = new Map(events.map(({ outcome, detail }) => [detail.session, outcome]))
  for (const { sessionId } of stage.people) {
    const isRefused = (orders.get(sessionId) ?? 0) % ANSWERS.length === 3
    assert.equal(outcomes.get(sessionId), isRefused ? 'refused' : 'ok', `of ${sessionId}`)
    assertOneTransaction(received, sessionId)
  }
  assert.equal(events.length, stage.people.length, 'one event for each session')
  t.diagnostic(`${received.length} notices for ${stage.people.length} sessions`)
})
