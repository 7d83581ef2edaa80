// Migrations on both engines: once, in order, by ten nodes at a time; all of one or nothing of it;
// a message that says what to do; and nothing in them that an older node could not live with.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { ENGINES } from '../../../test/engines.ts'
import { type Database, DatabaseUnavailable } from '../database.ts'
import { openDatabase } from '../open.ts'
import { sql } from '../sql.ts'
import { listMigrations, MigrationFailed, migrate, SchemaTooNew } from './migrate.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'

const NEXT = MIGRATIONS.length + 1
const next = (fields: Partial<Migration>, version = NEXT): Migration[] => [
  ...MIGRATIONS,
  { version, name: `step ${version}`, phase: 'expand', statements: [], ...fields },
]

for (const [name, start] of ENGINES) {
  describe(`${name}:`, async () => {
    const engine = await start()
    after(() => engine.stop())
    let url: string
    let db: Database
    beforeEach(async () => {
      url = await engine.freshDatabase()
      db = await openDatabase(url)
    })
    afterEach(() => db.close())
    const title = (text: string) => `${name}: ${text}`
    const versions = async () => {
      const rows = await db.read(sql`SELECT version FROM schema_migrations ORDER BY version`)
      return rows.map((row) => row.version)
    }

    test(title('an empty database has no migrations, and the status changes nothing'), async () => {
      for (let i = 0; i < 2; i++) {
        const states = await listMigrations(db)
        assert.equal(states.length, MIGRATIONS.length)
        assert.ok(states.every(({ appliedAt }) => appliedAt === undefined))
      }
      await assert.rejects(db.read(sql`SELECT * FROM schema_migrations`))
    })

    test(title('migrations run once, in order, and are recorded'), async () => {
      assert.deepEqual(await migrate(db, () => 1), MIGRATIONS)
      assert.deepEqual(await migrate(db, () => 2), [])
      const states = await listMigrations(db)
      assert.deepEqual(
        states.map(({ version, phase, appliedAt }) => ({ version, phase, appliedAt })),
        MIGRATIONS.map(({ version, phase }) => ({ version, phase, appliedAt: 1 })),
      )
    })

    test(title('ten nodes that start at once migrate once'), async () => {
      const nodes = await Promise.all(Array.from({ length: 10 }, () => openDatabase(url)))
      const applied = await Promise.all(nodes.map((node) => migrate(node, () => 1)))
      // Each step is applied by one node, not all steps by the same.
      const byVersion = applied.flat().sort((a, b) => a.version - b.version)
      assert.deepEqual(byVersion, MIGRATIONS)
      await Promise.all(nodes.map((node) => node.close()))
    })

    test(
      title('an installation of every earlier version is brought up with its rows'),
      async () => {
        for (let count = 1; count < MIGRATIONS.length; count++) {
          const old = await openDatabase(await engine.freshDatabase())
          await migrate(old, () => 1, { migrations: MIGRATIONS.slice(0, count) })
          const account = sql`INSERT INTO accounts (id, name, created_at, updated_at)
          VALUES ('acc_1', 'Lakeside', 1, 1)`
          const key = sql`INSERT INTO keys (id, purpose, sealed, created_at, signs_from)
          VALUES ('kid', 'signature', 'x', 1, 1)`
          await old.write(account, key)
          assert.deepEqual(await migrate(old, () => 2), MIGRATIONS.slice(count))
          assert.equal((await old.read(sql`SELECT name FROM accounts`))[0]?.name, 'Lakeside')
          // A key of the first version becomes the first of its purpose.
          const [stored] = await old.read(sql`SELECT generation FROM keys`)
          assert.equal(stored?.generation, count === 1 ? 1 : null)
          await old.close()
        }
      },
    )

    test(
      title('a failed migration leaves the database as it was and says what to do'),
      async () => {
        await migrate(db, () => 1)
        const before = await versions()
        const statements = ['CREATE TABLE half (id TEXT)', 'ALTER TABLE missing ADD COLUMN x TEXT']
        const failing = migrate(db, () => 2, { migrations: next({ statements }) })
        await assert.rejects(failing, (error: Error) => {
          assert.ok(error instanceof MigrationFailed)
          assert.match(error.message, /missing/)
          assert.match(error.message, /chartside migrate/)
          return true
        })
        assert.deepEqual(await versions(), before)
        await assert.rejects(db.read(sql`SELECT * FROM half`))
        // The cause removed, the same version runs.
        const mended = next({ statements: ['CREATE TABLE half (id TEXT)'] })
        assert.equal((await migrate(db, () => 3, { migrations: mended })).length, 1)
      },
    )

    test(title('a full disk fails a migration at once, not after a minute'), async () => {
      await migrate(db, () => 1)
      const full: Database = {
        ...db,
        read: (statement) => db.read(statement),
        write: (...statements) =>
          statements.length > 1
            ? Promise.reject(new DatabaseUnavailable(new Error('disk is full'), 'full'))
            : db.write(...statements),
      }
      const startedAt = Date.now()
      await assert.rejects(
        migrate(full, () => 2, { migrations: next({}) }),
        /disk is full/,
      )
      assert.ok(Date.now() - startedAt < 900, 'not one of its waits of a second')
    })

    test(
      title('what contracts waits for its own command; what expands does not wait'),
      async () => {
        const migrations = [
          ...next({ phase: 'contract', statements: ['DROP TABLE duties'] }),
          ...next({ statements: ['CREATE TABLE later (id TEXT)'] }, NEXT + 1).slice(-1),
        ]
        await migrate(db, () => 1, { migrations })
        assert.deepEqual((await versions()).slice(-2), [MIGRATIONS.length, NEXT + 1])
        await db.read(sql`SELECT * FROM duties`)
        await migrate(db, () => 2, { migrations, contract: true })
        await assert.rejects(db.read(sql`SELECT * FROM duties`))
      },
    )

    test(title('an older version runs beside a newer one until a contract step'), async () => {
      await migrate(db, () => 1, { migrations: next({}) })
      assert.deepEqual(await migrate(db, () => 2), [])
      const unknown = (await listMigrations(db)).at(-1)
      assert.deepEqual([unknown?.version, unknown?.isKnown], [NEXT, false])
      const contracted = next({ phase: 'contract' }, NEXT + 1)
      await migrate(db, () => 3, { migrations: contracted, contract: true })
      await assert.rejects(
        migrate(db, () => 4),
        SchemaTooNew,
      )
    })
  })
}

test('a released migration is never edited', () => {
  const SHIPPED = ['aaaad9fc3fb1e82f', '76730cf334146d53', '2cc9d49d56a60f3f']
  const hashes = MIGRATIONS.map(({ statements }) =>
    hash('sha256', statements.join('\n').replace(/\s+/g, ' '), 'hex').slice(0, 16),
  )
  assert.deepEqual(hashes.slice(0, SHIPPED.length), SHIPPED)
})

test('an expand step adds only what older nodes can ignore', () => {
  const ADDS = [
    /^CREATE TABLE (\w+)/,
    /^CREATE (UNIQUE )?INDEX /,
    /^ALTER TABLE \w+ ADD COLUMN \w+ \w+( NOT NULL DEFAULT 0)?$/,
    /^UPDATE \w+ SET (generation|phase) = /,
  ]
  for (const { version, phase, statements } of MIGRATIONS) {
    if (phase === 'contract') continue
    const others = statements.filter((sql) => !ADDS.some((adds) => adds.test(sql)))
    assert.deepEqual(others, [], `version ${version}`)
  }
})
