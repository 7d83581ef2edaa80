// What the trail says of a change, of a read of other people's records, and of refusals beyond the
// number that is written: old and new values without a secret, one event a minute for reads and for
// what is left out. Security P06, V08.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { listEvents } from '../src/audit/audit-trail.ts'
import { DatabaseUnavailable } from '../src/db/database.ts'
import { EHR } from './account-fixture.ts'
import { beginPeople, otherAccount, person } from './people.ts'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())
// A new minute, so that no test meets the counts of another.
beforeEach(() => story.service.clock.advance(61))

/** From the database: reading the trail through the API is an event itself. */
const trail = (accountId: string) =>
  listEvents(story.service.service.db, { accountId, before: 'evt_~', limit: 500 })

const actionsOf = async (accountId: string, actor: string) =>
  (await trail(accountId))
    .filter((event) => event.actor === actor && !/signIn|setPassword/.test(event.action))
    .map(({ action, outcome }) => `${action} ${outcome}`)
    .reverse()

test('noise in the own trail hides no refusal in the trail of a victim [V08]', async () => {
  const account = await otherAccount()
  const attacker = await person(account, 'admin')
  for (let i = 0; i < 40; i++) await attacker.api('PATCH', `/api/accounts/${account}`, { name: '' })
  for (let i = 0; i < 40; i++) await attacker.api('PATCH', '/api/apps/app_none', {})
  const victims = `/api/accounts/${story.accountId}`
  const probes = [
    await attacker.api('DELETE', victims),
    await attacker.api('POST', `/api/apps/${story.app.id}/secrets`, {}),
    await attacker.api('DELETE', `/api/apps/${story.app.id}`),
  ]
  assert.deepEqual(
    probes.map(({ statusCode }) => statusCode),
    [404, 404, 404],
  )
  assert.deepEqual((await actionsOf(story.accountId, attacker.id)).sort(), [
    'createSecret refused',
    'removeAccount refused',
    'removeApp refused',
  ])
})

test('writes one event for the refusals that are left out, in each minute [V08]', async () => {
  const account = await otherAccount()
  const attacker = await person(account, 'admin')
  const probe = () => attacker.api('DELETE', `/api/apps/${story.app.id}`)
  for (let i = 0; i < 100; i++) await probe()
  const mine = async () =>
    (await trail(story.accountId)).filter(({ actor }) => actor === attacker.id).reverse()
  const first = await mine()
  assert.equal(first.length, 31)
  assert.deepEqual(
    first.flatMap(({ detail }) => detail.suppressed ?? []),
    ['further refusals of this caller in this minute'],
  )
  story.service.clock.advance(61)
  await probe()
  const next = (await mine()).at(-1)
  assert.equal(next?.detail.suppressed, '70 refusals before this one')
})

test('records the old and the new value of what changed, and no secret [P06]', async () => {
  const { api, id: actor } = await person(story.accountId, 'admin')
  const member = await person(story.accountId)
  const app = `/api/apps/${story.app.id}`
  const secret = (await api('POST', `${app}/secrets`, { label: 'mine' })).json()
  await api('PATCH', app, { name: `Renamed ${secret.secret}`, requirePkce: true })
  await api('PATCH', `/api/accounts/${story.accountId}/members/${member.id}`, { role: 'developer' })
  await api('PATCH', `/api/accounts/${story.accountId}`, { name: 'Lakeside Clinic' })
  const collection = (await api('GET', `/api/collections?accountId=${story.accountId}`)).json()
  const draft = {
    ehrs: [{ ...EHR, matches: Array(50).fill(`https://e.example/${'x'.repeat(99)}*`) }],
    apps: [],
  }
  await api('PATCH', `/api/collections/${collection.items[0].id}`, { draft })
  const events = (await trail(story.accountId)).filter((event) => event.actor === actor)
  const detailOf = (action: string) => {
    const { trace, ...detail } = events.find((event) => event.action === action)?.detail ?? {}
    return detail
  }
  assert.deepEqual(detailOf('patchApp'), {
    fields: 'name requirePkce',
    'old.name': '"notes"',
    'new.name': '"Renamed cs_…"',
    'old.requirePkce': 'false',
    'new.requirePkce': 'true',
  })
  assert.deepEqual(detailOf('patchMember'), {
    fields: 'role',
    'old.role': '"provider"',
    'new.role': '"developer"',
  })
  assert.equal(detailOf('patchAccount')['old.name'], '"Lakeside"')
  assert.match(detailOf('patchCollection')['new.draft'] ?? '', /^sha256 \S{43} of \d+ characters$/)
  assert.equal(JSON.stringify(events).includes(secret.secret), false)
  for (const { detail } of events) assert.ok(JSON.stringify(detail).length < 3000)
})

