// The nine-o'clock call of docs/operate/runbook.md: each of its six causes is played on one node, and each is answered
// by the console (cause and whose turn), the log (app, code, trace id) and the metrics (a count by reason).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Launch } from '@chartside/protocol/payloads'
import {
  decideVerdict,
  type Responsible,
} from '../../packages/console/src/pages/launches/verdict.ts'
import { ADMIN, findFreePort, type ServiceProcess, startService } from './service-process.ts'
import {
  api,
  authorize,
  exchange,
  launch,
  type Practice,
  registerApp,
  send,
  sendJson,
  setUpPractice,
  tokenRequest,
} from './story-verbs.ts'

/** An address of the Netherlands; only the United States are allowed by default. */
const ABROAD = '193.0.6.139'
const CODE_LIFETIME_SECONDS = 3

let service: ServiceProcess
let practice: Practice
let metricsPort = 0

before(async () => {
  metricsPort = await findFreePort()
  service = await startService({
    isStartedBefore: true,
    environment: {
      CHARTSIDE_METRICS_PORT: String(metricsPort),
      CHARTSIDE_REQUEST_LOG: 'on',
      CHARTSIDE_TRUSTED_PROXIES: '127.0.0.1',
      CHARTSIDE_CODE_LIFETIME_SECONDS: String(CODE_LIFETIME_SECONDS),
    },
  })
  practice = await setUpPractice(service.baseUrl, ADMIN)
})
after(() => service.discard())

/** As the page of a launch in the console says it. */
async function askConsole(id: string): Promise<{ reason: string | undefined; who: Responsible }> {
  const { body, status } = await api(practice, 'GET', `/api/launches/${id}`)
  assert.equal(status, 200)
  return decideVerdict(body as unknown as Launch)
}

/** As the head of the list says it: the failures of today by cause. */
async function listCauses(): Promise<{ reason: string; app: string; count: number }[]> {
  const { body } = await api(practice, 'GET', '/api/launches/causes')
  const items = body.items as { reason: string; app: { name: string }; count: number }[]
  return items.map(({ reason, app, count }) => ({ reason, app: app.name, count }))
}

/** The line of the log, once it is written. */
async function findLine(fits: (line: Record<string, unknown>) => boolean) {
  for (let waited = 0; waited < 5000; waited += 10) {
    for (const text of service.output().split('\n')) {
      if (!text.startsWith('{') || !text.endsWith('}')) continue
      const line: Record<string, unknown> = JSON.parse(text)
      if (fits(line)) return line
    }
    await sleep(10)
  }
  return assert.fail(`no such line:\n${service.output()}`)
}

const requestLine = (outcome: string, client = practice.app.clientId) =>
  findLine((line) => line.outcome === outcome && line.client === client)

