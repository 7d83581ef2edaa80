// Ten thousand EHR sessions with five apps each that end at once: how long until the servers of the apps have every
// notice, and how long the first one takes. The debts are rows that the test writes; node, PostgreSQL and the five
// servers share this machine. Contract §12.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../packages/server/src/db/open.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { partOf } from '../../packages/server/src/kernel/partitions.ts'
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import { registerApp, setUpPractice } from './story-verbs.ts'

const SESSIONS = Number(process.env.CHARTSIDE_LOGOUT_SESSIONS ?? 10_000)
const APPS = 5
const WITHIN_MS = 5 * 60_000

let postgres: TestPostgres
let node: ServiceProcess
const servers: Server[] = []
before(async () => {
  postgres = await startPostgres()
})
after(async () => {
  for (const server of servers) server.close()
  await node?.discard()
  await postgres?.stop()
})

test(`${SESSIONS} sessions with five apps are noticed within five minutes`, async () => {
  const url = await postgres.freshDatabase()
  const masterKey = randomBytes(32).toString('base64')
  const environment = { CHARTSIDE_DATABASE_URL: url, CHARTSIDE_MASTER_KEY: masterKey }
  node = await startService({ environment })
  const practice = await setUpPractice(node.baseUrl, ADMIN)
  const counts: number[] = []
  const apps: string[] = []
  let firstAt = 0
  for (let n = 0; n < APPS; n++) {
    counts.push(0)
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        if (firstAt === 0) firstAt = performance.now()
        counts[n] = (counts[n] ?? 0) + 1
        response.writeHead(204).end()
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    servers.push(server)
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`
    const fields = { launchUrl: `${origin}/launch`, backchannelLogoutUri: `${origin}/logout` }
    apps.push((await registerApp(practice, practice.accountId, `Receiver ${n}`, fields)).id)
  }
  const db = await openDatabase(url, { onConnectionLost: () => {} })
  try {
    const now = Date.now()
    const startedAt = performance.now()
    for (const appId of apps) {
      await db.write(sql`INSERT INTO logout_debts (part, session_id, app_id, user_id, account_id,
          sign_in_id, due_at, ended_at, attempts)
        SELECT CAST(${partOf(practice.accountId)} AS INTEGER),
            'ses_' || lpad(CAST(s AS TEXT), 22, '0'), ${appId},
            'usr_0000000000000000000000', ${practice.accountId}, 'sgn_0000000000000000000000',
            CAST(${now} AS BIGINT), CAST(${now} AS BIGINT), 0
          FROM generate_series(1, CAST(${SESSIONS} AS INTEGER)) AS s`)
    }
    const total = () => counts.reduce((sum, one) => sum + one)
    while (total() < SESSIONS * APPS) {
      const ms = performance.now() - startedAt
      assert.ok(ms < WITHIN_MS, `${total()} of ${SESSIONS * APPS} after ${Math.round(ms)} ms`)
      await sleep(100)
    }
    const seconds = (performance.now() - startedAt) / 1000
    const first = Math.round(firstAt - startedAt)
    const rate = Math.round((SESSIONS * APPS) / seconds)
    console.log(`${SESSIONS * APPS} notices in ${seconds.toFixed(1)} s: ${rate} a second`)
    console.log(`first after ${first} ms`)
  } finally {
    await db.close()
  }
})
