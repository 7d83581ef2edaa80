// The hash chains of many accounts, built by several nodes at once: each takes slots of its own, and every
// event has one place. docs/inside/decisions/0020, security P07.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CHAIN, extendChains, findOldestUnchained } from '../src/audit/audit-chain.ts'
import { keyOfEvent } from '../src/audit/audit-entry.ts'
import { verifyExport } from '../src/audit/audit-export.ts'
import { readExport } from '../src/audit/audit-export-file.ts'
import { insertEventStatement } from '../src/audit/audit-store.ts'
import { listEvents, NEWEST } from '../src/audit/audit-trail.ts'
import { UniqueViolation } from '../src/db/database.ts'
import { type Statement, sql } from '../src/db/sql.ts'
import { newId } from '../src/kernel/identifiers.ts'
import { systemRandomness } from '../src/kernel/randomness.ts'
import { changeEvent } from './audit-fixture.ts'
import { type Story, startStory } from './story.ts'
import { startTestService } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

test('builds several accounts on several nodes at once, each event once [P07]', async (t) => {
  const other = await startTestService({}, { beside: story.service })
  t.after(() => other.close())
  const nodes = [story.service.service.db, other.service.db]
  await extendChains(story.service.service.db, story.service.clock(), { settleMs: -1 })
  const now = story.service.clock()
  const accounts = Array.from({ length: 40 }, (_, i) => `acc_parallel${i}`)
  await nodes[0]?.write(
    ...accounts.flatMap((accountId, at) =>
      Array.from({ length: 3 }, (_, i) =>
        insertEventStatement({
          ...{ id: newId('evt', now, systemRandomness()), at: now, accountId, actor: 'usr_1' },
          ...{ action: 'parallel', target: `${at} ${i}`, launchId: undefined, ip: 'local' },
          ...{ outcome: 'ok', detail: {} },
        }),
      ),
    ),
  )
  // The leases of half of the slots are another node's.
  const chained = await Promise.all(
    nodes.map((db, i) => extendChains(db, now, { settleMs: -1, firstSlot: 8 * i })),
  )
  assert.equal((chained[0] ?? 0) + (chained[1] ?? 0), 120)
  for (const accountId of accounts) {
    const lines: string[] = []
    for await (const line of readExport(other.service.db, accountId)) lines.push(line.trimEnd())
    const { problems, events } = verifyExport(lines)
    assert.deepEqual([problems, events], [[], 3], accountId)
  }
})

test('a long batch rests between its turns, so that requests are answered [P07]', async () => {
  const { db } = story.service.service
  const now = story.service.clock()
  const events = Array.from({ length: 1000 }, (_, i) =>
    insertEventStatement({
      ...{ id: newId('evt', now, systemRandomness()), at: now, accountId: 'acc_long' },
      ...{ actor: 'nobody', action: 'long', target: `${i}`, launchId: undefined, ip: 'local' },
      ...{ outcome: 'ok', detail: {} },
    }),
  )
  await db.write(...events)
  let answered = 0
  const requests = setInterval(() => {
    answered += 1
  }, 1)
  const began = performance.now()
  const chained = await extendChains(db, now, { settleMs: -1 }).finally(() =>
    clearInterval(requests),
  )
  const elapsed = performance.now() - began
  assert.ok(chained !== undefined && chained >= events.length, `${chained} events`)
  // Read and chained: two turns for every hundred events, with a rest after each.
  assert.ok(answered >= 15 && elapsed >= 150, `${answered} times in ${elapsed} ms`)
})

test('names the changed event in the middle of a link, and the removed one [P07]', async () => {
  const { db } = story.service.service
  for (let i = 0; i < 9; i++) {
    story.service.clock.advance(1)
    await story.api('PATCH', `/api/apps/${story.app.id}`, { name: `Renamed ${i}` })
  }
  await extendChains(db, story.service.clock(), { settleMs: -1 })
  const exported = async () => {
    const lines: string[] = []
    for await (const line of readExport(db, story.accountId)) lines.push(line.trimEnd())
    return lines
  }
  const events = await listEvents(db, { accountId: story.accountId, before: NEWEST, limit: 5 })
  const victim = events.at(-1)
  assert.ok(victim?.chain)
  await changeEvent(db, victim, { ip: '203.0.113.9' })
  const line = new RegExp(`^line ${victim.chain.seq}: was changed`)
  assert.match(verifyExport(await exported()).problems[0] ?? '', line)
  const { at, n } = keyOfEvent(victim)
  await db.write(sql`DELETE FROM audit_entries WHERE at = ${at} AND n = ${n}`)
  const [removed = ''] = verifyExport(await exported()).problems
  assert.match(
    removed,
    new RegExp(`number ${victim.chain.seq + 1} where ${victim.chain.seq} belongs`),
  )
  const { chain: _chain, ...event } = victim
  await db.write(insertEventStatement(event))
  assert.deepEqual(verifyExport(await exported()).problems, [])
})

