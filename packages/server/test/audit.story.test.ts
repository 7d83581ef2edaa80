// The audit trail through the app: everything that changes something is in it, with who, what, where
// and how it ended; nothing secret is; it is chained, exported and verified. Contract §4, P02, P06.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { AuditEvent } from '../src/audit/audit.ts'
import { CHAIN, extendChains } from '../src/audit/audit-chain.ts'
import { verifyExport } from '../src/audit/audit-export.ts'
import { readExport } from '../src/audit/audit-export-file.ts'
import { insertEventStatement } from '../src/audit/audit-store.ts'
import { listEvents, type PlacedEvent } from '../src/audit/audit-trail.ts'
import { DatabaseUnavailable } from '../src/db/database.ts'
import { type Statement, sql } from '../src/db/sql.ts'
import { idFloor } from '../src/kernel/identifiers.ts'
import { changeEvent, removeLastLink } from './audit-fixture.ts'
import { beginPeople, person } from './people.ts'
import { type Story, startStory } from './story.ts'
import { ADMIN, startTestService } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())
// Events of one millisecond have no order.
beforeEach(() => story.service.clock.advance(1))

const plainEvent = ({ chain: _chain, ...event }: PlacedEvent): AuditEvent => event

interface ShownEvent {
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly accountId: string
  readonly outcome: string
  readonly ip: string
  readonly launchId?: string
  readonly detail: Record<string, string>
}

async function trail(accountId = story.accountId): Promise<ShownEvent[]> {
  const answer = await story.api('GET', `/api/audit-events?accountId=${accountId}&limit=200`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().items
}

/** What an export holds, without the mark that an export leaves. */
async function exported(): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readExport(story.service.service.db, story.accountId)) {
    lines.push(line.trimEnd())
  }
  return lines
}

async function chainAll(now = story.service.clock()) {
  return extendChains(story.service.service.db, now, { settleMs: -1 })
}

test('audits a change in the trail of its account, with old and new values', async () => {
  const name = 'A new name'
  await story.api('PATCH', `/api/apps/${story.app.id}`, { name })
  const [event] = await trail()
  assert.equal(event?.action, 'patchApp')
  assert.equal(event.target, story.app.id)
  assert.equal(event.outcome, 'ok')
  assert.match(event.actor, /^usr_/)
  assert.equal(event.ip, '127.0.0.1')
  assert.equal(event.detail.fields, 'name')
  assert.match(event.detail.trace ?? '', /^[0-9a-f]{32}$/)
  assert.deepEqual([event.detail['old.name'], event.detail['new.name']], ['"notes"', `"${name}"`])
})

test('audits a refusal, with its code, in the trail of the owner of the record', async () => {
  await story.api('PATCH', `/api/apps/${story.app.id}`, { launchUrl: 'https://user:pw@x.example/' })
  const [event] = await trail()
  assert.deepEqual(
    [event?.action, event?.outcome, event?.detail.code, event?.detail.fields],
    ['patchApp', 'refused', 'invalid_request', 'launchUrl'],
  )
})

test('audits successful and failed sign-ins, without their input', async () => {
  const wrong = { email: 'unknown@test.example', password: 'hunter2hunter2' }
  for (const payload of [ADMIN, { ...ADMIN, password: 'wrong' }, wrong]) {
    story.service.clock.advance(1)
    await story.request({ method: 'POST', url: '/auth/sign-in', payload })
  }
  const events = (await trail('platform')).filter(({ action }) => action === 'signIn')
  assert.deepEqual(
    events.slice(0, 3).map(({ outcome, target }) => [outcome, target.slice(0, 4)]),
    [
      ['refused', 'unkn'],
      ['refused', 'usr_'],
      ['ok', 'usr_'],
    ],
  )
  const text = JSON.stringify(await trail('platform'))
  for (const typed of [ADMIN.password, ADMIN.email, wrong.email, wrong.password]) {
    assert.equal(text.includes(typed), false)
  }
})

test('audits identifiers only as targets, never other input', async () => {
  const secret = `st_${'x'.repeat(60)}`
  await story.api('DELETE', `/api/apps/${secret}`)
  story.service.clock.advance(1)
  await story.api('DELETE', '/api/apps/app_00000000000000000000zz')
  const all = JSON.stringify([await trail(), await trail('platform')])
  assert.equal(all.includes('xxxxxx'), false)
  const [event] = await trail('platform')
  assert.deepEqual([event?.action, event?.outcome], ['removeApp', 'refused'])
})

