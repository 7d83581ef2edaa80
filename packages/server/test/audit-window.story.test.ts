// What a read of the audit trail holds: from a time, before a time, of one account, and nothing that a
// cache keeps. Contract §4 (Audit events), security P06, U01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { extendChains } from '../src/audit/audit-chain.ts'
import { insertEventStatement } from '../src/audit/audit-store.ts'
import { listEvents, NEWEST } from '../src/audit/audit-trail.ts'
import { newId } from '../src/kernel/identifiers.ts'
import { partOf } from '../src/kernel/partitions.ts'
import { beginPeople, otherAccount, person } from './people.ts'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

const rename = async (account: string, name: string): Promise<string> => {
  story.service.clock.advance(1)
  const changed = await story.api('PATCH', `/api/accounts/${account}`, { name })
  assert.equal(changed.statusCode, 200, changed.body)
  return new Date(story.service.clock()).toISOString()
}

interface Shown {
  readonly at: string
  readonly action: string
  readonly accountId: string
}

async function read(account: string, filter = ''): Promise<Shown[]> {
  const url = `/api/audit-events?accountId=${account}&limit=200${filter}`
  const answer = await story.api('GET', url)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().items
}

/** Two accounts whose events and chains lie in the same part of the tables. */
async function accountsOfOnePart(): Promise<readonly [string, string]> {
  const byPart = new Map<number, string>()
  for (;;) {
    const account = await otherAccount()
    const before = byPart.get(partOf(account))
    if (before !== undefined) return [before, account]
    byPart.set(partOf(account), account)
  }
}

test('reads from a time on, and before a time [P06]', async () => {
  const account = await otherAccount()
  const times: string[] = []
  for (const name of ['one', 'two', 'three']) times.push(await rename(account, name))
  const [first, second, third] = times
  const found = await read(account, `&about=patchAccount&from=${first}&to=${third}`)
  assert.deepEqual(found.map(({ at }) => at).sort(), [first, second])
})

test('reads what one person did, several actions at once, as a list and as CSV [P06]', async () => {
  const account = await otherAccount()
  const ana = await person(account, 'admin')
  const { id, name } = await person(account)
  story.service.clock.advance(1)
  const list = `/api/accounts/${account}/members`
  assert.equal((await ana.api('GET', list)).statusCode, 200)
  story.service.clock.advance(1)
  assert.equal((await ana.api('PATCH', `${list}/${id}`, { role: 'viewer' })).statusCode, 200)
  await story.api('GET', list)
  const actionsOf = async (filter: string) =>
    (await read(account, filter)).map(({ action }) => action)
  const both = '&action=listMembers,patchMember'
  assert.deepEqual(await actionsOf(`&actor=${ana.id}${both}`), ['patchMember', 'listMembers'])
  assert.equal((await actionsOf(both)).length, 3)
  assert.deepEqual(await actionsOf(`&actor=${id}${both}`), [], 'done to, not done by')
  const trail = `/api/accounts/${account}/audit-events`
  const csv = await ana.api('GET', `${trail}/export?format=csv&actor=${ana.id}${both}`)
  assert.match(String(csv.headers['content-type']), /^text\/csv/)
  const [head, newest, ...rest] = csv.body.trimEnd().split('\r\n')
  assert.match(head ?? '', /^"time","actor","actor name","action","target","target name"/)
  assert.ok(newest?.includes(`"patchMember","${id}","${name}","ok"`), newest)
  assert.equal(rest.length, 1)
  for (const query of ['?action=listMembers,noSuch', '?action=toString', '?action=,']) {
    assert.equal((await ana.api('GET', trail + query)).statusCode, 400, query)
  }
  const filtered = await ana.api('GET', `${trail}/export?actor=${ana.id}`)
  assert.equal(filtered.statusCode, 400, 'a chain with gaps is no export')
})

test('reads before a time an event that was chained after newer ones [P06, P07]', async () => {
  const account = await otherAccount()
  const { db, clock, randomness } = story.service.service
  const chain = (includeLateEvents = false) =>
    extendChains(db, clock(), { settleMs: -1, includeLateEvents })
  await rename(account, 'early')
  const at = clock()
  story.service.clock.advance(60)
  const to = await rename(account, 'late')
  await chain()
  const page = { accountId: account, before: NEWEST, limit: 99, about: 'patchAccount' }
  const [newest] = await listEvents(db, page)
  assert.ok(newest?.chain)
  const { chain: _, ...event } = newest
  const id = newId('evt', at, randomness)
  await db.write(insertEventStatement({ ...event, at, id }))
  await chain(true)
  await rename(account, 'later')
  await chain()
  const late = (await listEvents(db, page)).find((one) => one.id === id)
  assert.ok((late?.chain?.seq ?? 0) > newest.chain.seq, 'its place is behind a newer event')
  const found = await read(account, `&about=patchAccount&to=${to}`)
  assert.equal(found.length, 2)
})

test('reads and exports events of the one account only, chained or not [U01]', async () => {
  const [mine, other] = await accountsOfOnePart()
  await rename(other, 'Other')
  await rename(mine, 'Mine')
  const { db } = story.service.service
  for (const chained of [false, true]) {
    if (chained) await extendChains(db, story.service.clock(), { settleMs: -1 })
    const events = await read(mine)
    assert.ok(events.some(({ action }) => action === 'patchAccount'))
    assert.deepEqual([...new Set(events.map(({ accountId }) => accountId))], [mine])
  }
  const exported = await story.api('GET', `/api/accounts/${mine}/audit-events/export`)
  assert.equal(exported.headers['cache-control'], 'no-store')
  assert.equal(exported.body.includes(other), false)
})
