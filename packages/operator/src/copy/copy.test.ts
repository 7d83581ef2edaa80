// A copy in every direction: the same rows, in the same order, with the same digests; refused or
// undone as a whole whenever a single value, row or table would not be the same.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import {
  listMigrations,
  MIGRATIONS,
  type Migration,
  migrate,
  openDatabase,
  sql,
} from '@chartside/server/operator/database'
import {
  aboveBatch,
  fixedClock as clock,
  countRows,
  fillDatabase,
  migrateFresh,
  readEverything,
  tamper,
} from '../../../server/test/copy-fixture.ts'
import { ENGINES, type Engine } from '../../../server/test/engines.ts'
import { copyDatabase, openEndpoint } from './copy.ts'
import { CopyFailed } from './endpoint.ts'
import { verifyTable } from './verify.ts'

const engines: Record<string, Engine> = {}
for (const [name, start] of ENGINES) engines[name] = await start()
after(async () => {
  for (const engine of Object.values(engines)) await engine.stop()
})
const fresh = (name: string) => (engines[name] as Engine).freshDatabase()
const names = Object.keys(engines)

/** What the next version adds. */
const STEP: Migration = {
  version: (MIGRATIONS.at(-1)?.version ?? 0) + 1,
  name: 'the next version',
  phase: 'expand',
  statements: ['ALTER TABLE accounts ADD COLUMN later TEXT'],
}
const migrations = [...MIGRATIONS, STEP]

const refusal = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof CopyFailed, String(error))
  assert.match(error.message, pattern)
  return true
}

/** A trigger that does something to the row of one account while it is written. */
const TRIGGERS: Record<string, (change: 'alter' | 'drop') => string[]> = {
  sqlite: (change) => [
    `CREATE TRIGGER meddle AFTER INSERT ON accounts WHEN new.id = 'Zoë4' BEGIN ${
      change === 'drop'
        ? 'DELETE FROM accounts WHERE id = new.id'
        : "UPDATE accounts SET name = 'hunter2' WHERE id = new.id"
    }; END`,
  ],
  postgres: (change) => [
    `CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF new.id <> 'Zoë4' THEN RETURN new; END IF;
      ${change === 'drop' ? 'RETURN NULL;' : "new.name = 'hunter2'; RETURN new;"} END $$`,
    'CREATE TRIGGER meddle BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION meddle()',
  ],
}