test('names the member in a membership change; an invitation shows no sign-ins', async () => {
  const invited = await story.api('POST', `/api/accounts/${story.accountId}/members`, {
    email: 'ceo@other.example',
    name: 'Chief Executive',
    role: 'developer',
  })
  assert.equal(invited.statusCode, 201, invited.body)
  const userId = invited.json().id
  story.service.clock.advance(1)
  const payload = { email: 'ceo@other.example', password: 'whatever it may be' }
  await story.request({ method: 'POST', url: '/auth/sign-in', payload })
  assert.equal((await trail())[0]?.action, 'inviteMember')
  story.service.clock.advance(1)
  await story.api('PATCH', `/api/accounts/${story.accountId}/members/${userId}`, {
    role: 'provider',
  })
  const [event] = await trail()
  assert.deepEqual([event?.action, event?.target], ['patchMember', userId])
})

test('names actors and targets to the platform, and its own people to an account', async () => {
  beginPeople(story)
  const admin = await person(story.accountId, 'admin')
  await admin.api('PATCH', `/api/apps/${story.app.id}`, { name: 'Named Notes' })
  // Events of one millisecond have no order.
  story.service.clock.advance(1)
  await story.api('PATCH', `/api/apps/${story.app.id}`, { name: 'Named Notes 2' })
  const path = `/api/accounts/${story.accountId}/audit-events?about=patchApp`
  const [of, all] = [(await admin.api('GET', path)).json(), (await story.api('GET', path)).json()]
  const [operator] = all.items.map(({ actor }: ShownEvent) => actor)
  assert.notEqual(operator, admin.id)
  const known = { [story.app.id]: 'Named Notes 2', [admin.id]: admin.name }
  assert.deepEqual(of.names, known)
  assert.deepEqual(all.names, { ...known, [operator]: 'Administrator' })
})

test('exports JSON Lines to administrators of the account, and audits the export', async () => {
  await chainAll()
  const answer = await story.api('GET', `/api/accounts/${story.accountId}/audit-events/export`)
  assert.match(String(answer.headers['content-type']), /^application\/jsonl/)
  assert.deepEqual(answer.body.trimEnd().split('\n'), await exported())
  assert.equal((await trail())[0]?.action, 'exportAuditEvents')
})

test('bounds the audited refusals of one user', async () => {
  for (let i = 0; i < 60; i++) {
    await story.api('PATCH', `/api/apps/${story.app.id}`, { launchUrl: 'https://u:p@x.example/' })
  }
  const refused = (await trail()).filter(({ outcome }) => outcome === 'refused')
  assert.ok(refused.length >= 20 && refused.length <= 32, `${refused.length}`)
})

test('keeps the trail of a deleted account for platform administrators', async () => {
  const { id } = (await story.api('POST', '/api/accounts', { name: 'Gone soon' })).json()
  story.service.clock.advance(1)
  await story.api('DELETE', `/api/accounts/${id}`)
  assert.deepEqual(
    (await trail(id)).map(({ action }) => action),
    ['removeAccount', 'createAccount'],
  )
  assert.equal((await story.api('GET', `/api/accounts/${id}/audit-events`)).statusCode, 200)
  const other = `/api/accounts/${story.app.id}/audit-events`
  assert.equal((await story.api('GET', other)).statusCode, 404)
})

test('chains settled events by account, and the export verifies [P07]', async () => {
  const { db } = story.service.service
  assert.equal(await extendChains(db, story.service.clock()), 0)
  assert.ok(((await chainAll()) ?? 0) > 0)
  assert.equal(await chainAll(), 0)
  const lines = await exported()
  const result = verifyExport(lines)
  assert.deepEqual(result.problems, [])
  assert.equal(result.events, (await trail()).length)

  await story.api('PATCH', `/api/apps/${story.app.id}`, { name: 'Again' })
  await chainAll()
  const later = verifyExport(await exported(), result.head)
  assert.deepEqual(later.problems, [])
  assert.equal(later.events, result.events + 1)
})

test('detects a changed, deleted or added row of the trail [P07]', async () => {
  const { db } = story.service.service
  await chainAll()
  const sound = verifyExport(await exported())
  assert.deepEqual(sound.problems, [])
  const [victim] = await listEvents(db, { accountId: story.accountId, before: 'evt_~', limit: 1 })
  assert.ok(victim)
  await changeEvent(db, victim, { actor: 'usr_other' })
  assert.match(verifyExport(await exported()).problems.join(), /was changed/)
  await changeEvent(db, victim, {})
  const putBack = await removeLastLink(db, story.accountId)
  assert.match(verifyExport(await exported(), sound.head).problems.join(), /does not reach/)
  await putBack()
  assert.deepEqual(verifyExport(await exported()).problems, [])
})

