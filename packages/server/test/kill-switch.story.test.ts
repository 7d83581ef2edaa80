// Disabling an app ends its launches at once and for ever; what the platform disabled the account does
// not enable; one launch can be ended. Contract §3 and §4, security V12.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { openStream } from './event-stream.ts'
import { beginPeople, otherAccount, person } from './people.ts'
import {
  authorize,
  exchange,
  freshCode,
  isActive,
  type RegisteredApp,
  type Story,
  startStory,
} from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
  await story.service.server.listen({ port: 0, host: '127.0.0.1' })
})
after(() => story.close())

const setEnabled = (app: RegisteredApp, enabled: boolean, by: Story['api'] = story.api) =>
  by('PATCH', `/api/apps/${app.id}`, { enabled })

const timeline = async (id: string) => (await story.api('GET', `/api/launches/${id}`)).json()

/** An app of its own with three launches: opened, authorized, exchanged. */
async function appWithLaunches(name: string) {
  const app = await story.registerApp(name)
  const sessionId = await story.openSession()
  const launch = () => story.launch({ app, sessionId })
  const codeOf = async ({ launchId }: { launchId: string }) =>
    (await authorize(story, launchId, {}, app)).searchParams.get('code') ?? ''
  const launches = { opened: await launch(), authorized: await launch(), exchanged: await launch() }
  const code = await codeOf(launches.authorized)
  const answer = await exchange(story, await codeOf(launches.exchanged), {}, app)
  const token = answer.json().access_token
  assert.equal(await isActive(story, token, app), true)
  return { app, sessionId, launch, launches, code, token }
}

test('ends every live launch of a disabled app, and says so on the launch [V12]', async () => {
  const other = (await exchange(story, await freshCode(story))).json().access_token
  const { app, launches, code, token } = await appWithLaunches('stopped')
  assert.equal((await setEnabled(app, false)).statusCode, 200)
  assert.equal(await isActive(story, token, app), false)
  for (const { id } of Object.values(launches)) {
    const { state, ended, steps } = await timeline(id)
    assert.deepEqual([state, ended.reason], ['ended', 'app_disabled'])
    const { at, reason } = steps.at(-1)
    assert.deepEqual([steps.at(-1).step, { at, reason }], ['ended', ended])
  }
  const refused = await exchange(story, code, {}, app)
  assert.deepEqual([refused.statusCode, refused.json().error], [400, 'unauthorized_client'])
  assert.equal(await isActive(story, other), true, 'of another app')
})

test('shows the host each ended launch within a second [V12]', async (t) => {
  const { app, sessionId, launches } = await appWithLaunches('notified')
  const stream = await openStream(story.service, sessionId, story.adminToken)
  t.after(() => stream.close())
  await setEnabled(app, false)
  for (const { id } of Object.values(launches)) {
    const { found, tookMs } = await stream.next(
      ({ event, data }) => event === 'launch' && data.id === id && data.state === 'ended',
    )
    assert.equal(found.data.ended?.reason, 'app_disabled')
    assert.ok(tookMs < 1000, `${tookMs} ms`)
  }
  assert.equal(
    stream.list().some(({ event }) => event === 'ended'),
    false,
    'the session goes on',
  )
})

test('revives nothing when the app is enabled again [V12]', async () => {
  const { app, launch, launches, code, token } = await appWithLaunches('revived')
  await setEnabled(app, false)
  assert.equal((await setEnabled(app, true)).json().disabledBy, undefined)
  assert.equal(await isActive(story, token, app), false)
  assert.equal((await exchange(story, code, {}, app)).json().error, 'invalid_grant')
  const refused = await authorize(story, launches.opened.launchId, {}, app)
  assert.equal(refused.searchParams.get('error'), 'access_denied')
  assert.equal((await timeline(launches.exchanged.id)).ended.reason, 'app_disabled')
  const fresh = await authorize(story, (await launch()).launchId, {}, app)
  assert.ok(fresh.searchParams.get('code'), 'a new launch works')
})

