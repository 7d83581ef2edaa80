// The trail of a database of the version before, on both engines: its events come into the tables of this
// version with the same bytes of every export, also where it had been tampered with, whatever happens in
// between, and the chain goes on. docs/inside/decisions/0041, security P07.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuditEvent, buildChain, chainRoot } from '../src/audit/audit.ts'
import { extendChains } from '../src/audit/audit-chain.ts'
import { convertEarlierTrail } from '../src/audit/audit-conversion-store.ts'
import { formatHead, formatLine, verifyExport } from '../src/audit/audit-export.ts'
import { readExport } from '../src/audit/audit-export-file.ts'
import { insertEventStatement } from '../src/audit/audit-store.ts'
import { countPending } from '../src/audit/audit-trail.ts'
import type { Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { MIGRATIONS } from '../src/db/migrations/migrations.ts'
import { openDatabase } from '../src/db/open.ts'
import { type Statement, sql } from '../src/db/sql.ts'
import { idFloor, newClientId, newId, newIdIn, newTraceId } from '../src/kernel/identifiers.ts'
import { NO_PART, partOf } from '../src/kernel/partitions.ts'
import { systemRandomness } from '../src/kernel/randomness.ts'
import { ENGINES } from './engines.ts'

const randomness = systemRandomness()
const START = Date.parse('2026-03-01T12:00:00Z')
const EVENTS = 600

/** As the version before made them: steps of launches, calls, refusals, texts of every kind. */
function buildEvents(accountId: string, count: number, from = START): AuditEvent[] {
  const actors = [newId('usr', from, randomness), newClientId(randomness), 'nobody', 'operator']
  const texts = [
    '',
    'Zoë “q” 💊',
    '\ud800 half',
    'x'.repeat(600),
    '007.1.2.3',
    '1.2.3.4',
    '00'.repeat(8),
  ]
  return Array.from({ length: count }, (_, i) => {
    const at = from + i * 10
    const id = newId('evt', at, randomness)
    const launchId =
      i % 3 === 0 ? undefined : newIdIn(partOf(accountId), 'lau', at - (i % 2), randomness)
    return {
      id:
        i % 50 === 7
          ? `evt_${accountId}_${i}`
          : i % 50 === 8
            ? newId('evt', at + 5, randomness)
            : id,
      ...{ at, accountId, launchId, actor: actors[i % 4] ?? '' },
      action: ['launch', 'authorize', 'exchange', 'patchApp'][i % 4] ?? '',
      target: newId('app', at, randomness),
      ip: ['203.0.113.7', '2001:db8::1', 'local', '256.1.1.1'][i % 4] ?? '',
      outcome: i % 5 === 0 ? 'refused' : 'ok',
      detail: {
        trace: newTraceId(randomness),
        ...(i % 6 ? {} : { 'old.name': texts[i % 7] ?? '' }),
      },
    }
  })
}

const insertEarlierStatement = (event: AuditEvent, part: number): Statement =>
  sql`INSERT INTO audit_events (id, part, at, account_id, actor, action, target, launch_id, ip, outcome, detail)
    VALUES (${event.id}, ${part}, ${event.at}, ${event.accountId}, ${event.actor}, ${event.action}, ${event.target},
      ${event.launchId ?? null}, ${event.ip}, ${event.outcome}, ${JSON.stringify(event.detail)})`

/** Writes a trail in the layout of before. Returns the lines that its export had. */
async function writeEarlierTrail(db: Database, accountId: string, part: number) {
  const events = buildEvents(accountId, EVENTS)
  const chain = buildChain({ seq: 0, hash: chainRoot(accountId) }, events)
  await db.write(
    ...events.map((event) => insertEarlierStatement(event, part)),
    ...chain.map(
      ({ event, seq, hash }) =>
        sql`INSERT INTO audit_chain (part, account_id, seq, event_id, hash)
          VALUES (${part}, ${accountId}, ${seq}, ${event.id}, ${hash})`,
    ),
  )
  const end = chain.at(-1)
  assert.ok(end)
  return { end, events, lines: [...chain.map(formatLine), formatHead(accountId, end)] }
}

async function exported(db: Database, accountId: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readExport(db, accountId)) lines.push(line.slice(0, -1))
  return lines
}

const countEarlier = async (db: Database) =>
  Number(
    (
      await db.read(
        sql`SELECT (SELECT COUNT(*) FROM audit_events) + (SELECT COUNT(*) FROM audit_chain) AS n`,
      )
    )[0]?.n,
  )

