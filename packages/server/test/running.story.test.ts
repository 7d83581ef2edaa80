// What an account runs, for its administrators, also from a vendor's collection; and an app that the account
// stops in it: at once, on every node, for good for what was open, and nowhere else. Contract §16, security P01, V12.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Statement } from '../src/db/sql.ts'
import { sql } from '../src/db/sql.ts'
import { partOf } from '../src/kernel/partitions.ts'
import { EHR } from './account-fixture.ts'
import { openStream } from './event-stream.ts'
import { type PracticeWithVendor, startPracticeWithVendor } from './practice-fixture.ts'
import { isOnPostgres, startTestService, type TestService } from './test-service.ts'

const REASON = 'Ticks gaps of another patient.'
/** Later than anything here. */
const FAR = 4_000_000_000_000

let at: PracticeWithVendor
let second: TestService
before(async () => {
  at = await startPracticeWithVendor()
  second = await startTestService({}, { beside: at.node })
  for (const node of [at.node, second]) {
    await node.server.listen({ port: 0, host: '127.0.0.1' })
    node.startJobs()
  }
  // The collection becomes the vendor's: the practice runs it and cannot read it.
  const { db } = at.node.service
  await db.write(
    sql`UPDATE collections SET account_id = ${at.vendor.accountId}
      WHERE id = ${at.practice.collectionId}`,
  )
})
after(async () => {
  await second.close()
  await at.node.close()
})

const runningPath = (accountId = at.practice.accountId) => `/api/accounts/${accountId}/running`
const stopPath = (appId = at.vendor.app.id, accountId = at.practice.accountId) =>
  `/api/accounts/${accountId}/stopped-apps/${appId}`

/** The fixture knows no PUT. */
const put = (token: string, url: string, payload: object, node = at.node) =>
  node.server.inject({
    ...{ method: 'PUT', url, payload },
    headers: { authorization: `Bearer ${token}` },
  })

