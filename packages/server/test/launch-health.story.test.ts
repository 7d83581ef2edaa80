// Counts of a list by outcome, the usual times of an app, and its health: what they count, what they
// measure, and who reads them. Contract §3, security P01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { idFloor } from '../src/kernel/identifiers.ts'
import { countLaunchesByTime } from '../src/launches/health/launch-counting.ts'
import { type PracticeWithVendor, startPracticeWithVendor } from './practice-fixture.ts'

let at: PracticeWithVendor
before(async () => {
  at = await startPracticeWithVendor()
})
after(() => at.node.close())

/** A launch that becomes ready, with these seconds of the page before its hello. */
async function makeReady(seconds: number) {
  const launch = await at.launch()
  await at.report(launch, 'opened')
  assert.equal((await at.exchange(launch)).statusCode, 200)
  at.node.clock.advance(seconds)
  await at.report(launch, 'handshake', 'context')
  return launch
}

const read = async (token: string, url: string) => {
  const answer = await at.call(token, 'GET', url)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

test('counts launches by outcome and measures the time to ready', async () => {
  const ready = []
  for (const seconds of [1, 2, 3, 4]) ready.push(await makeReady(seconds))
  const failed = await at.launch()
  await at.exchange(failed, { client_secret: 'cs_wrong' })
  await at.launch()
  const [first] = ready
  const { token } = at.practice.people.provider
  await at.call(token, 'DELETE', `/api/launches/${first?.id}`)
  for (const who of [at.practice.people.accountAdmin, at.vendor.people.developer]) {
    const summary = await read(who.token, '/api/launches/summary')
    assert.deepEqual(summary.outcomes, { failed: 1, opening: 1, ready: 3, ended: 1 })
    assert.deepEqual([summary.launches, summary.isCapped], [6, false])
    assert.equal(summary.successRate, 4 / 5)
    assert.deepEqual([summary.toReady.count, summary.toReady.p95Ms >= 4000], [4, true])
    for (const [outcome, expected] of Object.entries(summary.outcomes)) {
      const { items } = await read(who.token, `/api/launches?outcome=${outcome}`)
      assert.equal(items.length, expected, outcome)
      assert.ok(items.every((item: { outcome: string }) => item.outcome === outcome))
    }
  }
  const none = await read(token, '/api/launches/summary?to=2020-01-01T00:00:00Z')
  assert.deepEqual([none.launches, none.successRate, none.toReady], [0, null, null])
})

test('counts a launch that became ready after a failure as ready, in every figure', async () => {
  const own = await startPracticeWithVendor()
  const { node, practice, vendor } = own
  const body = async (token: string, url: string) => (await own.call(token, 'GET', url)).json()
  const { token: host } = practice.people.provider
  const [failed, recovered] = [await own.launch(), await own.launch()]
  for (const { id } of [failed, recovered]) {
    const step = { step: 'handshake', outcome: 'failed', code: 'HANDSHAKE_TIMEOUT' }
    await own.call(host, 'POST', `/api/launches/${id}/steps`, step)
  }
  assert.equal((await own.exchange(recovered)).statusCode, 200)
  await own.report(recovered, 'opened', 'handshake', 'context')
  assert.equal(await countLaunchesByTime(node.service), true)
  for (const [{ token }, accountId] of [
    [practice.people.accountAdmin, practice.accountId],
    [vendor.people.developer, vendor.accountId],
  ] as const) {
    const { outcomes, successRate } = await body(token, '/api/launches/summary')
    assert.deepEqual([outcomes.failed, outcomes.ready, successRate], [1, 1, 0.5])
    const listed = await body(token, '/api/launches?outcome=failed')
    assert.deepEqual(
      listed.items.map(({ id }: { id: string }) => id),
      [failed.id],
    )
    const causes = await body(token, '/api/launches/causes')
    const [cause] = causes.items
    assert.deepEqual([causes.launches, cause.count, cause.exampleLaunchId], [1, 1, failed.id])
    const overview = await body(token, `/api/health/overview?hours=1&accountId=${accountId}`)
    const { launches, readyShare } = overview.figures
    assert.deepEqual([launches.value, readyShare.value], [2, 0.5])
    assert.equal(overview.apps[0].failed, 1)
  }
  // The launch keeps the step that failed.
  const { items } = await body(host, '/api/launches?reason=host_reported&outcome=ready')
  assert.equal(items[0].id, recovered.id)
  await node.close()
})

test('counts over time beyond the newest 2000, every figure on one base', async () => {
  const other = await startPracticeWithVendor()
  const { node, practice, vendor } = other
  const { db } = node.service
  const { id } = await other.launch()
  const hour = 60 * 60_000
  // Forty launches in each of the last 55 hours, of which every tenth failed.
  const now = node.clock()
  await db.write(
    ...Array.from({ length: 2200 }, (_, k) => {
      const createdAt = now - Math.floor(k / 40) * hour - (k % 40) * 1000
      return sql`INSERT INTO launches (id, part, launch_hash, app_id, client_id, kind, session_id, sign_in_id,
          context, created_at, expires_at, app_disabled_count, failure_count)
        SELECT ${`${idFloor('lau', createdAt)}${k}`}, part, '', app_id, client_id, kind, session_id, sign_in_id,
          context, CAST(${createdAt} AS BIGINT), expires_at, 0, ${k % 10 === 0 ? 1 : 0}
        FROM launches WHERE id = ${id}`
    }),
  )
  assert.equal(await countLaunchesByTime(node.service), true)
  for (const { token } of [practice.people.accountAdmin, vendor.people.developer]) {
    const summary = await other.call(token, 'GET', '/api/launches/summary').then((a) => a.json())
    const { launches, isCapped, outcomes, successRate, slotSeconds, slots } = summary
    const sum = (of: 'launches' | 'failed') =>
      slots.reduce((all: number, slot: Record<typeof of, number>) => all + slot[of], 0)
    assert.deepEqual([launches, isCapped, slotSeconds], [2201, false, 10_800])
    assert.deepEqual([sum('launches'), sum('failed')], [2201, 220])
    assert.deepEqual([outcomes.failed, outcomes.ready, outcomes.ended], [220, null, null])
    assert.equal(successRate, 0)
    const from = new Date(now - 54.5 * hour).toISOString()
    const to = new Date(now - 50.5 * hour).toISOString()
    const narrow = await other.call(token, 'GET', `/api/launches/summary?from=${from}&to=${to}`)
    assert.deepEqual([narrow.json().launches, narrow.json().slotSeconds], [160, 300])
    // Counts know no person, so no launch is guessed.
    const { id: userId } = practice.people.provider
    const ofUser = `/api/launches/summary?userId=${userId}`
    if (token === practice.people.accountAdmin.token) {
      const one = (await other.call(token, 'GET', ofUser)).json()
      assert.deepEqual([one.launches, one.isCapped], [2000, true])
    }
  }
  await node.close()
})

test('says what an app usually takes, and names a launch to compare with', async () => {
  const { id } = await at.launch()
  const { accountAdmin, provider } = at.practice.people
  for (const who of [accountAdmin, provider, at.vendor.people.developer]) {
    const usual = await read(who.token, `/api/launches/${id}/usual`)
    const hello = usual.spans.find(({ span }: { span: string }) => span === 'hello')
    assert.deepEqual(
      [usual.launches, hello.party, hello.count, hello.p50Ms, hello.p95Ms],
      [4, 'app_page', 4, 2000, 4000],
    )
    const compared = await read(who.token, `/api/launches/${usual.lastReadyLaunchId}`)
    assert.equal(compared.spans.at(-1).outcome, 'ok')
    assert.notEqual(usual.lastReadyLaunchId, id)
  }
  const stranger = at.practice.people.otherAdmin.token
  const refused = await at.call(stranger, 'GET', `/api/launches/${id}/usual`)
  assert.equal(refused.statusCode, 404)
})

test('names no launch of another practice to compare with [P01]', async () => {
  const { node, vendor, call } = at
  const { accountAdmin: admin, provider } = vendor.people
  const { accountId, collectionId } = vendor
  // The vendor tries its own app: the practice must not be led there, nor its provider.
  const collection = { id: collectionId, version: 'latest' }
  await call(admin.token, 'PATCH', `/api/accounts/${accountId}`, { collection })
  const opening = { accountId, ehrType: 'meadow', deviceId: 'd' }
  const session = (await call(provider.token, 'POST', '/api/sessions', opening)).json()
  const body = { appId: vendor.app.id, kind: 'ui' }
  const url = `/api/sessions/${session.id}/launches`
  const own = (await call(provider.token, 'POST', url, body)).json()
  for (const step of ['handshake', 'context']) {
    const steps = `/api/launches/${own.id}/steps`
    await call(provider.token, 'POST', steps, { step, outcome: 'ok' })
  }
  node.clock.advance(1)
  const { id } = await at.launch()
  const { accountAdmin } = at.practice.people
  const seen = await read(accountAdmin.token, `/api/launches/${id}/usual`)
  assert.notEqual(seen.lastReadyLaunchId, own.id)
  const vendors = await read(vendor.people.developer.token, `/api/launches/${id}/usual`)
  assert.equal(vendors.lastReadyLaunchId, own.id)
})

test('shows the health of an app to its account and the platform only [P01]', async () => {
  const url = `/api/apps/${at.vendor.app.id}/health`
  const health = await read(at.vendor.people.developer.token, url)
  assert.equal(health.app.name, 'Notes')
  assert.ok(health.successRate > 0 && health.successRate < 1)
  assert.deepEqual(
    health.causes.map(({ reason, count }: { reason: string; count: number }) => [reason, count]),
    [['secret_wrong', 1]],
  )
  assert.ok(health.spans.some(({ span }: { span: string }) => span === 'prepare'))
  const { practice, vendor } = at
  assert.equal((await at.call(practice.people.platformAdmin.token, 'GET', url)).statusCode, 200)
  assert.equal((await at.call(vendor.people.provider.token, 'GET', url)).statusCode, 403)
  assert.equal((await at.call(practice.people.accountAdmin.token, 'GET', url)).statusCode, 404)
})
