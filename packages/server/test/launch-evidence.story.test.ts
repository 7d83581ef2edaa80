// What a launch keeps as evidence, and who reads it: the caller of the exchange and its secret for the owner of
// the app, the name of the person for the practice, versions and times of the page for both. A vendor and
// a practice are two accounts here. Contract §3, security K01, P01, V11, V18.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Launch, LaunchStep } from '@chartside/protocol/launch'
import type { Actor } from './account-fixture.ts'
import { checkAnswer } from './answer-check.ts'
import { type PracticeWithVendor, startPracticeWithVendor } from './practice-fixture.ts'

let at: PracticeWithVendor
before(async () => {
  at = await startPracticeWithVendor()
})
after(() => at.node.close())

async function show({ token }: Actor, id: string): Promise<Launch> {
  const answer = await at.call(token, 'GET', `/api/launches/${id}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const stepOf = ({ steps }: Launch, outcome: 'ok' | 'failed'): LaunchStep | undefined =>
  steps.find((step) => step.step === 'exchange' && step.outcome === outcome)

test('shows the owner of the app who exchanged, how and with which secret [K01]', async () => {
  const launch = await at.launch()
  assert.equal((await at.exchange(launch)).statusCode, 200)
  const { developer } = at.vendor.people
  const client = stepOf(await show(developer, launch.id), 'ok')?.client
  const { createdAt = '', ...secret } = client?.secret ?? { state: 'live' }
  assert.ok(Date.parse(createdAt) > 0)
  assert.deepEqual(
    { ...client, secret },
    {
      ...{ address: '127.0.0.1', method: 'client_secret_post', encoding: 'json' },
      secret: { state: 'live', id: at.vendor.secretId },
    },
  )
})

test('names Basic authentication, the form, and the country of the caller', async () => {
  const { regions } = at.node.service
  const { findCountry } = regions
  Object.assign(regions, { findCountry: () => 'US' })
  const launch = await at.launch()
  const pair = `${at.vendor.app.clientId}:${at.vendor.secret}`
  const answer = await at.node.server
    .inject({
      method: 'POST',
      url: '/app-auth/token',
      headers: {
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: `${new URLSearchParams({ grant_type: 'authorization_code', code: await at.code(launch) })}`,
    })
    .finally(() => Object.assign(regions, { findCountry }))
  assert.equal(answer.statusCode, 200, answer.body)
  const client = stepOf(await show(at.vendor.people.developer, launch.id), 'ok')?.client
  assert.deepEqual(
    [client?.method, client?.encoding, client?.country],
    ['client_secret_basic', 'form', 'US'],
  )
})

test('says which secret a refused exchange tried, and never the secret [K01]', async () => {
  const { vendor, practice } = at
  const { developer } = vendor.people
  const make = async (fields: object) => {
    const url = `/api/apps/${vendor.app.id}/secrets`
    return (await at.call(developer.token, 'POST', url, fields)).json()
  }
  const retired = await make({ label: 'Production 2025' })
  const removed = `/api/apps/${vendor.app.id}/secrets/${retired.id}`
  assert.equal((await at.call(developer.token, 'DELETE', removed)).statusCode, 204)
  const expiresAt = new Date(at.node.clock() + 60_000).toISOString()
  const expired = await make({ expiresAt })
  const altered = `${vendor.secret.slice(0, -1)}${vendor.secret.endsWith('A') ? 'B' : 'A'}`
  const cases = [
    [retired.secret, 'secret_retired', 'retired', retired.id],
    [expired.secret, 'secret_expired', 'expired', expired.id],
    [practice.secret, 'secret_of_another_app', 'of_another_app', undefined],
    [altered, 'secret_wrong', 'altered', vendor.secretId],
    [`cs_${'0'.repeat(22)}${'a'.repeat(43)}`, 'secret_wrong', 'unknown', undefined],
    [`${vendor.secret}\n`, 'secret_wrong', 'malformed', undefined],
    ['hunter2 with <script>', 'secret_wrong', 'malformed', undefined],
  ] as const
  at.node.clock.advance(61)
  for (const [secret, reason, state, id] of cases) {
    const launch = await at.launch()
    const answer = await at.exchange(launch, { client_secret: secret })
    assert.equal(answer.statusCode, 401)
    assert.match(answer.json().error_description, /^The client is unknown or its secret is wrong/)
    const seen = await show(developer, launch.id)
    const step = stepOf(seen, 'failed')
    assert.deepEqual([step?.reason, step?.client?.secret?.state], [reason, state], secret)
    assert.equal(step?.client?.secret?.id, id, state)
    assert.equal(seen.outcome, 'failed')
    const text = JSON.stringify(seen)
    for (const part of [secret, secret.slice(-12)]) assert.equal(text.includes(part), false, state)
    assert.deepEqual(
      step?.sent?.map(({ name }) => name),
      ['grant_type', 'code', 'client_id', 'client_secret'],
    )
  }
  const last = (await at.call(developer.token, 'GET', '/api/launches?reason=secret_retired')).json()
  assert.equal(last.items[0].steps.at(-2).client.secret.label, 'Production 2025')
  assert.ok(last.items[0].steps.at(-2).client.secret.retiredAt)
})

test('shows caller and secret to the owner of the app only [P01, V18]', async () => {
  const ready = await at.launch()
  await at.exchange(ready)
  const failed = await at.launch()
  await at.exchange(failed, { client_secret: at.practice.secret })
  const { provider, accountAdmin, platformAdmin } = at.practice.people
  const { developer, accountAdmin: vendorAdmin } = at.vendor.people
  for (const { id } of [ready, failed]) {
    for (const actor of [provider, accountAdmin]) {
      const text = JSON.stringify(await show(actor, id))
      assert.equal(/"client":|sec_[0-9a-z]{22}|127\.0\.0\.1/.test(text), false, text)
    }
    for (const actor of [developer, vendorAdmin, platformAdmin]) {
      assert.match(JSON.stringify(await show(actor, id)), /"client":/)
    }
  }
})

test('stores no address of a browser that exchanges', async () => {
  const launch = await at.launch()
  const headers = { origin: 'https://notes.example' }
  assert.equal((await at.exchange(launch, {}, headers)).statusCode, 400)
  const step = stepOf(await show(at.vendor.people.developer, launch.id), 'failed')
  assert.deepEqual([step?.reason, step?.client], ['exchange_from_page', undefined])
})

test('names the person to themselves, their practice and the platform only [V18]', async () => {
  const { id } = await at.launch()
  const { provider, accountAdmin, platformAdmin } = at.practice.people
  for (const actor of [provider, accountAdmin, platformAdmin]) {
    assert.equal((await show(actor, id)).userName, 'Provider')
    const [item] = (await at.call(actor.token, 'GET', '/api/launches?limit=1')).json().items
    assert.deepEqual([item.id, item.userName], [id, 'Provider'])
  }
  for (const { token } of [at.vendor.people.developer, at.vendor.people.accountAdmin]) {
    for (const url of [`/api/launches/${id}`, '/api/launches?limit=1']) {
      const { body } = await at.call(token, 'GET', url)
      assert.ok(body.includes(id), url)
      assert.equal(/userName|Provider|@test\.example/.test(body), false, body)
    }
  }
})

test('shows versions of host and SDK and the times of the page, first report only', async () => {
  const { id } = await at.launch()
  const page = {
    ...{ hostVersion: 'Extension 1.2.0', sdkVersion: '1.0.0' },
    timings: { responseStartMs: 81, responseEndMs: 90, domContentLoadedMs: 0, helloMs: 412 },
  }
  const report = (sent: object) =>
    at.call(at.practice.people.provider.token, 'POST', `/api/launches/${id}/steps`, {
      ...{ step: 'handshake', outcome: 'ok' },
      ...sent,
    })
  assert.equal((await report({ page })).statusCode, 204)
  assert.equal((await report({ page: { sdkVersion: '6.6.6' } })).statusCode, 204)
  for (const actor of [at.practice.people.accountAdmin, at.vendor.people.developer]) {
    assert.deepEqual((await show(actor, id)).page, page)
  }
})

test('refuses hostile versions and times, and keeps nothing of them [V11]', async () => {
  const { id } = await at.launch()
  const url = `/api/launches/${id}/steps`
  const times = { responseStartMs: 1, responseEndMs: 1, domContentLoadedMs: 1, helloMs: 1 }
  for (const page of [
    { sdkVersion: '<img src=x onerror=alert(1)>' },
    { hostVersion: 'v'.repeat(65) },
    { hostVersion: 'a\u202eb' },
    { timings: { ...times, helloMs: -1 } },
    { timings: { ...times, helloMs: 1e15 } },
    { timings: { ...times, helloMs: 0.5 } },
    { timings: { helloMs: 1 } },
    { timings: { ...times, extra: 1 } },
    { unknown: true },
  ]) {
    const { token } = at.practice.people.provider
    const headers = { authorization: `Bearer ${token}` }
    const payload = { step: 'handshake', outcome: 'ok', page }
    const answer = await at.node.server.inject({ method: 'POST', url, headers, payload })
    checkAnswer('POST', url, answer)
    assert.equal(answer.statusCode, 400, JSON.stringify(page))
  }
  const seen = await show(at.practice.people.provider, id)
  assert.deepEqual([seen.page, seen.steps.map(({ step }) => step)], [undefined, ['created']])
})
