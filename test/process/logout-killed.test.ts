// A node that is killed between sending a logout token and recording it: another node sends that notice again with
// the same transaction, and none of the others is lost. The server of the app kills the node itself. Contract §12.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
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
  sendJson,
  setUpPractice,
  signIn,
} from './story-verbs.ts'

const SESSIONS = 6
/** The notice after which the node dies. */
const KILL_AT = 3
/** What the dead node held is due after 30 seconds. */
const WITHIN_MS = 60_000

let postgres: TestPostgres
let nodes: ServiceProcess[] = []
before(async () => {
  postgres = await startPostgres()
})
after(async () => {
  await Promise.all(nodes.map((node) => node.discard()))
  await postgres?.stop()
})

test('a node killed between send and delete loses no notice [V41]', async () => {
  const environment = {
    CHARTSIDE_DATABASE_URL: await postgres.freshDividedDatabase(),
    CHARTSIDE_MASTER_KEY: randomBytes(32).toString('base64'),
  }
  const first = await startService({ environment })
  nodes = [first]
  const received: { sid: unknown; txn: unknown; jti: unknown }[] = []
  const signedOut = Promise.withResolvers<void>()
  let isKilled = false
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token') ?? ''
    const { sid, txn, jti } = decodeJwt(token)
    received.push({ sid, txn, jti })
    await signedOut.promise
    if (received.length >= KILL_AT && !isKilled) {
      isKilled = true
      await first.end('SIGKILL')
    }
    response.writeHead(204).end()
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  try {
    const origin = `http://localhost:${(receiver.address() as AddressInfo).port}`
    const appFields = { launchUrl: `${origin}/launch`, backchannelLogoutUri: `${origin}/logout` }
    const practice = await setUpPractice(first.baseUrl, ADMIN, { appFields })
    const people = []
    for (let n = 0; n < SESSIONS; n++) {
      const own = { ...practice, sessionToken: await signIn(first.baseUrl, ADMIN) }
      const sessionId = await openSession(own, practice.accountId)
      const inIt = { ...own, sessionId }
      assert.equal((await exchange(inIt, await freshCode(inIt))).status, 200)
      people.push(inIt)
    }
    for (const { sessionToken } of people) {
      const out = await sendJson(first.baseUrl, '/auth/sign-out', {}, bearer(sessionToken))
      assert.ok(out.status < 300, out.text)
    }
    signedOut.resolve()
    const wanted = new Set(people.map(({ sessionId }) => sessionId))
    const isWhole = () => new Set(received.map(({ sid }) => sid)).size >= wanted.size
    while (!isKilled) await sleep(50)
    const second = await startService({ environment })
    nodes.push(second)
    const startedAt = performance.now()
    const caller = { baseUrl: second.baseUrl, sessionToken: await signIn(second.baseUrl, ADMIN) }
    const trail = async () => {
      const path = `/api/accounts/${practice.accountId}/audit-events?limit=200`
      const { items } = (await api(caller, 'GET', path)).body as { items: { action: string }[] }
      return items.filter(({ action }) => action === 'notifyLogout').length
    }
    while (!(isWhole() && (await trail()) === SESSIONS)) {
      assert.ok(performance.now() - startedAt < WITHIN_MS, `${received.length} notices came`)
      await sleep(250)
    }
    for (const sessionId of wanted) {
      const ofSession = received.filter(({ sid }) => sid === sessionId)
      assert.equal(new Set(ofSession.map(({ txn }) => txn)).size, 1, 'one transaction')
      assert.equal(new Set(ofSession.map(({ jti }) => jti)).size, ofSession.length)
    }
    assert.ok(received.length > SESSIONS, 'the cut one came twice')
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
})