for (const [name, start] of ENGINES) {
  test(`${name}: keeps every byte of an earlier trail, and goes on with its chain [P07]`, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const open = async (version: number) => {
      const db = await openDatabase(await engine.freshDatabase())
      t.after(() => db.close())
      await migrate(db, () => 1, { migrations: MIGRATIONS.slice(0, version) })
      return db
    }

    const db = await open(14)
    const [ofNow, ofBefore] = ['acc_of_now', 'acc_before_parts']
    const now = await writeEarlierTrail(db, ofNow, partOf(ofNow))
    const before = await writeEarlierTrail(db, ofBefore, NO_PART)
    await migrate(db, () => 2)
    // Killed between two batches: each batch commits by itself.
    const { write } = db
    let writes = 0
    Object.assign(db, {
      write: (...statements: readonly Statement[]) =>
        ++writes === 2 ? Promise.reject(new Error('killed')) : write.call(db, ...statements),
    })
    await assert.rejects(convertEarlierTrail(db), /killed/)
    Object.assign(db, { write })
    const pending = buildEvents(ofNow, 3, START + EVENTS * 10)
    await db.write(...pending.map((event) => insertEarlierStatement(event, partOf(ofNow))))
    // Two nodes start at once.
    await Promise.all([convertEarlierTrail(db), convertEarlierTrail(db)])
    assert.equal(await countEarlier(db), 0)
    assert.deepEqual(await exported(db, ofNow), now.lines)
    assert.deepEqual(await exported(db, ofBefore), before.lines)

    // A node of the version before still runs: it sees an empty table, and begins a chain of its own.
    const [late] = buildEvents(ofNow, 1, START + EVENTS * 10 + 5000)
    assert.ok(late)
    assert.equal(await extendChains(db, late.at + 31_000), 3)
    await db.write(
      insertEarlierStatement(late, partOf(ofNow)),
      sql`INSERT INTO audit_chain (part, account_id, seq, event_id, hash)
        VALUES (${partOf(ofNow)}, ${ofNow}, 1, ${late.id}, 'of another chain')`,
      insertEventStatement({
        ...late,
        id: `${idFloor('evt', late.at + 2000)}000000000000`,
        at: late.at + 2000,
      }),
    )
    assert.equal(await extendChains(db, late.at + 60_000), 2)
    assert.equal(await countEarlier(db), 0)
    const later = await exported(db, ofNow)
    assert.deepEqual(later.slice(0, EVENTS), now.lines.slice(0, -1))
    const verified = verifyExport(later, now.end)
    assert.deepEqual([verified.problems, verified.events], [[], EVENTS + 5])
    assert.equal(await countPending(db, ofNow), 0)

    // Another node moves a batch between the two reads of one.
    const raced = await open(14)
    const whole = await writeEarlierTrail(raced, ofNow, partOf(ofNow))
    await migrate(raced, () => 2)
    let isFirst = true
    let batches = 0
    const other = {
      read: (statement: Statement) => raced.read(statement),
      write: (...statements: readonly Statement[]) =>
        ++batches === 2 ? Promise.reject(new Error('killed')) : raced.write(...statements),
    } as Database
    const slow = {
      async read(statement: Statement) {
        if (isFirst && statement.sql.includes('audit_links')) {
          isFirst = false
          await assert.rejects(convertEarlierTrail(other), /killed/)
        }
        return raced.read(statement)
      },
      write: (...statements: readonly Statement[]) => raced.write(...statements),
    } as Database
    await convertEarlierTrail(slow)
    assert.equal(await countEarlier(raced), 0)
    assert.deepEqual(await exported(raced, ofNow), whole.lines)

    // What had been changed or removed before is found where it was.
    const tampered = await open(14)
    const trail = await writeEarlierTrail(tampered, ofNow, partOf(ofNow))
    const idAt = (seq: number) => trail.events[seq - 1]?.id ?? ''
    await tampered.write(
      sql`UPDATE audit_events SET detail = 'no JSON' WHERE id = ${idAt(300)}`,
      sql`DELETE FROM audit_events WHERE id = ${idAt(450)}`,
      sql`DELETE FROM audit_events WHERE id = ${idAt(EVENTS)}`,
    )
    await migrate(tampered, () => 2)
    await tampered.write(insertEarlierStatement({ ...trail.events[0], id: 'x' } as AuditEvent, 1))
    await assert.rejects(convertEarlierTrail(tampered), /a part that is not its own/)
    await tampered.write(sql`DELETE FROM audit_events WHERE id = 'x'`)
    await convertEarlierTrail(tampered)
    assert.deepEqual(verifyExport(await exported(tampered, ofNow)).problems, [
      'line 300: was changed, or the line before it was',
      'line 450: has number 451 where 450 belongs',
      'line 450: was changed, or the line before it was',
      `line ${EVENTS - 1}: the trail ends at ${EVENTS - 1}, not at ${EVENTS}`,
    ])
  })
}