test('chains each event once when nodes chain concurrently [P07]', async (t) => {
  const other = await startTestService({}, { beside: story.service })
  t.after(() => other.close())
  for (let i = 0; i < 20; i++) {
    await story.api('PATCH', `/api/apps/${story.app.id}`, { name: `Name ${i}` })
  }
  const nodes = [story.service.service.db, other.service.db]
  const freeLeases = sql`DELETE FROM leases
    WHERE name LIKE 'audit-chain-%' AND name NOT LIKE '%-done'`
  const now = story.service.clock()
  await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      const db = nodes[i % 2] ?? other.service.db
      // Each node acts as if it held the lease.
      await db.write(freeLeases)
      await extendChains(db, now, { settleMs: -1 })
    }),
  )
  await other.service.db.write(freeLeases)
  await chainAll()
  const result = verifyExport(await exported())
  assert.deepEqual(result.problems, [])
  assert.equal(result.events, (await trail()).length)
})

test('finds and chains an event that was written late', async () => {
  const { db } = story.service.service
  await chainAll()
  const [newest] = await listEvents(db, { accountId: story.accountId, before: 'evt_~', limit: 1 })
  assert.ok(newest)
  // As if its write had taken longer than everything settles.
  const at = story.service.clock() - CHAIN.settleMs - 5000
  const late = { at, id: `${idFloor('evt', at)}000000000000`, action: 'late' }
  await db.write(insertEventStatement({ ...plainEvent(newest), ...late }))
  const before = verifyExport(await exported()).events
  assert.equal(await chainAll(), 0)
  const now = story.service.clock()
  assert.equal(await extendChains(db, now, { settleMs: -1, includeLateEvents: true }), 1)
  const result = verifyExport(await exported())
  assert.deepEqual(result.problems, [])
  assert.equal(result.events, before + 1)
})

test('acknowledges no change that could not be audited [P06]', async (t) => {
  const { db } = story.service.service
  const { write } = db
  t.after(() => Object.assign(db, { write }))
  Object.assign(db, {
    write: (...statements: readonly Statement[]) =>
      statements.some((statement) => statement.sql.includes('INSERT INTO audit_entries'))
        ? Promise.reject(new DatabaseUnavailable(new Error('full'), 'full'))
        : write.call(db, ...statements),
  })
  const changed = await story.api('PATCH', `/api/apps/${story.app.id}`, { name: 'Unrecorded' })
  assert.equal(changed.statusCode, 503, changed.body)
  const refused = await story.api('GET', '/api/apps/app_0000000000000000000000')
  assert.equal(refused.statusCode, 404)
})

test('finds events by record, person, launch, action and outcome, page after page', async () => {
  const { id } = await story.launch()
  await story.api('PATCH', `/api/apps/${story.app.id}`, { name: 'Searched' })
  await story.api('GET', `/api/accounts/acc_${'0'.repeat(22)}/audit-events`)
  await chainAll()
  const find = async (query: Record<string, string>) => {
    const asked = new URLSearchParams({ accountId: story.accountId, ...query })
    const answer = await story.api('GET', `/api/audit-events?${asked}`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const [launched, ...others] = (await find({ about: id })).items
  assert.deepEqual([launched.action, launched.launchId, others], ['launch', id, []])
  assert.ok(launched.chain.seq > 0 && launched.chain.hash.length === 43)
  const changes = (await find({ about: 'patchApp', limit: '200' })).items
  assert.ok(changes.length > 0)
  assert.ok(changes.every(({ action }: ShownEvent) => action === 'patchApp'))
  const byApp = (await find({ about: story.app.id })).items
  assert.ok(byApp.every(({ target }: ShownEvent) => target === story.app.id))
  const refused = (await find({ outcome: 'refused' })).items
  assert.ok(refused.every(({ outcome }: ShownEvent) => outcome === 'refused'))
  assert.deepEqual((await find({ about: "' OR 1 = 1 --" })).items, [])
  const pages: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await find({ about: 'patchApp', limit: '20', ...(cursor ? { cursor } : {}) })
    pages.push(...page.items.map((event: { id: string }) => event.id))
    cursor = page.nextCursor
  }
  assert.deepEqual(
    pages,
    changes.map((event: { id: string }) => event.id),
  )
})
