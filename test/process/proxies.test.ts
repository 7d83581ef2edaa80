// nginx and HAProxy of Debian with the configurations of docs/operate/proxies.md in front of real nodes: event streams
// pass at once, and while the nodes are restarted one after another no launch is lost. Security F03.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts'
import { isMissing } from './debian.ts'
import { PROXIES, type RunningProxy, startProxy } from './documented-proxy.ts'
import { ADMIN, findFreePort, type ServiceProcess, startService } from './service-process.ts'
import { launchSteadily } from './steady-launches.ts'
import { bearer, type Practice, setUpPractice } from './story-verbs.ts'

/** Four in the long form: CHARTSIDE_TEST_NODES=4 npm test -- proxies */
const NODES = Number(process.env.CHARTSIDE_TEST_NODES ?? 2)
const LAUNCHES_PER_SECOND = 10
const DRAIN_SECONDS = 4

let postgres: TestPostgres
const nodes: ServiceProcess[] = []
const ports: number[] = []
const found = new Map<string, RunningProxy | string>()
let practice: Practice

async function startNode(n: number): Promise<void> {
  nodes[n] = await startService({
    port: ports[n] ?? 0,
    environment: {
      CHARTSIDE_DATABASE_URL: databaseUrl,
      CHARTSIDE_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
      CHARTSIDE_DRAIN_SECONDS: String(DRAIN_SECONDS),
      CHARTSIDE_TRUSTED_PROXIES: 'loopback',
    },
  })
}

let databaseUrl = ''
before(async () => {
  postgres = await startPostgres()
  databaseUrl = await postgres.freshDividedDatabase()
  for (let n = 0; n < NODES; n++) {
    ports.push(await findFreePort())
    await startNode(n)
  }
  practice = await setUpPractice(nodes[0]?.baseUrl ?? '', ADMIN)
  for (const name of PROXIES) {
    const proxy = await startProxy(name, ports)
    found.set(name, isMissing(proxy) ? proxy.why : proxy)
  }
})
after(async () => {
  for (const proxy of found.values()) if (typeof proxy !== 'string') await proxy.stop()
  await Promise.all(nodes.map((node) => node.discard()))
  await postgres?.stop()
})

for (const name of PROXIES) {
  test(`${name} as documented passes the first bytes of a stream within a second`, async (t) => {
    const proxy = found.get(name)
    if (typeof proxy !== 'object') return t.skip(proxy)
    const abort = new AbortController()
    const began = performance.now()
    const answer = await fetch(`${proxy.url}/api/sessions/${practice.sessionId}/events`, {
      headers: bearer(practice.sessionToken),
      signal: abort.signal,
    })
    const first = await answer.body?.getReader().read()
    const tookMs = performance.now() - began
    abort.abort()
    assert.match(Buffer.from(first?.value ?? []).toString(), /^: open/)
    assert.ok(tookMs < 1000, `${Math.round(tookMs)} ms`)
  })
}

test('loses no launch while nodes restart one after another behind a proxy [F03]', async (t) => {
  const proxies = [...found.values()].filter((proxy) => typeof proxy === 'object')
  if (proxies.length < PROXIES.length) t.diagnostic([...found.values()].map(String).join('; '))
  if (proxies.length === 0) return t.skip('neither proxy can be had here')
  const loads = proxies.map(({ url }) =>
    launchSteadily({ ...practice, baseUrl: url }, LAUNCHES_PER_SECOND),
  )
  // A failure below must not leave the loads running.
  t.after(() => Promise.all(loads.map((load) => load.stop())))
  await sleep(1000)
  for (let n = 0; n < NODES; n++) {
    assert.deepEqual(await nodes[n]?.end('SIGTERM'), { code: 0, signal: null })
    await startNode(n)
    await sleep(1500)
  }
  for (const [n, load] of loads.entries()) {
    const { completed, failures } = await load.stop()
    t.diagnostic(`${proxies[n]?.name}: ${completed} launches, ${failures.length} lost`)
    assert.deepEqual(failures, [], `${proxies[n]?.name}\n${proxies[n]?.output().slice(-2000)}`)
    assert.ok(completed > NODES * LAUNCHES_PER_SECOND, String(completed))
  }
})
