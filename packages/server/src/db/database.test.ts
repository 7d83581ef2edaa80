// The contract of the storage port, run against every engine: atomic writes, guarded updates that
// one caller wins, durable acknowledgement, values that come back as they were, errors that tell
// what happened. What only one engine can do wrong is tested beside its driver.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { ENGINES, type Engine } from '../../test/engines.ts'
import { type Database, DatabaseUnavailable, readOne, UniqueViolation } from './database.ts'
import { openDatabase } from './open.ts'
import { byKey, sql } from './sql.ts'
import { openSqlite } from './sqlite/sqlite.ts'

const insert = (id: string) => sql`INSERT INTO things (id) VALUES (${id})`

for (const [name, start] of ENGINES) {
  describe(`${name}:`, () => {
    let engine: Engine
    before(async () => {
      engine = await start()
    })
    after(() => engine.stop())

    let url: string
    let db: Database
    beforeEach(async () => {
      url = await engine.freshDatabase()
      db = await openDatabase(url)
      await db.write(sql`CREATE TABLE things (id TEXT PRIMARY KEY, used_at BIGINT, note TEXT)`)
    })
    afterEach(() => db.close())
    const count = async (from = db) =>
      (await from.read(sql`SELECT COUNT(*) AS n FROM things`))[0]?.n
    const title = (text: string) => `${name}: ${text}`

    test(title('a write returns the rows of each RETURNING and is read back'), async () => {
      const [none, rows] = await db.write(
        insert('a'),
        sql`UPDATE things SET used_at = ${5} RETURNING id, used_at`,
      )
      assert.deepEqual(none, [])
      assert.deepEqual({ ...rows?.[0] }, { id: 'a', used_at: 5 })
      assert.deepEqual(await db.write(), [])
    })

    test(title('a hundred reads by key at once: each its own rows, or its own error'), async () => {
      const ids = Array.from({ length: 100 }, (_, i) => `thing ${i}`)
      await Promise.all(ids.map((id) => db.write(insert(id))))
      const wrong = db.read(byKey(sql`SELECT nothing FROM nowhere`))
      const read = (id: string) => readOne(db, sql`SELECT id FROM things WHERE id = ${id}`)
      const [found, missing] = await Promise.all([
        Promise.all(ids.map(read)),
        read('another'),
        assert.rejects(wrong),
      ])
      assert.deepEqual(
        found.map((row) => row?.id),
        ids,
      )
      assert.equal(missing, undefined)
      await db.write(insert('another'))
      assert.equal((await read('another'))?.id, 'another')
    })

    test(title('several statements are atomic'), async () => {
      await assert.rejects(db.write(insert('a'), insert('b'), insert('a')), UniqueViolation)
      assert.equal(await count(), 0)
      await db.write(insert('a'), insert('b'))
      assert.equal(await count(), 2)
    })

    test(title('writes of one group do not share a failure'), async () => {
      await db.write(insert('taken'))
      const results = await Promise.allSettled([
        db.write(insert('a')),
        db.write(insert('b'), insert('taken')),
        db.write(insert('taken')),
        db.write(sql`INSERT INTO nowhere VALUES (1)`),
        db.write(insert('c')),
      ])
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'],
      )
      assert.equal(await count(), 3)
    })

    test(title('a programmer error stays as it is'), async () => {
      for (const failing of [
        db.read(sql`SELECT nothing FROM nowhere`),
        db.write(sql`INSERT INTO things (id) VALUES (NULL, 1)`),
        db.write(insert('a'), sql`UPDATE things SET nothing = 1`),
      ]) {
        await assert.rejects(failing, (error: Error) => {
          return !(error instanceof DatabaseUnavailable) && !(error instanceof UniqueViolation)
        })
      }
      assert.equal(await count(), 0)
    })

    test(title('a question mark in a literal, a name or a comment is no parameter'), async () => {
      const text = `SELECT ? AS a, 'why? ''really?''' AS b, ? AS "c?" -- no?
        /* nor ? here */ FROM things WHERE note = '?' AND id = ?`
      await db.write({ sql: `INSERT INTO things (id, note) VALUES (?, '?')`, args: ['it?'] })
      const [row] = await db.read({ sql: text, args: ['one', 'two', 'it?'] })
      assert.deepEqual({ ...row }, { a: 'one', b: "why? 'really?'", 'c?': 'two' })
    })

    test(title('text, integers and null are read as they were written'), async () => {
      const texts = ['', "it's “quoted” \\ $1 ?", '{"a":"\\u0000"}', '💊 Åsa', 'x'.repeat(100_000)]
      const numbers = [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null]
      for (const [i, note] of texts.entries()) {
        const used_at = numbers[i] ?? null
        const [rows] = await db.write(
          sql`INSERT INTO things (id, used_at, note) VALUES (${`${i}`}, ${used_at}, ${note}) RETURNING *`,
        )
        assert.deepEqual({ ...rows?.[0] }, { id: `${i}`, used_at, note })
        const [row] = await db.read(sql`SELECT * FROM things WHERE id = ${`${i}`}`)
        assert.deepEqual({ ...row }, { id: `${i}`, used_at, note })
      }
      const [row] = await db.read(
        sql`SELECT COUNT(*) AS n, SUM(used_at) AS total, MAX(used_at) AS most FROM things
          WHERE used_at > ${-9} AND used_at < ${9}`,
      )
      assert.deepEqual({ ...row }, { n: 2, total: -1, most: 0 })
    })

    test(title('an integer that a number cannot hold is refused, not rounded'), async () => {
      await assert.rejects(db.read(sql`SELECT 9007199254740993 AS n`), RangeError)
      assert.equal(await count(), 0)
    })

    test(
      title('of a hundred guarded updates over two nodes exactly one gets the row'),
      async () => {
        await db.write(insert('code'))
        const second = await openDatabase(url)
        const redeem = (usedAt: number) =>
          sql`UPDATE things SET used_at = ${usedAt}
            WHERE id = ${'code'} AND used_at IS NULL RETURNING used_at`
        const results = await Promise.all(
          Array.from({ length: 100 }, (_, i) => (i % 2 ? second : db).write(redeem(i + 1))),
        )
        const won = results.flatMap(([rows = []]) => rows.map((row) => row.used_at))
        assert.equal(won.length, 1)
        assert.deepEqual(
          (await second.read(sql`SELECT used_at FROM things`)).map((row) => row.used_at),
          won,
        )
        await second.close()
      },
    )

    test(title('fifty parallel children of one parent get consecutive numbers'), async () => {
      await db.write(
        sql`CREATE TABLE versions (id TEXT, n BIGINT, PRIMARY KEY (id, n))`,
        sql`INSERT INTO things (id, used_at) VALUES (${'parent'}, 0)`,
      )
      const second = await openDatabase(url)
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          (i % 2 ? second : db).write(
            sql`UPDATE things SET used_at = used_at + 1 WHERE id = ${'parent'}`,
            sql`INSERT INTO versions (id, n) SELECT id, used_at FROM things WHERE id = ${'parent'} RETURNING n`,
          ),
        ),
      )
      const numbers = results.map(([, rows]) => Number(rows?.[0]?.n)).sort((a, b) => a - b)
      assert.deepEqual(
        numbers,
        Array.from({ length: 50 }, (_, i) => i + 1),
      )
      await second.close()
    })

    test(title('a statement prepared before a column was added returns the column'), async () => {
      const bump = sql`UPDATE things SET used_at = 1 WHERE id = ${'a'} RETURNING *`
      const second = await openDatabase(url)
      await db.write(insert('a'))
      await db.write(bump, bump)
      await db.read(sql`SELECT * FROM things`)
      await second.write(sql`ALTER TABLE things ADD COLUMN added TEXT`)
      assert.equal((await db.read(sql`SELECT * FROM things`))[0]?.added, null)
      const [, rows] = await db.write(bump, bump)
      assert.deepEqual({ ...rows?.[0] }, { id: 'a', used_at: 1, note: null, added: null })
      await second.close()
    })

    test(title('a database opened later has every acknowledged write'), async () => {
      await db.write(insert('kept'))
      const second = await openDatabase(url)
      assert.equal(await count(second), 1)
      await second.close()
    })

    test(title('a closed database is unavailable for reads and writes'), async () => {
      await db.close()
      await assert.rejects(db.read(sql`SELECT 1`), DatabaseUnavailable)
      await assert.rejects(db.write(insert('a')), DatabaseUnavailable)
    })

    test(title('closing finishes the queued writes'), async () => {
      const waiting = Array.from({ length: 30 }, (_, i) => db.write(insert(`${i}`)))
      await db.close()
      await Promise.all(waiting)
      db = await openDatabase(url)
      assert.equal(await count(), 30)
    })
  })
}

test('sqlite: a file that is no database is unavailable, not empty', () => {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-db-'))
  const path = join(directory, 'garbage.db')
  writeFileSync(path, 'this is not a database, and long enough to be looked at'.repeat(50))
  assert.throws(() => openSqlite(path), DatabaseUnavailable)
  rmSync(directory, { recursive: true })
})

test('refuses a URL of an unknown engine without repeating it', async () => {
  await assert.rejects(openDatabase('mysql://root:hunter2@db/x'), (error: Error) => {
    return error instanceof TypeError && !error.message.includes('hunter2')
  })
})
