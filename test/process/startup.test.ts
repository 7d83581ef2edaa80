// How the process starts and stops: what a configuration error and a taken port print, and a stop in
// good order. How fast it starts and what it costs is measured in test/performance. Contract §7.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import {
  ADMIN,
  type Ending,
  type ServiceProcess,
  spawnService,
  startService,
} from './service-process.ts'
import { bearer, setUpPractice } from './story-verbs.ts'

const STOPS_WITHIN_MS = 2000

let first: ServiceProcess
before(async () => {
  first = await startService()
  await first.end()
})
after(() => first.discard())

const startAgain = () => startService({ dataDir: first.dataDir })

test('lists every problem of a wrong environment, no secret, and exits with 1', async () => {
  const { ending, printed } = await runToEnd({
    CHARTSIDE_ENVIRONMENT: 'prod',
    CHARTSIDE_PORT: 'http',
    CHARTSIDE_BASE_URL: 'ftp://chartside.example',
    CHARTSIDE_MASTER_KEY: 'c2VjcmV0LW1hc3Rlci1rZXk=',
    CHARTSIDE_LOG_LEVEL: 'loud',
    CHARTSIDE_CODE_LIFETIME_SECONDS: '0',
    CHARTSIDE_HOST_ORIGINS: 'https://*.example',
  })
  assert.deepEqual(ending, { code: 1, signal: null })
  for (const variable of [
    'CHARTSIDE_ENVIRONMENT',
    'CHARTSIDE_PORT',
    'CHARTSIDE_BASE_URL',
    'CHARTSIDE_MASTER_KEY',
    'CHARTSIDE_LOG_LEVEL',
    'CHARTSIDE_CODE_LIFETIME_SECONDS',
    'CHARTSIDE_HOST_ORIGINS',
  ]) {
    assert.match(printed, new RegExp(`${variable} \\S`), `${variable} is not named:\n${printed}`)
  }
  assert.ok(!printed.includes('c2VjcmV0'), printed)
  assert.ok(!printed.includes(ADMIN.password), printed)
  assert.doesNotMatch(printed, /\n\s+at /, 'no stack trace')
})

test('problems of single settings and of settings together are listed in one go', async () => {
  const { ending, printed } = await runToEnd({
    CHARTSIDE_ENVIRONMENT: 'production',
    CHARTSIDE_BASE_URL: 'http://chartside.example',
    CHARTSIDE_LOG_LEVEL: 'loud',
  })
  assert.equal(ending.code, 1)
  for (const variable of [
    'CHARTSIDE_LOG_LEVEL',
    'CHARTSIDE_BASE_URL',
    'CHARTSIDE_ISSUER_URL',
    'CHARTSIDE_MASTER_KEY',
  ]) {
    assert.match(printed, new RegExp(`${variable} \\S`), `${variable} is not named:\n${printed}`)
  }
})

test('a taken port is named together with its fix', async () => {
  const { ending, printed, port } = await runOnTakenPort({})
  assert.deepEqual(ending, { code: 1, signal: null })
  assert.match(printed, new RegExp(`Port ${port} is taken`))
  assert.match(printed, /CHARTSIDE_PORT/)
  assert.doesNotMatch(printed, /\n\s+at /, 'no stack trace')
})

test('a start without a host origin warns that no host can open apps', async () => {
  const warning = /CHARTSIDE_HOST_ORIGINS is empty: no extension and no page can open apps/
  assert.match((await runOnTakenPort({ CHARTSIDE_HOST_ORIGINS: '' })).printed, warning)
  const origins = { CHARTSIDE_HOST_ORIGINS: 'https://ehr.example' }
  assert.doesNotMatch((await runOnTakenPort(origins)).printed, warning)
})

test('SIGTERM stops it in good order within 2 s although an event stream is open', async () => {
  const service = await startAgain()
  const practice = await setUpPractice(service.baseUrl, ADMIN)
  const stream = await fetch(`${service.baseUrl}/api/sessions/${practice.sessionId}/events`, {
    headers: bearer(practice.sessionToken),
  })
  assert.equal(stream.status, 200)
  const reader = stream.body?.getReader()
  await reader?.read()
  const closed = (async () => {
    while (!(await reader?.read())?.done);
  })().catch(() => undefined)

  const began = performance.now()
  const ending = await service.end('SIGTERM')
  const tookMs = performance.now() - began
  await closed
  console.log(`stopped after ${tookMs.toFixed(0)} ms with an open event stream`)
  assert.deepEqual(ending, { code: 0, signal: null })
  assert.ok(tookMs <= STOPS_WITHIN_MS, `${tookMs} ms`)
})

/** Starts a service that gives up once it has read its settings. */
async function runOnTakenPort(environment: Record<string, string>) {
  const occupant = createServer().listen(0, '127.0.0.1')
  await once(occupant, 'listening')
  const address = occupant.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const ran = await runToEnd(environment, port)
  occupant.close()
  return { ...ran, port }
}

/** Starts a service that is expected to give up, and what it printed. */
async function runToEnd(
  environment: Record<string, string>,
  port?: number,
): Promise<{ ending: Ending; printed: string }> {
  const options = { dataDir: first.dataDir, environment, ...(port ? { port } : {}) }
  const { child, ended, output } = await spawnService(options)
  const guard = setTimeout(() => child.kill('SIGKILL'), 10_000)
  const ending = await ended
  clearTimeout(guard)
  return { ending, printed: output() }
}
