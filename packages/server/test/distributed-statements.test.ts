// The rule about statements on divided tables refuses what Citus refused, and takes what it ran; and no
// later migration uses a column in the transaction that adds it. docs/inside/decisions/0035.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOwner } from '../src/audit/audit-store.ts'
import type { Database } from '../src/db/database.ts'
import { PARTITIONED_TABLES, SPREAD_TABLES } from '../src/db/migrations/layout.ts'
import { MIGRATIONS } from '../src/db/migrations/migrations.ts'
import { sql } from '../src/db/sql.ts'
import { findProblem, refuseUndistributable } from './distributed-statements.ts'

test('refuses statements that cross partitions', () => {
  const refused: Readonly<Record<string, RegExp>> = {
    "SELECT * FROM launches WHERE id = 'x'": /launches is asked in every partition/,
    'SELECT * FROM launches l JOIN ehr_sessions e ON e.id = l.session_id WHERE l.id = ? AND l.part = ?':
      /ehr_sessions is joined without/,
    'SELECT l.* FROM launches l WHERE l.part = ? AND l.session_id IN (SELECT id FROM ehr_sessions WHERE user_id = ?)':
      /ehr_sessions is joined without/,
    'UPDATE sign_ins SET ended_at = ? WHERE EXISTS (SELECT 1 FROM ehr_sessions e WHERE e.part = ?)':
      /sign_ins is on other machines/,
    'INSERT INTO launches (id, app_id) VALUES (?, ?)': /without its part/,
    'UPDATE launches SET opened_at = ? WHERE id = ?': /every partition/,
    'SELECT * FROM launches l JOIN users u ON u.id = ? WHERE l.part = ?': /on the coordinator/,
    'UPDATE ehr_sessions AS e SET ended_at = ? WHERE e.part = ? AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = e.user_id)':
      /members is on the coordinator/,
    'DELETE FROM session_notifications WHERE session_id IN (SELECT id FROM ehr_sessions WHERE part = ?)':
      /not beside/,
    'SELECT e.* FROM audit_entries e WHERE e.part = ? AND NOT EXISTS (SELECT 1 FROM audit_links l WHERE l.seq = e.n)':
      /audit_links is joined without/,
  }
  for (const [statement, why] of Object.entries(refused)) {
    assert.match(findProblem(statement) ?? 'taken', why, statement)
  }
})

test('takes statements of one partition, and tables that are on every machine', () => {
  const taken = [
    'SELECT * FROM apps WHERE id = ?',
    'SELECT l.* FROM launches l JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id WHERE l.id = ? AND l.part = ?',
    'UPDATE launches SET ended_at = ? WHERE part = ? AND (part, session_id) IN (SELECT e.part, e.id FROM ehr_sessions e WHERE e.part = ?)',
    'INSERT INTO audit_entries (n, part) SELECT ?, l.part FROM launches l WHERE l.id = ? AND l.part = ?',
    'UPDATE ehr_sessions AS e SET ended_at = ? WHERE e.part = ? AND e.user_id NOT IN (SELECT m.user_id FROM members m WHERE m.account_id = ?)',
    'INSERT INTO ehr_sessions (id, part) SELECT s.id, ? FROM sign_ins s WHERE s.id = ?',
    'SELECT * FROM launches l JOIN apps a ON a.id = l.app_id WHERE l.part IN (?, ?)',
    'DELETE FROM launches WHERE (part, id) IN ( SELECT part, id FROM launches WHERE id > ? ORDER BY id LIMIT ?)',
  ]
  for (const statement of taken) assert.equal(findProblem(statement), undefined, statement)
})

test('a story fails by a statement of the service that crosses partitions', async () => {
  const db: Database = {
    engine: 'sqlite',
    timeExpression: sql`1`,
    read: async () => [],
    write: async () => [],
    probeFreeSpace: async () => {},
    close: async () => {},
  }
  refuseUndistributable(db)
  const id = 'ses_01kdtq0zg0m9x2v4c6b8n0p1r3'
  await findOwner(db, id)
  const planted = {
    ...db,
    read: () => db.read(sql`SELECT account_id FROM launches WHERE id = ${id}`),
  }
  await assert.rejects(findOwner(planted, id), /every partition/)
})

test('every unique key of a divided table has the column that divides it', () => {
  const divided = {
    ...PARTITIONED_TABLES,
    ...Object.fromEntries(Object.entries(SPREAD_TABLES).map(([name, by]) => [name, [by]])),
  }
  const created = MIGRATIONS.flatMap(({ statements }) =>
    statements.filter((text) => text.startsWith('CREATE TABLE')),
  )
  for (const [name, key] of Object.entries(divided)) {
    const text = created.find((one) => one.startsWith(`CREATE TABLE ${name} (`)) ?? ''
    assert.ok(text, name)
    assert.ok(
      key.includes('part') || new RegExp(`PRIMARY KEY \\([^)]*\\b${key[0]}\\b`).test(text),
      name,
    )
  }
})

test('no migration uses a column in the transaction that adds it', () => {
  for (const { version, statements } of MIGRATIONS) {
    // CockroachDB refuses that.
    const added = statements.flatMap((text) => /ADD COLUMN (\w+)/.exec(text)?.[1] ?? [])
    const others = statements.filter((text) => !text.startsWith('ALTER TABLE'))
    const using = others.filter((text) =>
      added.some((name) => new RegExp(`[( ,]${name}[) ,]`).test(text)),
    )
    assert.deepEqual(using, [], `version ${version}`)
  }
})