for (const target of names) {
  describe(`to ${target}:`, () => {
    for (const source of names) {
      test(`copies every row unchanged from ${source} to ${target}`, async () => {
        const [from, to] = [await fresh(source), await fresh(target)]
        await fillDatabase(from, aboveBatch)
        const copied = await copyDatabase({ from, to, clock })
        const [original, copy] = [await readEverything(from), await readEverything(to)]
        assert.deepEqual(copy, original)
        assert.deepEqual(
          copied.map(({ table, rows }) => [table, rows]),
          Object.keys(original).map((table) => [table, aboveBatch(table)]),
        )
        assert.equal(new Set(copied.map(({ digest }) => digest)).size, copied.length)
        const back = await copyDatabase({ from: to, to: await fresh(source), clock })
        assert.deepEqual(back, copied, 'the digests are the same on both engines')
      })
    }

    test(`refuses a target with one row and does not migrate it, on ${target}`, async () => {
      const [from, to] = [await fresh('sqlite'), await fresh(target)]
      await fillDatabase(from, 3)
      const source = await openDatabase(from)
      await migrate(source, clock, { migrations })
      await source.close()
      await migrateFresh(to)
      await tamper(to, "INSERT INTO changes (topic, version) VALUES ('apps', 7)")
      await assert.rejects(
        copyDatabase({ from, to, clock, migrations }),
        refusal(/not empty.*changes has 1 row/),
      )
      const db = await openDatabase(to)
      const applied = (await listMigrations(db)).filter(({ appliedAt }) => appliedAt !== undefined)
      assert.deepEqual(
        applied.map(({ version }) => version),
        MIGRATIONS.map(({ version }) => version),
      )
      await db.close()
      assert.equal(await countRows(to), 1)
    })

    test(`rolls the copy back when a row changes or goes missing, on ${target}`, async () => {
      const from = await fresh('sqlite')
      await fillDatabase(from, 12)
      for (const [change, message] of [
        ['alter', /table accounts, id = Zoë4: column name differs/],
        ['drop', /table accounts, id = Zoë4: missing in the target/],
      ] as const) {
        const to = await fresh(target)
        await migrateFresh(to)
        await tamper(to, ...(TRIGGERS[target]?.(change) ?? []))
        await assert.rejects(copyDatabase({ from, to, clock }), (error: Error) => {
          assert.doesNotMatch(error.message, /hunter2/)
          return refusal(message)(error)
        })
        assert.equal(await countRows(to), 0)
      }
    })

    test(`leaves an empty target after an interruption and copies then, on ${target}`, async () => {
      const [from, to] = [await fresh('sqlite'), await fresh(target)]
      await fillDatabase(from, aboveBatch)
      for (const step of ['copying', 'comparing']) {
        const abort = new AbortController()
        const onProgress = (progress: { step: string; number: number }) => {
          if (progress.step === step && progress.number > 3) abort.abort()
        }
        const interrupted = copyDatabase({ from, to, clock, onProgress, signal: abort.signal })
        await assert.rejects(interrupted, refusal(/Interrupted/))
        assert.equal(await countRows(to), 0)
      }
      await copyDatabase({ from, to, clock })
      assert.deepEqual(await readEverything(to), await readEverything(from))
    })

    test(`copies a source of an older version, to be migrated later, on ${target}`, async () => {
      const [from, to] = [await fresh('sqlite'), await fresh(target)]
      await fillDatabase(from, 5)
      await copyDatabase({ from, to, clock, migrations })
      assert.deepEqual(await readEverything(to), await readEverything(from))
      const db = await openDatabase(to)
      assert.deepEqual(await migrate(db, clock, { migrations }), [STEP])
      await db.close()
    })

    test(`lets no other connection write to the target during a copy, on ${target}`, async () => {
      const to = await fresh(target)
      await migrateFresh(to)
      const endpoint = await openEndpoint(to, 'target')
      await assert.rejects(openEndpoint(to, 'target'), refusal(/stop it|locked/))
      await endpoint.close()
    })
  })
}

for (const source of names) {
  test(`blocks writers of ${source} during a move and none during a backup`, async () => {
    const from = await fresh(source)
    await migrateFresh(from)
    for (const [mode, isWritten] of [
      ['exclusive', false],
      ['snapshot', true],
    ] as const) {
      const endpoint = await openEndpoint(from, mode)
      const db = await openDatabase(from, { lockTimeoutMs: 100 })
      const writing = db.write(sql`INSERT INTO changes (topic, version) VALUES (${mode}, 1)`)
      assert.equal(await writing.then(Boolean, () => false), isWritten)
      const table = endpoint.tables.find(({ name }) => name === 'changes')
      assert.ok(table)
      assert.equal(await endpoint.count(table), 0, 'the endpoint keeps its snapshot')
      await db.close()
      await endpoint.close()
    }
  })
}

test('reads a database in another collation in byte order', async () => {
  const postgres = engines.postgres as Engine
  const beside = await postgres.freshDatabase()
  const url = new URL(beside)
  const inDictionaryOrder = `${url.pathname.slice(1)}_icu`
  await tamper(
    beside,
    `CREATE DATABASE ${inDictionaryOrder} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'`,
  )
  const from = await fresh('sqlite')
  await fillDatabase(from, 40)
  url.pathname = `/${inDictionaryOrder}`
  const to = url.href
  await copyDatabase({ from, to, clock })
  assert.deepEqual(await readEverything(to), await readEverything(from))
  await tamper(beside, `DROP DATABASE ${inDictionaryOrder}`)
})

test('names table, key and column of a value that the target cannot store', async () => {
  for (const [value, target, message] of [
    ["'a' || char(0) || 'b'", 'postgres', /table accounts, id = x: column name holds .*U\+0000/],
    ["x'00ff'", 'sqlite', /table accounts, id = x: column name holds neither/],
    ['1.5', 'sqlite', undefined],
  ] as const) {
    const [from, to] = [await fresh('sqlite'), await fresh(target)]
    await migrateFresh(from)
    const insert = (column: string, given: string) =>
      `INSERT INTO accounts (id, name, ${column}, updated_at) VALUES ('x', ${given}, 1, 1)`
    await tamper(from, insert('created_at', value))
    const copying = copyDatabase({ from, to, clock })
    if (message) await assert.rejects(copying, refusal(message))
    // A TEXT column makes text of a number.
    else assert.equal((await copying).find(({ table }) => table === 'accounts')?.rows, 1)
    assert.equal(await countRows(to), message ? 0 : 1)
  }
})