test('records reads of the records of other people, once a minute; own ones not [P06]', async () => {
  const admin = await person(story.accountId, 'admin')
  const provider = await person(story.accountId)
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const session = (await provider.api('POST', '/api/sessions', body)).json().id
  const launches = `/api/launches?sessionId=${session}`
  const body2 = { appId: story.app.id, kind: 'ui' }
  const launch = (await provider.api('POST', `/api/sessions/${session}/launches`, body2)).json().id
  for (let i = 0; i < 3; i++) {
    for (const url of [`/api/sessions/${session}`, `/api/launches/${launch}`, launches]) {
      assert.equal((await provider.api('GET', url)).statusCode, 200)
      assert.equal((await story.api('GET', url)).statusCode, 200)
    }
    assert.equal(
      (await admin.api('GET', `/api/accounts/${story.accountId}/members`)).statusCode,
      200,
    )
    const events = `/api/accounts/${story.accountId}/audit-events`
    assert.equal((await admin.api('GET', events)).statusCode, 200)
  }
  // Events of one millisecond have no order.
  assert.deepEqual((await actionsOf(story.accountId, admin.id)).sort(), [
    'listAuditEvents ok',
    'listMembers ok',
  ])
  assert.equal(
    (await actionsOf(story.accountId, provider.id)).some((a) => /^(show|list)/.test(a)),
    false,
  )
  const platform = (await story.api('GET', '/api/users/me')).json().id
  const read = (await actionsOf(story.accountId, platform)).filter((a) => /^(show|list)/.test(a))
  assert.deepEqual(read.sort(), ['showLaunch ok', 'showSession ok'])
  story.service.clock.advance(61)
  await story.api('GET', `/api/sessions/${session}`)
  assert.equal((await actionsOf(story.accountId, platform)).at(-1), 'showSession ok')
})

test('refuses a read of other people whose audit event cannot be stored [P06]', async () => {
  const admin = await person(story.accountId, 'admin')
  const url = `/api/accounts/${story.accountId}/members`
  const { db } = story.service.service
  const { write } = db
  // Reads go on, as on a full disk or on a database that was demoted.
  Object.assign(db, { write: () => Promise.reject(new DatabaseUnavailable(new Error('full'))) })
  try {
    for (const answer of await Promise.all([admin.api('GET', url), admin.api('GET', url)])) {
      assert.equal(answer.statusCode, 503, answer.body)
      assert.equal(answer.json().code, 'temporarily_unavailable')
      assert.ok(answer.headers['retry-after'])
    }
    assert.equal((await admin.api('GET', url)).statusCode, 503, 'not once a minute either')
    assert.equal((await admin.api('GET', '/api/users/me')).statusCode, 200, 'the own record is')
  } finally {
    Object.assign(db, { write })
  }
  assert.equal((await admin.api('GET', url)).statusCode, 200)
  assert.deepEqual(await actionsOf(story.accountId, admin.id), ['listMembers ok'])
})

test('records each reader and each record that was read within the minute [P06]', async () => {
  const readers = [await person(story.accountId, 'admin'), await person(story.accountId, 'admin')]
  const provider = await person(story.accountId)
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const sessions: string[] = []
  for (let i = 0; i < 2; i++) {
    sessions.push((await provider.api('POST', '/api/sessions', body)).json().id)
  }
  for (const { api } of readers) {
    for (const id of sessions)
      assert.equal((await api('GET', `/api/sessions/${id}`)).statusCode, 200)
  }
  const read = (await trail(story.accountId)).filter(({ action }) => action === 'showSession')
  for (const { id } of readers) {
    const targets = read.filter(({ actor }) => actor === id).map(({ target }) => target)
    assert.deepEqual(targets.sort(), sessions.toSorted())
  }
})

test('records lists of records of others, and reads of the platform trail [P06]', async () => {
  const admin = await person(story.accountId, 'admin')
  const provider = await person(story.accountId)
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const session = (await provider.api('POST', '/api/sessions', body)).json().id
  const launch = { appId: story.app.id, kind: 'ui' }
  await provider.api('POST', `/api/sessions/${session}/launches`, launch)
  for (const list of ['launches', 'sessions']) {
    const url = `/api/${list}?accountId=${story.accountId}`
    assert.equal((await admin.api('GET', url)).statusCode, 200)
    assert.equal((await provider.api('GET', url)).statusCode, 200)
  }
  assert.deepEqual((await actionsOf(story.accountId, admin.id)).sort(), [
    'listLaunches ok',
    'listSessions ok',
  ])
  const own = (await actionsOf(story.accountId, provider.id)).filter((a) => a.startsWith('list'))
  assert.deepEqual(own, [], 'the own records are no event')
  const platform = (await story.api('GET', '/api/users/me')).json().id
  const before = (await actionsOf('platform', platform)).length
  assert.equal((await story.api('GET', '/api/audit-events')).statusCode, 200)
  assert.equal((await story.api('GET', '/api/audit-events/export')).statusCode, 200)
  assert.deepEqual((await actionsOf('platform', platform)).slice(before).sort(), [
    'exportPlatformAuditEvents ok',
    'listPlatformAuditEvents ok',
  ])
})

test('records the reason that an administrator gives for disabling an app [P06]', async () => {
  const { id } = await story.registerApp('switched')
  const reason = 'It shows the wrong patient.'
  await story.api('PATCH', `/api/apps/${id}`, { enabled: false, reason })
  const events = await trail(story.accountId)
  const event = events.find(({ action, target }) => action === 'patchApp' && target === id)
  assert.equal(event?.detail.reason, reason)
})

test('records a refused call of the platform by a member of an account [P06]', async () => {
  const member = await person(story.accountId, 'admin')
  const body = { email: 'x@y.example', name: 'X' }
  assert.equal((await member.api('POST', '/api/users', body)).statusCode, 403)
  assert.equal((await actionsOf(story.accountId, member.id)).at(-1), 'inviteUser refused')
})
