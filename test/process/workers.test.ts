// Two workers behind one port on one PostgreSQL: they serve a story together, one that is killed is started
// again while launches go on, a signal drains all, and the embedded database refuses them. Contract §7.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts'
import {
  ADMIN,
  findFreePorts,
  type ServiceProcess,
  spawnService,
  startService,
} from './service-process.ts'
import { exchange, freshCode, isActive, type Practice, setUpPractice } from './story-verbs.ts'

let postgres: TestPostgres
let service: ServiceProcess
let practice: Practice
let metricsPort: number
before(async () => {
  postgres = await startPostgres()
  metricsPort = await findFreePorts(2)
  service = await startService({
    environment: {
      CHARTSIDE_WORKERS: '2',
      CHARTSIDE_DATABASE_URL: await postgres.freshDatabase(),
      CHARTSIDE_METRICS_PORT: String(metricsPort),
    },
  })
  practice = await setUpPractice(service.baseUrl, ADMIN)
  await logged(/"worker":2,.*"msg":"ready"/)
})
after(async () => {
  await service.discard()
  await postgres.stop()
})

/** Waits for a line of the log; gives it. */
async function logged(pattern: RegExp, from = 0): Promise<string> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    const line = service
      .output()
      .slice(from)
      .split('\n')
      .find((one) => pattern.test(one))
    if (line) return line
    await sleep(20)
  }
  throw new Error(`no ${pattern} in:\n${service.output()}`)
}

async function serveStory(): Promise<void> {
  const answer = await exchange(practice, await freshCode(practice))
  assert.equal(answer.status, 200, answer.text)
  assert.equal(await isActive(practice, String(answer.body.access_token)), true)
}

/** Process identifier and requests of a worker, as its own metrics say. */
async function readMetrics(number: number) {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort + number - 1}/metrics`)).text()
  const counts = [...text.matchAll(/^chartside_request_duration_seconds_count\{.*\} (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

test('both workers serve the launches of one port, with metrics of their own', async () => {
  await Promise.all(Array.from({ length: 12 }, serveStory))
  assert.ok((await readMetrics(1)) > 0)
  assert.ok((await readMetrics(2)) > 0)
  const settings = service
    .output()
    .split('\n')
    .filter((line) => /"msg":"configuration"/.test(line))
  assert.equal(settings.length, 1, 'said once for all')
})

test('a worker that is killed is started again while launches go on', async () => {
  const from = service.output().length
  const pid = Number(
    /"pid":(\d+)/.exec(await logged(/"worker":2,"pid":\d+,"msg":"a worker serves"/))?.[1],
  )
  process.kill(pid, 'SIGKILL')
  await logged(/a worker has ended and is started again/, from)
  // A connection may have been the killed worker's: its request is sent again, as every client does.
  for (let count = 0; count < 5; count++) await serveStory().catch(serveStory)
  await logged(/"worker":2,.*"msg":"ready"/, from)
  await Promise.all(Array.from({ length: 8 }, serveStory))
})

test('SIGTERM ends all workers, and then the service', async () => {
  const from = service.output().length
  const { code, signal } = await service.end('SIGTERM')
  assert.deepEqual({ code, signal }, { code: 0, signal: null })
  for (const worker of [1, 2])
    await logged(new RegExp(`"worker":${worker},.*"msg":"stopping"`), from)
})

test('the embedded database refuses workers, with the reason and the fix', async () => {
  const { ended, output } = await spawnService({ environment: { CHARTSIDE_WORKERS: '2' } })
  assert.equal((await ended).code, 1)
  assert.match(output(), /CHARTSIDE_WORKERS must be 1 with the embedded database.*PostgreSQL/)
})