test('ends the copy at a number that is not a safe integer', async () => {
  for (const [value, message] of [
    ['1.5', /column created_at holds a number that is not a safe integer/],
    ["'soon'", /column created_at holds text/],
    ['9007199254740993', /accounts holds an integer beyond/],
  ] as const) {
    const [from, to] = [await fresh('sqlite'), await fresh('sqlite')]
    await migrateFresh(from)
    await tamper(
      from,
      `INSERT INTO accounts (id, name, created_at, updated_at) VALUES ('x', 'n', ${value}, 1)`,
    )
    await assert.rejects(copyDatabase({ from, to, clock }), refusal(message))
    assert.equal(await countRows(to), 0)
  }
})

test('refuses a database of another version and says what to do', async () => {
  const [from, to] = [await fresh('sqlite'), await fresh('sqlite')]
  await assert.rejects(copyDatabase({ from, to, clock }), refusal(/There is no database at/))
  await tamper(from, 'CREATE TABLE strangers (id TEXT PRIMARY KEY)')
  await assert.rejects(copyDatabase({ from, to, clock }), refusal(/not a Chartside database/))
  await migrateFresh(from)
  await assert.rejects(
    copyDatabase({ from, to, clock }),
    refusal(/only in the source: .*strangers/),
  )
  await tamper(
    from,
    "INSERT INTO schema_migrations (version, name, applied_at, phase) VALUES (999, 'later', 1, 'expand')",
  )
  await assert.rejects(copyDatabase({ from, to, clock }), refusal(/migration 999.*newer version/))
  await tamper(from, 'UPDATE schema_migrations SET version = 16 WHERE version = 999')
  await assert.rejects(
    copyDatabase({ from, to, clock }),
    refusal(/version of Chartside before 1\.0\.0/),
  )
  await assert.rejects(copyDatabase({ from, to: from, clock }), refusal(/the same database/))
  await assert.rejects(copyDatabase({ from: 'data/a.db', to, clock }), refusal(/start with file:/))
})

test('names the keys of rows that only one database has, for both databases', async () => {
  const [from, to] = [await fresh('sqlite'), await fresh('postgres')]
  for (const url of [from, to]) await fillDatabase(url, 12)
  await tamper(from, "DELETE FROM changes WHERE topic LIKE 'zebra%'")
  await tamper(
    to,
    "DELETE FROM changes WHERE topic LIKE 'Zo%'",
    "DELETE FROM changes WHERE topic = '0'",
  )
  const [source, target] = [
    await openEndpoint(from, 'snapshot'),
    await openEndpoint(to, 'snapshot'),
  ]
  const table = source.tables.find(({ name }) => name === 'changes')
  assert.ok(table)
  await assert.rejects(verifyTable(table, source, target), (error: Error) => {
    assert.deepEqual(error.message.split('\n').slice(1), [
      '  table changes, topic = 0: missing in the target',
      '  table changes, topic = Zoë4: missing in the target',
      '  table changes, topic = zebra6: only in the target',
    ])
    return true
  })
  await source.close()
  await target.close()
})

test('does not create a missing source', async () => {
  const from = await fresh('sqlite')
  await assert.rejects(copyDatabase({ from, to: await fresh('sqlite'), clock }), CopyFailed)
  assert.equal(existsSync(from.slice('file:'.length)), false)
})

test('shows no password in an error', async () => {
  const from = await fresh('sqlite')
  await migrateFresh(from)
  const to = 'postgres://chart:hunter2@127.0.0.1:1/side'
  await assert.rejects(copyDatabase({ from, to, clock }), (error: Error) => {
    assert.doesNotMatch(error.stack ?? '', /hunter2/)
    return refusal(/PostgreSQL: .*ECONNREFUSED/)(error)
  })
})