test('finds the events of a time in a long trail, chained or not, page after page', async () => {
  const path = `/api/accounts/${story.accountId}`
  const expected: string[] = []
  let [from, to] = [0, 0]
  for (let n = 0; n < 24; n++) {
    story.service.clock.advance(20 * 60)
    if (n === 8) from = story.service.clock()
    if (n === 14) to = story.service.clock()
    const answer = await story.api('PATCH', path, { name: `Name ${n}` })
    assert.equal(answer.statusCode, 200, answer.body)
    if (n >= 8 && n < 14) expected.unshift(`Name ${n}`)
    // A link for each, but for the last ones, which have no place yet.
    if (n < 20)
      await extendChains(story.service.service.db, story.service.clock(), { settleMs: -1 })
  }
  const list = async (query: Record<string, string>) => {
    const found: string[] = []
    let cursor = ''
    do {
      const all = new URLSearchParams({ ...query, limit: '4', ...(cursor ? { cursor } : {}) })
      const answer = await story.api('GET', `${path}/audit-events?${all}`)
      assert.equal(answer.statusCode, 200, answer.body)
      for (const { action, detail } of answer.json().items) {
        if (action === 'patchAccount') found.push(JSON.parse(detail['new.name']))
      }
      cursor = answer.json().nextCursor ?? ''
    } while (cursor)
    return found
  }
  const at = (time: number) => new Date(time).toISOString()
  assert.deepEqual(await list({ from: at(from), to: at(to) }), expected)
  assert.deepEqual(await list({ from: at(from), to: at(to), about: 'patchAccount' }), expected)
  assert.deepEqual(await list({ from: at(story.service.clock()) }), ['Name 23'])
  assert.deepEqual(await list({ from: at(to), to: at(from) }), [])
  const wrong = await story.api('GET', `${path}/audit-events?from=yesterday`)
  assert.deepEqual([wrong.statusCode, wrong.json().errors[0].field], [400, 'from'])
})

const eventAt = (at: number, accountId: string) =>
  insertEventStatement({
    ...{ id: newId('evt', at, systemRandomness()), at, accountId, actor: 'nobody' },
    ...{ action: 'settling', target: 'x', launchId: undefined, ip: 'local' },
    ...{ outcome: 'ok', detail: {} },
  })

test('chains no event before slower writes of its second can have come [P07]', async () => {
  const { db } = story.service.service
  story.service.clock.advance(3600)
  const now = story.service.clock()
  await extendChains(db, now, { settleMs: -1 })
  await db.write(eventAt(now + 1000, 'acc_settling'))
  assert.equal(await extendChains(db, now + 20_000), 0)
  assert.ok(((await extendChains(db, now + 1000 + CHAIN.settleMs + 1)) ?? 0) >= 1)
})

test('shows the age of the oldest event that is in no chain [P07]', async () => {
  const { db } = story.service.service
  story.service.clock.advance(3600)
  const now = story.service.clock()
  await extendChains(db, now, { settleMs: -1 })
  assert.equal(await findOldestUnchained(db, now), undefined)
  await db.write(eventAt(now + 5000, 'acc_lag'), eventAt(now + 1000, 'acc_lag_too'))
  await db.write(eventAt(now + 9000, 'acc_lag'))
  assert.equal(await findOldestUnchained(db, now + 10_000), now + 1000)
  await extendChains(db, now + 60_000)
})

test('a node that ends leaves no event without its place, and passes none by [P07]', async () => {
  const { db } = story.service.service
  story.service.clock.advance(3600)
  const now = story.service.clock()
  await db.write(eventAt(now - 100, 'acc_last'))
  const other = await startTestService({}, { beside: story.service })
  await other.close()
  assert.equal(await findOldestUnchained(db, now), undefined)
  // Another node wrote it at the same moment.
  await db.write(eventAt(now - 200, 'acc_last'))
  assert.equal(await extendChains(db, now + CHAIN.settleMs), 1)
})

test('passes no event by after another node has chained beside it [P07]', async () => {
  const { db } = story.service.service
  story.service.clock.advance(3600)
  const now = story.service.clock()
  await extendChains(db, now, { settleMs: -1 })
  await db.write(eventAt(now + 1000, 'acc_collision'))
  const { write } = db
  const collide = async (...statements: readonly Statement[]) => {
    if (!statements.some((one) => one.sql.includes('INSERT INTO audit_links'))) {
      return write.call(db, ...statements)
    }
    Object.assign(db, { write })
    throw new UniqueViolation('audit_links')
  }
  Object.assign(db, { write: collide })
  try {
    assert.equal(await extendChains(db, now + 2 * CHAIN.settleMs), 0)
  } finally {
    Object.assign(db, { write })
  }
  assert.equal(await extendChains(db, now + 2 * CHAIN.settleMs + 1), 1)
})

test('a search for late events reads each link about once, and finds one [P07]', async () => {
  const { db } = story.service.service
  const accountId = 'acc_many_links'
  const began = story.service.clock()
  // Earlier tests have clocks of their own.
  await db.write(sql`DELETE FROM leases`)
  await extendChains(db, began, { settleMs: -1 })
  const insert = (target: string, at: number) =>
    insertEventStatement({
      ...{ id: newId('evt', at, systemRandomness()), at, accountId, actor: 'nobody', target },
      ...{ action: 'many', launchId: undefined, ip: 'local', outcome: 'ok', detail: {} },
    })
  const links = 80
  for (let link = 0; link < links; link += 1) {
    const at = began + (link + 1) * 10_000
    await db.write(...Array.from({ length: 30 }, (_, i) => insert(`${link} ${i}`, at + i)))
    assert.equal(await extendChains(db, at + 100, { settleMs: 0 }), 30)
  }
  const end = began + (links + 1) * 10_000
  let read = 0
  const counted = {
    ...db,
    read: async (statement: Statement) => {
      const rows = await db.read(statement)
      if (/FROM audit_links/.test(statement.sql)) read += rows.length
      return rows
    },
  }
  await db.write(insert('late', began + 100_000))
  assert.equal(await extendChains(counted, end, { settleMs: 0, includeLateEvents: true }), 1)
  assert.ok(read < 3 * links, `${read} links for five batches`)
  assert.equal(await extendChains(db, end, { settleMs: 0, includeLateEvents: true }), 0)
})
