// The file system under the database is really full: a small tmpfs with no block left. The node is not
// ready as long as launches fail, whatever fits into an old page, and it is ready again by itself when
// there is room. PostgreSQL and SQLite, each a real one. Security F01, F04.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { administerAt } from '../../packages/server/test/postgres.ts'
import { launchServer } from '../../packages/server/test/postgres-server.ts'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import { mountSmallDisk, type SmallDisk, whyNoMount } from './small-disk.ts'
import { api, send, setUpPractice } from './story-verbs.ts'

const skip = whyNoMount() ?? false
const cleanUps: (() => unknown)[] = []
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

function mount(megabytes: number): SmallDisk {
  const disk = mountSmallDisk(megabytes)
  cleanUps.push(() => disk.unmount())
  return disk
}

async function start(options: Parameters<typeof startService>[0]): Promise<ServiceProcess> {
  const service = await startService(options)
  cleanUps.push(() => service.discard())
  return service
}

/** Launches for some seconds; how many failed, and what /health/ready said after the first failure. */
async function launchWhileFull(practice: Awaited<ReturnType<typeof setUpPractice>>) {
  const path = `/api/sessions/${practice.sessionId}/launches`
  const probes: number[] = []
  let failed = 0
  let cause = ''
  for (let round = 0; round < 400 && probes.length < 12; round++) {
    const { status } = await api(practice, 'POST', path, { appId: practice.app.id, kind: 'ui' })
    assert.ok(status === 201 || status === 503, String(status))
    if (status === 503) failed += 1
    if (failed === 0) continue
    const probe = await send(practice.baseUrl, '/health/ready')
    probes.push(probe.status)
    cause = String(probe.body.cause)
    await sleep(250)
  }
  return { failed, probes, cause }
}

async function checkFullDisk(service: ServiceProcess, disk: SmallDisk): Promise<void> {
  const practice = await setUpPractice(service.baseUrl, ADMIN)
  assert.equal((await send(service.baseUrl, '/health/ready')).status, 200)
  disk.fill()
  const { failed, probes, cause } = await launchWhileFull(practice)
  assert.ok(failed > 0, 'launches fail on a full disk')
  assert.deepEqual(new Set(probes), new Set([503]), 'not ready once, and at every later probe')
  assert.match(cause, /disk/)
  assert.equal((await send(service.baseUrl, '/health/live')).status, 200)
  assert.equal((await api(practice, 'GET', '/api/users/me')).status, 200)
  disk.makeRoom()
  for (
    let waited = 0;
    (await send(service.baseUrl, '/health/ready')).status !== 200;
    waited += 50
  ) {
    assert.ok(waited < 5000, 'ready again by itself')
    await sleep(50)
  }
  const path = `/api/sessions/${practice.sessionId}/launches`
  const launched = await api(practice, 'POST', path, { appId: practice.app.id, kind: 'ui' })
  assert.equal(launched.status, 201)
}

test('postgres: not ready on a really full disk, ready by itself after it [F01, F04]', {
  skip,
}, async () => {
  const disk = mount(96)
  const server = await launchServer({}, disk.path)
  cleanUps.push(() => server.stop())
  await administerAt(server.url, 'CREATE DATABASE chartside')
  const url = server.url.replace(/postgres$/, 'chartside')
  await checkFullDisk(await start({ environment: { CHARTSIDE_DATABASE_URL: url } }), disk)
})

test('sqlite: not ready on a really full disk, ready by itself after it [F01, F04]', {
  skip,
}, async () => {
  const disk = mount(16)
  await checkFullDisk(await start({ dataDir: disk.path }), disk)
})
