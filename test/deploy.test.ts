// What operators take along names metrics that a node serves, and every alert has its entry in the runbook.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CHAIN } from '../packages/server/src/audit/audit-chain.ts'
import { prometheusMetrics } from '../packages/server/src/metrics/prometheus.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const alerts = read('deploy/prometheus/alerts.yml')
const dashboard = read('deploy/grafana/dashboard.json')

async function servedNames(): Promise<Set<string>> {
  const metrics = prometheusMetrics('1.0.0')
  metrics.watch({
    eventStreams: () => 1,
    queueDepth: () => 0,
    signingKeyAgeSeconds: () => 60,
    clockOffsetSeconds: () => -0.5,
    hostOrigins: () => 1,
    partitionsUnavailable: async () => 0,
    occurrences: async () => new Map([['backup', 1_800_000_000_000]]),
    tlsExpirySeconds: () => 1_800_000_000,
    auditChainLagSeconds: async () => 3,
  })
  metrics.noteLaunch('failed', 'secret_wrong')
  metrics.noteTimeToReady(1)
  metrics.noteSignIn('password', 'refused')
  metrics.noteError('region_not_allowed')
  metrics.noteRequest('/app-auth/token', 'POST', 200, 0.004)
  const db = metrics.timed({
    read: async () => [],
    write: async () => [],
    close: async () => {},
  } as never)
  await db.read({ sql: '', args: [] })
  const text = await metrics.render()
  return new Set([...text.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name = '']) => name))
}

test('alerts and dashboard use metrics that a node serves', async () => {
  const served = await servedNames()
  const used = [alerts, dashboard].flatMap((text) =>
    [...text.matchAll(/\b((?:chartside|nodejs|process)_\w+)/g)].map(([, name = '']) => name),
  )
  assert.ok(used.length > 20)
  assert.deepEqual(
    [...new Set(used)].filter((name) => !served.has(name)),
    [],
  )
})

test('audit events wait as long for the alert as for the exit code of audit verify', () => {
  assert.ok(alerts.includes(`max(chartside_audit_chain_lag_seconds) > ${CHAIN.alarmMs / 1000}\n`))
})

test('the pages of operators name metrics that a node serves', async () => {
  const served = await servedNames()
  const pages = globSync('docs/operate/*.md', { cwd: new URL('..', import.meta.url) })
  const named = new Set(pages.flatMap((page) => read(page).match(/chartside_\w+/g) ?? []))
  // A role and a database of PostgreSQL.
  for (const other of ['chartside_service', 'chartside_before']) named.delete(other)
  assert.ok(named.size >= 9)
  for (const name of named) assert.ok(served.has(name) || served.has(`${name}_bucket`), name)
})

test('every alert has its entry in the runbook, and no entry is left over', () => {
  const named = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const linked = [...alerts.matchAll(/runbook\.md#(\w+)/g)].map(([, name]) => name)
  const entries = [...read('docs/operate/runbook.md').matchAll(/^## (Chartside\w+)$/gm)].map(
    ([, name]) => name,
  )
  assert.deepEqual(entries, named)
  assert.deepEqual(
    linked,
    named.map((name) => name?.toLowerCase()),
  )
})

test('the dashboard is one that Grafana can import', () => {
  const { panels, templating } = JSON.parse(dashboard)
  assert.ok(panels.length >= 8)
  assert.equal(templating.list[0].name, 'source')
  for (const { targets, title } of panels) assert.ok(targets.length > 0 && title)
})

test('a source that cannot be read is absent from the scrape, not zero', async () => {
  const metrics = prometheusMetrics('1.0.0')
  metrics.watch({
    eventStreams: () => 0,
    queueDepth: () => 0,
    signingKeyAgeSeconds: () => {
      throw new Error('no key')
    },
    clockOffsetSeconds: () => 0,
    hostOrigins: () => 0,
    partitionsUnavailable: async () => 0,
    occurrences: async () => new Map([['backup', 1_800_000_000_000]]),
    auditChainLagSeconds: () => Promise.reject(new Error('no database')),
  })
  const text = await metrics.render()
  assert.match(text, /^chartside_event_streams 0$/m)
  assert.doesNotMatch(text, /^chartside_signing_key_age_seconds \d/m)
  assert.doesNotMatch(text, /^chartside_audit_chain_lag_seconds \d/m)
})