test('lets the account enable what it disabled, and not what the platform did [V12]', async () => {
  const app = await story.registerApp('whose')
  const vendor = await person(story.accountId, 'developer')
  const own = await setEnabled(app, false, vendor.api)
  assert.equal(own.json().disabledBy, 'account')
  assert.equal((await setEnabled(app, true, vendor.api)).statusCode, 200)

  assert.equal((await setEnabled(app, false)).json().disabledBy, 'platform')
  for (const patch of [{ enabled: true }, { enabled: null }, { enabled: true, name: 'New' }]) {
    const refused = await vendor.api('PATCH', `/api/apps/${app.id}`, patch)
    assert.deepEqual(
      [refused.statusCode, refused.json().code],
      [403, 'app_disabled_by_platform'],
      JSON.stringify(patch),
    )
  }
  const still = await vendor.api('PATCH', `/api/apps/${app.id}`, { enabled: false, name: 'Mended' })
  assert.deepEqual([still.statusCode, still.json().disabledBy], [200, 'platform'])
  assert.equal((await setEnabled(app, true)).json().enabled, true)
})

test('takes an app over that the account had disabled [V12]', async () => {
  const app = await story.registerApp('taken')
  const vendor = await person(story.accountId, 'developer')
  await setEnabled(app, false, vendor.api)
  const renamed = await story.api('PATCH', `/api/apps/${app.id}`, { name: 'Taken' })
  assert.equal(renamed.json().disabledBy, 'account', 'a new name is no new end')
  assert.equal((await setEnabled(app, false)).json().disabledBy, 'platform')
  assert.equal((await setEnabled(app, true, vendor.api)).statusCode, 403)
})

test('refuses a field that says who disabled the app', async () => {
  const app = await story.registerApp('field')
  for (const body of [
    { disabledBy: 'account' },
    { disabled: { at: '2026-03-02T00:00:00.000Z' } },
  ]) {
    const answer = await story.api('PATCH', `/api/apps/${app.id}`, body)
    assert.equal(answer.statusCode, 400, JSON.stringify(body))
  }
})

test('says when, why and by whom an app was disabled, as long as it is [V12]', async () => {
  const app = await story.registerApp('noted')
  const path = `/api/apps/${app.id}`
  const vendor = await person(story.accountId, 'developer')
  const show = async (by = vendor.api) => (await by('GET', path)).json().disabled
  const off = { enabled: false, reason: 'Writes wrong units.' }
  const { updatedAt: at } = (await vendor.api('PATCH', path, off)).json()
  const by = { id: vendor.id, name: vendor.name }
  assert.deepEqual(await show(), { at, by, reason: 'Writes wrong units.' })

  await story.api('PATCH', path, { name: 'noted, renamed', reason: 'A new name.' })
  assert.deepEqual(await show(), { at, by, reason: 'Writes wrong units.' }, 'a new name is no end')

  const taken = (await story.api('PATCH', path, { enabled: false })).json()
  assert.deepEqual(Object.keys(taken.disabled), ['at', 'by'])
  assert.equal(taken.disabled.by.name, 'Administrator')
  assert.deepEqual(await show(), { at: taken.updatedAt }, 'the account learns no name')

  const authorization = `Bearer ${story.adminToken}`
  const headers = { authorization, 'if-match': String((await story.api('GET', path)).headers.etag) }
  const payload = { enabled: true }
  const enabled = await story.request({ method: 'PATCH', url: path, headers, payload })
  assert.equal(enabled.statusCode, 200, enabled.body)
  assert.equal(await show(), undefined)
})

test('leaves no usable launch to an app that is disabled while it opens [V12]', async () => {
  const { app, sessionId } = await appWithLaunches('raced')
  for (let round = 0; round < 10; round++) {
    const body = { appId: app.id, kind: 'ui' }
    const open = () => story.api('POST', `/api/sessions/${sessionId}/launches`, body)
    const [, ...opened] = await Promise.all([
      setEnabled(app, false),
      open(),
      open(),
      open(),
      open(),
    ])
    await setEnabled(app, true)
    for (const answer of opened) {
      assert.ok([201, 409].includes(answer.statusCode), answer.body)
      if (answer.statusCode === 409) {
        assert.equal(answer.json().code, 'app_not_available')
        continue
      }
      // All were answered before the app was enabled again, so none may be used.
      const { state } = await timeline(answer.json().id)
      const url = await authorize(story, answer.json().launchId, {}, app)
      assert.ok(['ended', 'opened'].includes(state))
      assert.ok(url.searchParams.get('error'), `round ${round}: ${state} launch was authorized`)
    }
  }
})