async function running() {
  const { token } = at.practice.people.accountAdmin
  const answer = await at.call(token, 'GET', runningPath())
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function stop(reason = REASON) {
  const answer = await put(at.practice.people.accountAdmin.token, stopPath(), { reason })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function resume() {
  const { token } = at.practice.people.accountAdmin
  assert.equal((await at.call(token, 'DELETE', stopPath())).statusCode, 204)
}

/** The access token of a launch. */
const tokenOf = async (...launched: Parameters<typeof at.exchange>) =>
  (await at.exchange(...launched)).json().access_token

async function isActive(token: string, node = at.node): Promise<boolean> {
  const { app, secret } = at.vendor
  const payload = { token, client_id: app.clientId, client_secret: secret }
  const url = '/app-auth/introspect'
  return (await node.server.inject({ method: 'POST', url, payload })).json().active
}

const stateOf = async (id: string) => {
  const { token } = at.practice.people.provider
  const { state, ended } = (await at.call(token, 'GET', `/api/launches/${id}`)).json()
  return [state, ended?.reason]
}

test('shows the version of a vendor that an account runs, with the use of its apps', async () => {
  const before = await running()
  assert.deepEqual(
    [before.apps[0].launches, before.apps[0].lastLaunchAt, before.apps[0].readyShare],
    [0, null, null],
  )
  assert.deepEqual(before.apps[0].learns, [])
  for (let i = 0; i < 3; i++) {
    const launched = await at.launch()
    await tokenOf(launched)
    await at.report(launched, 'opened', 'handshake', 'context')
  }
  const failed = await at.launch()
  await at.exchange(failed, { client_secret: 'cs_wrong' })
  await at.launch()
  const { apps, ...rest } = await running()
  const { id, name } = at.vendor.app
  assert.deepEqual(rest, {
    collection: {
      id: at.practice.collectionId,
      name: 'Everything',
      owner: { id: at.vendor.accountId, name: 'Lakeside' },
    },
    version: 2,
    follows: 'latest',
    ehrs: [EHR],
    change: rest.change,
  })
  const [app] = apps
  assert.equal(apps.length, 1)
  assert.deepEqual(app, {
    app: { id, name, vendor: { id: at.vendor.accountId, name: 'Lakeside' } },
    ehrTypes: ['meadow'],
    autoLaunch: true,
    onChartChange: 'relaunch',
    learns: ['sub', 'account', 'ehr_type', 'device_id'],
    lastLaunchAt: app.lastLaunchAt,
    launches: 5,
    readyShare: 0.75,
    enabled: true,
    stopped: null,
    offOn: [],
  })
  assert.equal(Date.parse(app.lastLaunchAt), at.node.clock())
})

test('shows what runs to administrators of the account only, and no draft [P01]', async () => {
  const { provider, developer, accountAdmin, platformAdmin, otherAdmin } = at.practice.people
  const status = async (token: string) => (await at.call(token, 'GET', runningPath())).statusCode
  for (const { token } of [accountAdmin, platformAdmin]) assert.equal(await status(token), 200)
  for (const { token } of [provider, developer]) assert.equal(await status(token), 403)
  for (const { token } of [otherAdmin, at.vendor.people.accountAdmin]) {
    assert.equal(await status(token), 404)
  }
  const collection = `/api/collections/${at.practice.collectionId}`
  assert.equal((await at.call(accountAdmin.token, 'GET', collection)).statusCode, 404)
  const draft = { ehrs: [{ ...EHR, name: 'Secret draft' }], apps: [] }
  const vendor = at.vendor.people.accountAdmin.token
  assert.equal((await at.call(vendor, 'PATCH', collection, { draft })).statusCode, 200)
  assert.doesNotMatch(JSON.stringify(await running()), /Secret draft/)
  const empty = await at.call(otherAdmin.token, 'GET', runningPath(at.practice.otherAccountId))
  assert.deepEqual(empty.json(), {
    ...{ collection: null, version: null, follows: null, ehrs: [], apps: [], change: null },
  })
})

const patchVersion = (version: number | 'latest') =>
  at.call(
    at.practice.people.accountAdmin.token,
    'PATCH',
    `/api/accounts/${at.practice.accountId}`,
    { collection: { id: at.practice.collectionId, version } },
  )

test('shows what came with the version, and what waits while the account is pinned', async () => {
  const { platformAdmin } = at.practice.people
  const vendor = at.vendor.people.accountAdmin.token
  const collection = `/api/collections/${at.practice.collectionId}`
  const published = (await running()).version
  const came = (await running()).change
  assert.deepEqual([came.version, came.isWaiting], [published, false])
  const choose = async (version: number | 'latest') => {
    const answer = await patchVersion(version)
    assert.equal(answer.statusCode, 200, answer.body)
  }
  const publish = async (name: string, audience?: object) => {
    const draft = { ...came.after, ehrs: [{ ...EHR, name }] }
    await at.call(vendor, 'PATCH', collection, { draft })
    const answer = await at.call(vendor, 'POST', `${collection}/versions`, { audience })
    assert.equal(answer.statusCode, 201, answer.body)
  }
  await choose(published)
  assert.deepEqual((await running()).change, came, 'nothing newer waits')
  await publish('Meadow for all')
  const waiting = await running()
  assert.deepEqual([waiting.version, waiting.follows], [published, published])
  const { change } = waiting
  assert.deepEqual([change.version, change.isWaiting], [published + 1, true])
  assert.deepEqual(
    [change.before, change.after].map((content) => content.ehrs[0].name),
    [EHR.name, 'Meadow for all'],
  )
  assert.deepEqual(change.apps, [{ id: at.vendor.app.id, name: at.vendor.app.name }])
  await choose(published + 1)
  assert.equal((await running()).change.isWaiting, false)
  // A rollout to others is no news here.
  const { id } = (
    await at.call(platformAdmin.token, 'POST', '/api/accounts', { name: 'Early bird' })
  ).json()
  await at.call(platformAdmin.token, 'PATCH', `/api/accounts/${id}`, {
    collection: { id: at.practice.collectionId, version: 'latest' },
  })
  await publish('Meadow for one', { accountIds: [id] })
  assert.equal((await running()).change.version, published + 1)
  assert.doesNotMatch(JSON.stringify(await running()), /Meadow for one/)
  for (const version of [published + 2, published + 99]) {
    const refused = await patchVersion(version)
    const { errors } = refused.json()
    assert.deepEqual([refused.statusCode, errors[0].field], [400, '/collection/version'])
  }
  await choose('latest')
  assert.equal((await running()).version, published + 1)
})

test('pins no version that is taken from the account while it is chosen', async (t) => {
  const vendor = at.vendor.people.accountAdmin.token
  const collection = `/api/collections/${at.practice.collectionId}`
  const pinned = (await running()).version
  assert.equal((await patchVersion(pinned)).statusCode, 200)
  const published = await at.call(vendor, 'POST', `${collection}/versions`, {})
  const { version } = published.json()
  const { db } = at.node.service
  const write = db.write.bind(db)
  let isTaken = false
  t.mock.method(db, 'write', async (...statements: readonly Statement[]) => {
    if (!isTaken && statements.some(({ sql }) => sql.startsWith('UPDATE accounts SET name'))) {
      isTaken = true
      const { statusCode, body } = await at.node.server.inject({
        method: 'PUT',
        url: `${collection}/versions/${version}/audience`,
        headers: { authorization: `Bearer ${vendor}` },
        payload: { audience: { accountIds: [] } },
      })
      assert.equal(statusCode, 200, body)
    }
    return write(...statements)
  })
  const refused = await patchVersion(version)
  assert.ok(isTaken)
  assert.equal(refused.statusCode, 400, refused.body)
  assert.equal(refused.json().errors[0].field, '/collection/version')
  assert.equal((await running()).version, pinned)
  assert.equal((await patchVersion('latest')).statusCode, 200)
})

test('stops an app in one account at once, on the other node too [V12]', async (t) => {
  const { provider, accountAdmin } = at.practice.people
  const [opened, exchanged] = [await at.launch(), await at.launch()]
  const code = await at.code(opened)
  const token = await tokenOf(exchanged)
  assert.equal(await isActive(token, second), true)
  // Nodes notify each other on PostgreSQL only.
  const streaming = isOnPostgres ? second : at.node
  const stream = await openStream(streaming, exchanged.sessionId, provider.token)
  t.after(() => stream.close())
  const { endedLaunches, at: stoppedAt, ...rest } = await stop()
  assert.deepEqual(rest, { appId: at.vendor.app.id, reason: REASON })
  assert.ok(endedLaunches >= 2, String(endedLaunches))
  const { found, tookMs } = await stream.next(
    ({ event, data }) => event === 'launch' && data.id === exchanged.id && data.state === 'ended',
  )
  assert.equal(found.data.ended?.reason, 'app_disabled')
  assert.ok(tookMs < 1000, `${tookMs} ms`)
  assert.deepEqual(await stateOf(opened.id), ['ended', 'app_disabled'])
  for (const node of [at.node, second]) {
    assert.equal(await isActive(token, node), false)
    const refused = await node.server.inject({
      ...{ method: 'POST', url: `/api/sessions/${exchanged.sessionId}/launches` },
      headers: { authorization: `Bearer ${provider.token}` },
      payload: { appId: at.vendor.app.id, kind: 'ui' },
    })
    assert.deepEqual([refused.statusCode, refused.json().code], [409, 'app_not_available'])
    assert.match(refused.json().detail, new RegExp(REASON))
    const opening = await node.server.inject({
      ...{ method: 'POST', url: '/api/sessions' },
      headers: { authorization: `Bearer ${provider.token}` },
      payload: {
        ...{ accountId: at.practice.accountId, ehrType: 'meadow', deviceId: 'd' },
        launch: ['ui'],
      },
    })
    assert.deepEqual([opening.json().apps, opening.json().launches], [[], []])
  }
  const { app, secret } = at.vendor
  const payload = { grant_type: 'authorization_code', code, client_id: app.clientId }
  const late = await at.node.server.inject({
    ...{ method: 'POST', url: '/app-auth/token' },
    payload: { ...payload, client_secret: secret },
  })
  assert.equal(late.json().error, 'invalid_grant')
  const { apps } = await running()
  const { id: adminId } = accountAdmin
  assert.deepEqual(apps[0].stopped, {
    ...{ at: stoppedAt, by: { id: adminId, name: 'Admin' }, reason: REASON },
  })
  await resume()
})

test('lets the app run again, and revives no launch from before [V12]', async () => {
  const launched = await at.launch()
  const token = await tokenOf(launched)
  const { db } = at.node.service
  const [part, account] = [partOf(at.practice.accountId), at.practice.accountId]
  const insertDebt = (accountId: string, session: string) =>
    sql`INSERT INTO logout_debts (part, session_id, app_id, user_id, account_id, sign_in_id, due_at,
        attempts)
      VALUES (${part}, ${session}, ${at.vendor.app.id}, 'usr_', ${accountId}, '', ${FAR}, 0)`
  await db.write(insertDebt(account, 'ses_here'), insertDebt('acc_other', 'ses_there'))
  await stop()
  const due = await db.read(
    sql`SELECT session_id FROM logout_debts WHERE part = ${part} AND ended_at IS NOT NULL
        AND session_id IN ('ses_here', 'ses_there')`,
  )
  assert.deepEqual(
    due.map((row) => row.session_id),
    ['ses_here'],
  )
  await db.write(sql`DELETE FROM logout_debts WHERE part = ${part}`)
  await stop('Another reason.')
  assert.equal((await running()).apps[0].stopped.reason, 'Another reason.')
  // As a launch whose insert raced with the stop: nothing has ended it.
  await db.write(
    sql`UPDATE launches SET ended_at = NULL, ended_reason = NULL
      WHERE part = ${part} AND id = ${launched.id}`,
  )
  assert.equal(await isActive(token), false)
  await resume()
  await resume()
  assert.equal((await running()).apps[0].stopped, null)
  assert.equal(await isActive(token), false, 'created before the app ran again')
  assert.equal(await isActive(await tokenOf(await at.launch())), true)
})

test('accepts no code of a launch that the stop has not seen [V12]', async () => {
  const [early, late] = [await at.launch(), await at.launch()]
  const code = await at.code(early)
  await stop()
  await at.node.service.db.write(
    sql`UPDATE launches SET ended_at = NULL, ended_reason = NULL
      WHERE part = ${partOf(at.practice.accountId)} AND id IN (${early.id}, ${late.id})`,
  )
  const { app, secret } = at.vendor
  const payload = { grant_type: 'authorization_code', code, client_id: app.clientId }
  const refused = await at.node.server.inject({
    ...{ method: 'POST', url: '/app-auth/token' },
    payload: { ...payload, client_secret: secret },
  })
  assert.equal(refused.json().error, 'invalid_grant')
  await assert.rejects(at.code(late), 'authorize gives no code')
  await resume()
})

test('leaves no usable launch to an app that is stopped while it opens [V12]', async () => {
  const { token } = at.practice.people.provider
  const { sessionId } = await at.launch()
  const open = () =>
    at.call(token, 'POST', `/api/sessions/${sessionId}/launches`, {
      ...{ appId: at.vendor.app.id, kind: 'ui' },
    })
  for (let round = 0; round < 8; round++) {
    const [, ...opened] = await Promise.all([stop(), open(), open(), open(), open()])
    await resume()
    at.node.clock.advance(1)
    for (const answer of opened) {
      assert.ok([201, 409].includes(answer.statusCode), answer.body)
      if (answer.statusCode === 201) await assert.rejects(at.code(answer.json()))
    }
  }
})

test('tells vendor and platform of a stop by an event, without the name of a person', async () => {
  await stop()
  const { accountAdmin, platformAdmin } = at.practice.people
  const { app, people } = at.vendor
  const stopsFor = async (token: string) =>
    (await at.call(token, 'GET', `/api/apps/${app.id}/stops`)).json()
  const seen = await stopsFor(people.accountAdmin.token)
  assert.deepEqual([seen.count, seen.stops[0].reason, seen.stops[0].by], [1, REASON, null])
  assert.equal(seen.stops[0].account.id, at.practice.accountId)
  assert.equal((await stopsFor(platformAdmin.token)).stops[0].by.id, accountAdmin.id)
  assert.equal((await stopsFor(accountAdmin.token)).status, 404, 'the app is the vendor’s')
  await resume()
  assert.equal((await stopsFor(people.accountAdmin.token)).count, 0)
  const read = async (token: string, url: string) =>
    (await at.call(token, 'GET', url)).json().items as Record<string, unknown>[]
  const trailOf = (accountId: string) => `/api/accounts/${accountId}/audit-events`
  const ofVendor = await read(at.vendor.people.accountAdmin.token, trailOf(at.vendor.accountId))
  const find = (items: Record<string, unknown>[], action: string) =>
    items.find((event) => event.action === action) ?? assert.fail(action)
  const { actor, target, detail, ip } = find(ofVendor, 'stopAppInAccount') as {
    [name: string]: { reason?: string; account?: string } | undefined
  }
  const { accountId } = at.practice
  assert.deepEqual([actor, target], [accountId, at.vendor.app.id])
  assert.deepEqual([detail?.reason, detail?.account, ip], [REASON, accountId, ''])
  assert.doesNotMatch(JSON.stringify(ofVendor), new RegExp(accountAdmin.id))
  const resumed = ofVendor.filter(({ action }) => action === 'letAppRunInAccount')
  await stop()
  await Promise.all([resume(), resume(), resume()])
  const later = await read(at.vendor.people.accountAdmin.token, trailOf(at.vendor.accountId))
  const again = later.filter(({ action }) => action === 'letAppRunInAccount')
  assert.equal(again.length, resumed.length + 1, 'one event, however many let it run')
  const ofPractice = find(await read(accountAdmin.token, trailOf(accountId)), 'stopAppInAccount')
  assert.deepEqual(
    [ofPractice.actor, (ofPractice.detail as { reason: string }).reason],
    [accountAdmin.id, REASON],
  )
  const ofPlatform = await read(platformAdmin.token, '/api/audit-events?accountId=platform')
  find(ofPlatform, 'stopAppInAccount')
})

test('refuses to stop for other roles, other apps and without a reason [P01] [V34]', async () => {
  const { provider, developer, accountAdmin, otherAdmin } = at.practice.people
  const vendor = at.vendor.people.accountAdmin
  for (const [{ token }, status] of [
    [provider, 403],
    [developer, 403],
    [otherAdmin, 404],
    [vendor, 404],
  ] as const) {
    assert.equal((await put(token, stopPath(), { reason: REASON })).statusCode, status)
    assert.equal((await at.call(token, 'DELETE', stopPath())).statusCode, status)
  }
  const { token } = accountAdmin
  for (const reason of [undefined, '', ' ', 'a\nb', 'x \u202e y', 'x'.repeat(501)]) {
    assert.equal((await put(token, stopPath(), { reason })).statusCode, 400, String(reason))
  }
  // An app that exists and does not run here is as unknown as one that does not exist.
  for (const appId of [at.practice.app.id, 'app_01jnye6xw8q2v5n0m4r7ta', "' OR 1=1 --"]) {
    const path = stopPath(encodeURIComponent(appId))
    assert.equal((await put(token, path, { reason: REASON })).statusCode, 404)
    assert.equal((await at.call(token, 'DELETE', path)).statusCode, 404)
  }
  assert.equal((await running()).apps[0].stopped, null)
})

test('says what an app learns by the scopes that it has used, each for itself', async () => {
  const before = (await running()).apps[0].learns
  const launched = await at.launch()
  await tokenOf(launched, { code: await at.code(launched, 'launch openid profile') })
  await at.report(launched, 'opened', 'handshake', 'context')
  const { learns } = (await running()).apps[0]
  assert.deepEqual(
    learns.filter((claim: string) => !before.includes(claim)),
    ['name'],
  )
})

test('switches an app off on one EHR in every account, and no other app [V12]', async () => {
  const { provider, accountAdmin, platformAdmin } = at.practice.people
  const vendor = at.vendor.people.developer.token
  const path = (ehrType = 'meadow') => `/api/apps/${at.vendor.app.id}/stopped-ehrs/${ehrType}`
  const [opened, exchanged] = [await at.launch(), await at.launch()]
  const token = await tokenOf(exchanged)
  const elsewhere = await put(vendor, path('summit'), { reason: REASON })
  assert.deepEqual(elsewhere.json(), { ehrType: 'summit', endedLaunches: 0 })
  assert.equal(await isActive(token), true)
  const stopped = (await put(vendor, path(), { reason: REASON })).json()
  assert.ok(stopped.endedLaunches >= 2, JSON.stringify(stopped))
  assert.deepEqual(await stateOf(opened.id), ['ended', 'app_disabled'])
  assert.equal(await isActive(token, second), false)
  const refused = await at.call(
    provider.token,
    'POST',
    `/api/sessions/${exchanged.sessionId}/launches`,
    { appId: at.vendor.app.id, kind: 'ui' },
  )
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'app_not_available'])
  const { accountId } = at.practice
  const opening = { accountId, ehrType: 'meadow', deviceId: 'd', launch: ['ui'] }
  const next = (await at.call(provider.token, 'POST', '/api/sessions', opening)).json()
  assert.deepEqual([next.apps, next.launches], [[], []])
  assert.deepEqual((await running()).apps[0].offOn, ['meadow'])
  const seen = async (who: string) =>
    (await at.call(who, 'GET', `/api/apps/${at.vendor.app.id}/stopped-ehrs`)).json().ehrs
  const [meadow, summit] = await seen(vendor)
  assert.deepEqual([meadow.stopped.reason, meadow.stopped.side], [REASON, 'account'])
  assert.equal(summit.stopped.by.name, 'Developer')
  // As a launch whose insert raced with the stop.
  await at.node.service.db.write(
    sql`UPDATE launches SET ended_at = NULL, ended_reason = NULL
      WHERE part = ${partOf(accountId)} AND id = ${exchanged.id}`,
  )
  assert.equal(await isActive(token), false)
  // What the platform has stopped only the platform lets run again.
  await put(platformAdmin.token, path(), { reason: 'Wrong charts.' })
  assert.equal((await seen(vendor))[0].stopped.by, null)
  assert.equal((await put(vendor, path(), { reason: REASON })).statusCode, 403)
  assert.equal((await at.call(vendor, 'DELETE', path())).statusCode, 403)
  assert.equal((await at.call(accountAdmin.token, 'DELETE', path())).statusCode, 404)
  for (const type of ['meadow', 'summit'])
    assert.equal((await at.call(platformAdmin.token, 'DELETE', path(type))).statusCode, 204)
  assert.equal(await isActive(token), false, 'created before the app ran again')
  assert.equal(await isActive(await tokenOf(await at.launch())), true)
})

test('shows no stop of another account, and no app that its vendor has deleted', async () => {
  const { db } = at.node.service
  const { accountId } = at.practice
  await db.write(
    sql`INSERT INTO stopped_apps (part, app_id, account_id, reason, stopped_by, stopped_at)
      VALUES (${partOf(accountId)}, ${at.vendor.app.id}, 'acc_of_the_same_part', 'x', 'usr_x', 1)`,
  )
  assert.equal((await running()).apps[0].stopped, null)
  const path = `/api/apps/${at.vendor.app.id}`
  assert.equal((await at.call(at.vendor.people.accountAdmin.token, 'DELETE', path)).statusCode, 204)
  assert.deepEqual((await running()).apps, [])
})
