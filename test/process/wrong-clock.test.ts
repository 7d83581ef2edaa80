// Real processes on machines whose clocks are wrong: thirty days and an hour ahead, an hour behind, and one
// that is set while the service runs. No sign-in ends, no launch is deleted, no key is wiped, and the
// node says why it is not ready. Security V13.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { administerAt, startPostgres } from '../../packages/server/test/postgres.ts'
import { ADMIN, type StartOptions, spawnService, startService } from './service-process.ts'
import { api, exchange, freshCode, isActive, send, setUpPractice } from './story-verbs.ts'
import { wrongClock } from './wrong-clock.ts'

const HOUR = 3600
const OFFSETS = { 'thirty days ahead': 720 * HOUR, 'an hour ahead': HOUR, 'an hour behind': -HOUR }
const cleanUps: (() => unknown)[] = []
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

async function until(what: string, isTrue: () => Promise<boolean>, withinMs = 15_000) {
  for (let waited = 0; !(await isTrue()); waited += 50) {
    assert.ok(waited < withinMs, what)
    await sleep(50)
  }
}

/** Starts a node that will not be ready, and waits until it serves. */
async function startWrongNode(seconds: number, environment: Record<string, string>) {
  const clock = await wrongClock(seconds)
  const options: StartOptions = {
    ...clock.options,
    environment: { ...environment, ...clock.options.environment },
  }
  const node = await spawnService(options)
  cleanUps.push(async () => {
    node.child.kill('SIGKILL')
    await node.ended
    clock.cleanUp()
  })
  const baseUrl = `http://127.0.0.1:${node.port}`
  const isLive = () => send(baseUrl, '/health/live').then(({ status }) => status === 200)
  await until('live', () => isLive().catch(() => false), 30_000)
  return { baseUrl, output: node.output }
}

test('nodes with a wrong clock end, delete and wipe nothing of a cluster [V13]', async () => {
  const postgres = await startPostgres()
  cleanUps.push(() => postgres.stop())
  const url = await postgres.freshDividedDatabase()
  const environment = {
    CHARTSIDE_DATABASE_URL: url,
    CHARTSIDE_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
  }
  const right = await startService({ environment })
  cleanUps.push(() => right.discard())
  const practice = await setUpPractice(right.baseUrl, ADMIN)
  const token = String((await exchange(practice, await freshCode(practice))).body.access_token)
  const select = (sql: string) => administerAt(url, sql)
  // A key that retires, which a node ahead of time would wipe.
  await until('a standby key', async () => {
    const keys = await select("SELECT 1 FROM keys WHERE purpose = 'signature'")
    return keys.length === 2
  })
  await select("UPDATE keys SET signs_from = created_at WHERE purpose = 'signature'")
  await select("UPDATE changes SET version = version + 1 WHERE topic = 'keys'")
  const facts = async () => {
    const [row] = await select(`SELECT (SELECT COUNT(*) FROM sign_ins) AS sign_ins,
      (SELECT COUNT(*) FROM ehr_sessions) AS sessions, (SELECT COUNT(*) FROM launches) AS launches,
      (SELECT COUNT(*) FROM keys WHERE retired_at IS NULL AND sealed <> '') AS keys`)
    return row
  }
  const before = await facts()

  const nodes = await Promise.all(
    Object.entries(OFFSETS).map(async ([name, seconds]) => {
      return [name, await startWrongNode(seconds, environment)] as const
    }),
  )
  // The jobs of a node run once at its start; a minute would run them a second time, no differently.
  await sleep(1500)
  assert.deepEqual(await facts(), before)
  for (const [name, { baseUrl, output }] of nodes) {
    const ready = await send(baseUrl, '/health/ready')
    assert.equal(ready.status, 503, name)
    const [, direction] = / (ahead|behind)$/.exec(name) ?? []
    assert.match(String(ready.body.cause), new RegExp(`s ${direction} of the database's; 2 s are`))
    assert.match(output(), /not ready: clock/, name)
    const there = { ...practice, baseUrl }
    assert.equal((await api(there, 'GET', '/api/users/me')).status, 200, name)
    assert.equal(await isActive(there, token), true, name)
    const issued = await exchange(there, await freshCode(there))
    assert.equal(issued.status, 200, name)
    assert.equal(await isActive(practice, String(issued.body.access_token)), true, name)
  }
  assert.equal((await send(right.baseUrl, '/health/ready')).status, 200)
  assert.equal((await api(practice, 'GET', '/api/users/me')).status, 200)
})

test('a clock that is set while the service runs on SQLite is noticed [V13]', async (t) => {
  const clock = await wrongClock(0)
  const { set } = clock
  if (!set) return t.skip('only libfaketime can set the clock of a running process')
  const service = await startService(clock.options)
  cleanUps.push(() => service.discard().then(clock.cleanUp))
  const practice = await setUpPractice(service.baseUrl, ADMIN)
  const token = String((await exchange(practice, await freshCode(practice))).body.access_token)
  const ready = () => send(service.baseUrl, '/health/ready')
  for (const seconds of [720 * HOUR, -HOUR]) {
    set(seconds)
    await until('noticed', async () => (await ready()).status === 503)
    assert.match(String((await ready()).body.cause), /was set while the service ran/)
    assert.equal((await api(practice, 'GET', '/api/users/me')).status, 200)
    assert.equal(await isActive(practice, token), true)
    set(0)
    await until('right again', async () => (await ready()).status === 200)
  }
  assert.equal((await exchange(practice, await freshCode(practice))).status, 200)
})