test('gives no live token to a code that races with the disabling [V12]', async () => {
  for (let round = 0; round < 8; round++) {
    const app = await story.registerApp(`race-${round}`)
    const sessionId = await story.openSession()
    const { launchId } = await story.launch({ app, sessionId })
    const again = await story.launch({ app, sessionId })
    const code = (await authorize(story, launchId, {}, app)).searchParams.get('code') ?? ''
    const [exchanged, authorized] = await Promise.all([
      exchange(story, code, {}, app),
      authorize(story, again.launchId, {}, app),
      setEnabled(app, false),
    ])
    await setEnabled(app, true)
    if (exchanged.statusCode === 200) {
      assert.equal(await isActive(story, exchanged.json().access_token, app), false)
    }
    const late = authorized.searchParams.get('code')
    if (late) assert.equal((await exchange(story, late, {}, app)).statusCode, 400)
  }
})

test('ends one launch by DELETE, and no other [V12]', async (t) => {
  const { app, sessionId, launches, token } = await appWithLaunches('single')
  const stream = await openStream(story.service, sessionId, story.adminToken)
  t.after(() => stream.close())
  const url = `/api/launches/${launches.exchanged.id}`
  assert.equal((await story.api('DELETE', url)).statusCode, 204)
  assert.equal(await isActive(story, token, app), false)
  const { ended } = await timeline(launches.exchanged.id)
  assert.equal(ended.reason, 'closed')
  await stream.next(({ data }) => data.id === launches.exchanged.id && data.state === 'ended')
  assert.equal((await timeline(launches.opened.id)).state, 'opened')
  story.service.clock.advance(1)
  assert.equal((await story.api('DELETE', url)).statusCode, 204)
  assert.deepEqual((await timeline(launches.exchanged.id)).ended, ended, 'the first end stays')
})

test('lets its person and administrators end a launch, and no one else [U01]', async () => {
  const provider = await person()
  const colleague = await person()
  const developer = await person(story.accountId, 'developer')
  const manager = await person(story.accountId, 'admin')
  const stranger = await person(await otherAccount(), 'admin')
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const session = (await provider.api('POST', '/api/sessions', body)).json()
  const open = async () => {
    const launch = { appId: story.app.id, kind: 'ui' }
    const made = await provider.api('POST', `/api/sessions/${session.id}/launches`, launch)
    return made.json().id
  }
  for (const [who, status, reason] of [
    [colleague, 404, undefined],
    [stranger, 404, undefined],
    [developer, 403, undefined],
    [manager, 204, 'revoked'],
    [provider, 204, 'closed'],
    [story, 204, 'revoked'],
  ] as const) {
    const id = await open()
    assert.equal((await who.api('DELETE', `/api/launches/${id}`)).statusCode, status)
    assert.equal((await timeline(id)).ended?.reason, reason)
  }
})

test('accepts nothing of a launch that the disabling of its app has not seen [V12]', async () => {
  const { app, launches, code, token } = await appWithLaunches('unseen')
  const { db } = story.service.service
  // As a launch that was inserted while its app was disabled; the node has not heard of it yet.
  const set = (disabledAt: number | null, count: number) =>
    db.write(sql`UPDATE apps SET disabled_at = ${disabledAt}, disabled_count = ${count}
      WHERE id = ${app.id}`)
  for (const [disabledAt, count] of [
    [story.service.clock(), 0],
    [null, 1],
  ] as const) {
    await set(disabledAt, count)
    assert.equal(await isActive(story, token, app), false)
    assert.equal((await exchange(story, code, {}, app)).json().error, 'invalid_grant')
    const refused = await authorize(story, launches.opened.launchId, {}, app)
    assert.equal(refused.searchParams.get('error'), 'access_denied')
  }
})

test('ends the launches of a deleted app, and tells their hosts [V12]', async (t) => {
  const { app, sessionId, launches, token } = await appWithLaunches('deleted')
  const stream = await openStream(story.service, sessionId, story.adminToken)
  t.after(() => stream.close())
  const userinfo = async () =>
    (
      await story.request({
        url: '/app-auth/userinfo',
        headers: { authorization: `Bearer ${token}` },
      })
    ).statusCode
  assert.equal(await userinfo(), 200)
  assert.equal((await story.api('DELETE', `/api/apps/${app.id}`)).statusCode, 204)
  assert.equal(await userinfo(), 401)
  const found = await story.api('GET', `/api/apps?clientId=${app.clientId}`)
  assert.deepEqual(found.json().items, [])
  const refused = await exchange(story, 'code', {}, app)
  assert.equal(refused.json().error, 'invalid_client', 'its secret is forgotten at once')
  assert.equal((await timeline(launches.opened.id)).ended.reason, 'app_disabled')
  for (const { id } of Object.values(launches)) {
    await stream.next(({ data }) => data.id === id && data.state === 'ended')
  }
})