async function countOf(metric: string): Promise<number> {
  // The metrics are rendered once a second.
  await sleep(1_050)
  const { text } = await send(`http://127.0.0.1:${metricsPort}`, '/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`${metric} `))
  return Number(line?.slice(metric.length) ?? 0)
}

const failed = (reason: string) =>
  countOf(`chartside_launches_total{outcome="failed",reason="${reason}"}`)
const refused = (code: string) => countOf(`chartside_request_errors_total{code="${code}"}`)

/** The three answers to a launch that failed. */
async function assertAnswered(id: string, reason: string, line: Record<string, unknown>) {
  const verdict = await askConsole(id)
  assert.deepEqual([verdict.reason, verdict.who], [reason, 'developer'])
  const cause = (await listCauses()).find((one) => one.reason === reason)
  assert.deepEqual(cause, { reason, app: 'Process Notes', count: 1 })
  assert.match(String(line.traceId), /^[0-9a-f]{32}$/)
  const { body } = await api(practice, 'GET', `/api/launches?traceId=${line.traceId}`)
  const found = body.items as { id: string }[]
  assert.deepEqual(
    found.map((one) => one.id),
    [id],
    'the console finds it by the trace id',
  )
  assert.equal(await failed(reason), 1)
}

test('the page of the app does not load', async () => {
  const { id } = await launch(practice)
  const report = { step: 'handshake', outcome: 'failed', code: 'HANDSHAKE_TIMEOUT' }
  assert.equal((await api(practice, 'POST', `/api/launches/${id}/steps`, report)).status, 204)
  const line = await findLine(({ launch: named }) => named === id)
  assert.deepEqual([line.app, line.code], [practice.app.id, 'HANDSHAKE_TIMEOUT'])
  await assertAnswered(id, 'host_reported', line)
})

test('the app sends an address that is not registered', async () => {
  const { id, launchId } = await launch(practice)
  await authorize(practice, launchId, { redirect_uri: 'https://notes.example/callback/' })
  const line = await requestLine('invalid_request')
  await assertAnswered(id, 'redirect_uri_unregistered', line)
})

test('the server of the app has a wrong secret', async () => {
  const { id, launchId } = await launch(practice)
  const { code = '' } = await authorize(practice, launchId)
  const wrong = { client_secret: `${practice.app.secret.slice(0, -3)}abc` }
  assert.equal((await exchange(practice, code, wrong)).status, 401)
  await assertAnswered(id, 'secret_wrong', await requestLine('invalid_client'))
})

test('the server of the app is slow', async () => {
  const { id, launchId } = await launch(practice)
  const { code = '' } = await authorize(practice, launchId)
  await sleep(CODE_LIFETIME_SECONDS * 1000 + 50)
  assert.equal((await exchange(practice, code)).status, 400)
  await assertAnswered(id, 'code_expired', await requestLine('invalid_grant'))
})

test('the server of the app calls from another country', async () => {
  const { id, launchId } = await launch(practice)
  const { code = '' } = await authorize(practice, launchId)
  // Refused before its body is read: only HTTP Basic names the client.
  const { client_id: client, client_secret: secret, ...request } = tokenRequest(practice, code)
  const authorization = `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`
  const abroad = { 'x-forwarded-for': ABROAD, authorization }
  const answer = await sendJson(practice.baseUrl, '/app-auth/token', request, abroad)
  assert.equal(answer.status, 403)
  const line = await requestLine('region_not_allowed')
  assert.equal(line.ip, ABROAD)
  assert.match(answer.text, new RegExp(String(line.traceId)))
  assert.equal(await refused('region_not_allowed'), 1)
  const { body } = await api(practice, 'GET', `/api/launches/${id}`)
  assert.equal(body.outcome, 'opening', 'the launch waits for its exchange')
})

test('the practice runs no version with the app', async () => {
  const other = await registerApp(practice, practice.accountId, 'Not in any collection')
  const path = `/api/sessions/${practice.sessionId}/launches`
  const answer = await api(practice, 'POST', path, { appId: other.id, kind: 'ui' })
  assert.equal(answer.status, 409)
  const line = await findLine(({ outcome }) => outcome === 'app_not_available')
  assert.equal(line.traceId, answer.body.traceId)
  assert.equal(await refused('app_not_available'), 1)
  // What runs where.
  const { body } = await api(practice, 'GET', `/api/sessions/${practice.sessionId}`)
  const apps = body.apps as { id: string }[]
  assert.ok(!apps.some((app) => app.id === other.id))
})

test('the runbook names the six causes as they are played here', async () => {
  const runbook = readFileSync(new URL('../../docs/operate/runbook.md', import.meta.url), 'utf8')
  const rows = runbook
    .slice(runbook.indexOf('## Nine'))
    .split('\n')
    .filter((l) => /^\| (failed|stays|no)/.test(l))
  const named = rows.map((row) => /(?:reason|code)="(\w+)"/.exec(row)?.[1])
  assert.deepEqual(named, [
    'host_reported',
    'redirect_uri_unregistered',
    'secret_wrong',
    'code_expired',
    'region_not_allowed',
    'app_not_available',
  ])
  for (const [i, row] of rows.entries()) {
    const metric = /`(chartside_\w+\{[^`]+\})`/.exec(row)?.[1] ?? ''
    assert.ok((await countOf(metric)) > 0, `${i}: ${metric}`)
  }
})
