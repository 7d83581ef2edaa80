// The port for metrics and the request log of a real node: a launch that becomes ready and one that fails
// are counted, nothing personal is served, and without the setting there is no port. Contract §10.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN, findFreePort, startService } from './service-process.ts'
import { api, authorize, exchange, freshCode, launch, send, setUpPractice } from './story-verbs.ts'

test('counts what happened to launches, without a name in it', async () => {
  const port = await findFreePort()
  const service = await startService({
    isStartedBefore: true,
    environment: { CHARTSIDE_METRICS_PORT: String(port), CHARTSIDE_REQUEST_LOG: 'on' },
  })
  try {
    const scrape = async () => (await send(`http://127.0.0.1:${port}`, '/metrics')).text
    const practice = await setUpPractice(service.baseUrl, ADMIN)
    const opened = await launch(practice)
    const { code = '' } = await authorize(practice, opened.launchId)
    assert.equal((await exchange(practice, code)).status, 200)
    const step = (name: string) =>
      api(practice, 'POST', `/api/launches/${opened.id}/steps`, { step: name, outcome: 'ok' })
    assert.equal((await step('handshake')).status, 204)
    assert.equal((await step('context')).status, 204)
    const wrong = { client_secret: `${practice.app.secret.slice(0, -3)}abc` }
    assert.equal((await exchange(practice, await freshCode(practice), wrong)).status, 401)

    const text = await scrape()
    assert.match(text, /^chartside_launches_total\{outcome="opened",reason=""\} 2$/m)
    assert.match(text, /^chartside_launches_total\{outcome="ready",reason=""\} 1$/m)
    assert.match(text, /^chartside_launches_total\{outcome="failed",reason="secret_wrong"\} 1$/m)
    assert.match(text, /^chartside_time_to_ready_seconds_count 1$/m)
    assert.match(text, /^chartside_exchange_duration_seconds_count 2$/m)
    assert.match(text, /^chartside_clock_offset_seconds -?[\d.e-]+$/m)
    assert.match(text, /^chartside_sign_ins_total\{method="password",outcome="ok"\} 1$/m)
    assert.match(text, /^chartside_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
    assert.doesNotMatch(text, /^# TYPE \w+_total gauge$/m, 'a name of a counter')
    assert.match(text, /^process_resident_memory_bytes \d+/m)
    for (const secret of [opened.launchId, practice.app.clientId, practice.accountId, '@']) {
      assert.ok(!text.includes(secret), secret)
    }
    const path = await fetch(`http://127.0.0.1:${port}/api/users/me`)
    assert.equal(path.status, 404, 'the port serves nothing else')
    assert.equal((await fetch(`${service.baseUrl}/metrics`)).status, 404)

    const lines = service.output().split('\n')
    const tokens = lines.filter((line) => line.includes('"route":"/app-auth/token"'))
    assert.equal(tokens.length, 2, 'one line for each request')
    const { method, status, ms, traceId } = JSON.parse(tokens[1] ?? '{}')
    assert.deepEqual([method, status], ['POST', 401])
    assert.ok(ms > 0 && traceId)
    assert.ok(!service.output().includes(practice.app.secret))
  } finally {
    await service.discard()
  }
})
