// A full run against the real service: every module passes or is skipped with a reason, apart from
// what the decisions mark as not built yet. Security sections 15 and 16.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SAMPLE_ADMIN_EMAIL } from '@chartside/server/sample-data'
import { ChartsideApi, SANDBOX_EMAIL } from '../src/chartside-api.ts'
import { openChartside } from '../src/chartside-target.ts'
import { HttpClient } from '../src/http-client.ts'
import { KNOWN_DEVIATIONS } from './known-deviations.ts'
import { explain, type Ran, runPlain, runSuite } from './run.ts'
import { type Service, startService, TEST_ADMIN } from './service.ts'

let service: Service
let ran: Ran
before(async () => {
  service = await startService()
  await registerEs256(service.origin)
  ran = await runSuite('--base-url', service.origin, '--code-reuse-wait-seconds', '1')
})
after(() => service.stop())

/** An app of another vendor: the run is not the first that registers ES256. */
async function registerEs256(origin: string): Promise<void> {
  const limits = { maxRequests: 10, timeoutMs: 10_000, allowRemote: false }
  const http = new HttpClient({ ...limits, signal: AbortSignal.timeout(10_000) })
  const api = await ChartsideApi.signIn(origin, http, TEST_ADMIN, new Set())
  const { id: accountId } = await api.call('POST', '/api/accounts', { name: 'Lakeside' })
  const app = { accountId, name: 'Notes', idTokenSignedResponseAlg: 'ES256' }
  await api.call('POST', '/api/apps', app)
}

test('passes every module that the service is built for [D03]', () => {
  const unexpected = ran.failed.filter((id) => !(id in KNOWN_DEVIATIONS))
  assert.deepEqual(unexpected, [], explain(ran))
  assert.ok(ran.report.summary.passed >= 80, ran.printed)
  assert.equal(ran.code, ran.failed.length > 0 ? 1 : 0)
})

test('names a reason for each module that it skips', () => {
  const skipped = ran.report.modules.filter(({ verdict }) => verdict === 'skipped')
  assert.deepEqual(
    skipped.map(({ id }) => id),
    [
      'oidcc-idtoken-unsigned',
      'oidcc-scope-address',
      'oidcc-scope-phone',
      'oidcc-scope-all',
      'oidcc-claims-essential',
      'oidcc-ensure-request-object-with-redirect-uri',
      'oidcc-refresh-token',
      'oidcc-server-rotate-keys',
    ],
  )
  for (const { id, reason = '' } of skipped) assert.ok(reason.length > 20, id)
})

test('proves a refusal before it skips a module', () => {
  for (const { id, verdict, requests } of ran.report.modules) {
    if (verdict !== 'skipped' || id === 'oidcc-server-rotate-keys') continue
    assert.ok(requests > 0, id)
  }
})

test('keeps secrets out of every report [C15]', () => {
  const secrets = [
    /\b(at|cs|st|code|lnch)_[\w-]{32,}/,
    /eyJ[\w-]{10,}\.eyJ/,
    /Basic [A-Za-z0-9+/]{16,}/,
    new RegExp(TEST_ADMIN.password),
  ]
  for (const [name, text] of Object.entries(ran)) {
    if (typeof text !== 'string') continue
    for (const secret of secrets) assert.equal(secret.exec(text)?.[0], undefined, name)
  }
})

test('takes a registered client, and skips what needs a second one', async () => {
  const signal = new AbortController().signal
  const http = new HttpClient({ maxRequests: 50, timeoutMs: 10_000, allowRemote: false, signal })
  const target = await openChartside(http, {
    baseUrl: service.origin,
    issuer: `${service.origin}/app-auth`,
    credentials: TEST_ADMIN,
    client: undefined,
    accountId: undefined,
    ehrType: 'meadow',
    secrets: new Set(),
  })
  const { id, secret, redirectUri } = target.client
  const { report } = await runSuite(
    ...['--base-url', service.origin, '--client-id', id, '--client-secret', secret],
    ...['--redirect-uri', redirectUri, '--only', 'oidcc-server,rfc6749-code-bound-to-client'],
    ...['oidcc-redirect-uri-query-OK', 'launch-of-another-app'],
  )
  await target.close()
  assert.deepEqual(
    report.modules.map((module) => [module.id, module.verdict]),
    [
      ['oidcc-server', 'passed'],
      ['oidcc-redirect-uri-query-OK', 'skipped'],
      ['rfc6749-code-bound-to-client', 'skipped'],
      ['launch-of-another-app', 'skipped'],
    ],
  )
})

test('ends with code 2 at its bound of requests', async () => {
  const { code, errors } = await runPlain('--base-url', service.origin, '--max-requests', '30')
  assert.equal(code, 2)
  assert.match(errors, /^The run has sent 30 requests, its limit \(--max-requests\)\.\n$/)
})

test('removes what each run registered, however it ended', async () => {
  const signedIn = await fetch(`${service.origin}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(TEST_ADMIN),
  })
  const { token } = (await signedIn.json()) as { token: string }
  const listed = await fetch(`${service.origin}/api/accounts`, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(listed.status, 200)
  assert.doesNotMatch(await listed.text(), /Conformance/)
})

test('signs in with the sample administrator of a development service', () => {
  assert.equal(SANDBOX_EMAIL, SAMPLE_ADMIN_EMAIL)
})
