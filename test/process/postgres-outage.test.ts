// The real service on a real PostgreSQL that fails it: down at start, down while it works, and the
// service itself killed at the moment in which a redemption is on the wire. Security F01, C05, C09.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashBearer } from '../../packages/server/src/kernel/identifiers.ts'
import { startFaultyRelay } from '../../packages/server/test/faulty-relay.ts'
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts'
import { ADMIN, spawnService, startService } from './service-process.ts'
import { exchange, freshCode, isActive, type Practice, send, setUpPractice } from './story-verbs.ts'

const RECOVERS_WITHIN_MS = 3000

let postgres: TestPostgres
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres?.stop())

const onDatabase = (url: string) => ({
  environment: { CHARTSIDE_DATABASE_URL: url, CHARTSIDE_CODE_LIFETIME_SECONDS: '600' },
})

test('exits with 1, cause and fix when its database is missing [F01, C15]', async () => {
  const url = new URL(await postgres.freshDividedDatabase())
  url.password = 'canary-4711'
  for (const host of ['127.0.0.1:1', 'localhost:1', url.host]) {
    url.host = host
    const { child, ended, output } = await spawnService(onDatabase(url.href))
    const patience = setTimeout(() => child.kill('SIGKILL'), 15_000)
    assert.deepEqual(await ended, { code: 1, signal: null }, output())
    clearTimeout(patience)
    const last = output().trimEnd().split('\n').at(-1) ?? ''
    assert.match(last, /^The database cannot be used now: .*(ECONNREFUSED|password)/, host)
    assert.match(last, /Check CHARTSIDE_DATABASE_URL and that the database runs\.$/)
    assert.doesNotMatch(output(), /canary-4711/)
  }
})

test('recovers by itself from a database outage, with every code and token [F01]', async (t) => {
  const service = await startService(onDatabase(await postgres.freshDividedDatabase()))
  t.after(() => service.discard())
  const practice = await setUpPractice(service.baseUrl, ADMIN)
  const token = String((await exchange(practice, await freshCode(practice))).body.access_token)
  const code = await freshCode(practice)
  await postgres.takeDown()
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(practice, code)))
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.error], [503, 'temporarily_unavailable'])
  }
  await sleep(1000)
  assert.equal((await send(service.baseUrl, '/health/ready')).status, 503)
  assert.equal((await send(service.baseUrl, '/health')).status, 200)

  await postgres.bringBack()
  const began = performance.now()
  assert.equal(await isActive(practice, token), true)
  assert.equal((await exchange(practice, code)).status, 200)
  while ((await send(service.baseUrl, '/health/ready')).status !== 200) {
    assert.ok(performance.now() - began < RECOVERS_WITHIN_MS, 'ready again')
    await sleep(20)
  }
  t.diagnostic(`in order ${Math.round(performance.now() - began)} ms after the database was back`)
})

test('issues at most one token for a code when killed in redemption [C05, C09, F02]', async (t) => {
  const relay = await startFaultyRelay(await postgres.freshDividedDatabase())
  t.after(() => relay.stop())
  const first = await startService(onDatabase(relay.url))
  t.after(() => first.discard())
  let service = first
  t.after(() => service.discard())
  const practice = await setUpPractice(service.baseUrl, ADMIN)
  for (const [during, share, tokensAfter] of [
    ['request', 0, [1]],
    ['request', 0.5, [1]],
    ['request', 1, [0, 1]],
    ['reply', 0, [0]],
    ['reply', 0.5, [0]],
  ] as const) {
    const code = await freshCode(practice)
    const { pid, port, dataDir } = service
    const marker = hashBearer(code)
    relay.cutNext({ marker, during, share, onCut: () => process.kill(pid, 'SIGKILL') })
    await assert.rejects(exchange(practice, code), 'the service is killed')
    await service.end('SIGKILL')
    service = await startService({ ...onDatabase(relay.url), dataDir, port })
    const tokens = await countTokens(practice, code)
    assert.ok((tokensAfter as readonly number[]).includes(tokens), `${during} ${share}: ${tokens}`)
  }
})

async function countTokens(practice: Practice, code: string): Promise<number> {
  const answers = await Promise.all([1, 2, 3].map(() => exchange(practice, code)))
  const refused = answers.filter(({ body }) => body.error === 'invalid_grant').length
  const granted = answers.filter(({ status }) => status === 200).length
  assert.equal(refused + granted, answers.length)
  return granted
}
