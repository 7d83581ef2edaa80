// Migrations on both engines: once, in order, by ten nodes at a time; all of one or nothing of it;
// a message that says what to do; and nothing in them that an older node could not live with.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { ENGINES, type Engine } from '../../../test/engines.ts'
import { type Database, DatabaseUnavailable } from '../database.ts'
import { openDatabase } from '../open.ts'
import { sql } from '../sql.ts'
import { listMigrations, MigrationFailed, migrate, SchemaTooNew, SchemaTooOld } from './migrate.ts'
import { FIRST_VERSION, MIGRATIONS, type Migration } from './migrations.ts'

const NEXT = (MIGRATIONS.at(-1)?.version ?? 0) + 1
const next = (fields: Partial<Migration>, version = NEXT): Migration[] => [
  ...MIGRATIONS,
  { version, name: `step ${version}`, phase: 'expand', statements: [], ...fields },
]

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

    test(title('statements for PostgreSQL alone run there, and with their step'), async () => {
      const onPostgres = ['CREATE TABLE paged (id TEXT) WITH (fillfactor = 60)']
      await migrate(db, () => 1, { migrations: next({ onPostgres }) })
      assert.equal((await versions()).at(-1), NEXT)
      const paged = db.read(sql`SELECT * FROM paged`)
      if (name === 'postgres') assert.deepEqual(await paged, [])
      else await assert.rejects(paged, /no such table/)
    })

    test(title('ten nodes that start at once migrate once'), async () => {
      const nodes = await Promise.all(Array.from({ length: 10 }, () => openDatabase(url)))
      const applied = await Promise.all(nodes.map((node) => migrate(node, () => 1)))
      // Each step is applied by one node, not all steps by the same.
      const byVersion = applied.flat().sort((a, b) => a.version - b.version)
      assert.deepEqual(byVersion, MIGRATIONS)
      await Promise.all(nodes.map((node) => node.close()))
    })

    test(title('each later step keeps every row as it was [F05]'), async () => {
      await migrate(db, () => 1)
      const insert = (id: string) => sql`INSERT INTO accounts (id, name, created_at, updated_at)
        VALUES (${id}, 'Lakeside', 1, 1)`
      await db.write(...Array.from({ length: 60 }, (_, i) => insert(`acc_${i}`)))
      const before = await db.read(sql`SELECT * FROM accounts ORDER BY id`)
      const expand = {
        statements: [
          'ALTER TABLE accounts ADD COLUMN later TEXT',
          'CREATE INDEX accounts_by_later ON accounts (later)',
        ],
      }
      const contract = {
        phase: 'contract' as const,
        statements: ['DROP INDEX accounts_by_later', 'ALTER TABLE accounts DROP COLUMN later'],
      }
      const steps = [...next(expand), ...next(contract, NEXT + 1).slice(-1)]
      assert.deepEqual(
        (await migrate(db, () => 2, { migrations: steps })).map(({ version }) => version),
        [NEXT],
      )
      const expanded = await db.read(sql`SELECT * FROM accounts ORDER BY id`)
      assert.deepEqual(
        expanded.map((row) => ({ ...row })),
        before.map((row) => ({ ...row, later: null })),
      )
      await migrate(db, () => 3, { migrations: steps, contract: true })
      const contracted = await db.read(sql`SELECT * FROM accounts ORDER BY id`)
      assert.deepEqual(
        contracted.map((row) => ({ ...row })),
        before.map((row) => ({ ...row })),
      )
      assert.deepEqual(await migrate(db, () => 4, { migrations: steps, contract: true }), [])
    })

    test(title('a database of before 1.0.0 is refused, and the message says why'), async () => {
      await db.write(
        sql`CREATE TABLE schema_migrations (
          version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)`,
        sql`INSERT INTO schema_migrations (version, name, applied_at) VALUES (1, 'the spine', 1)`,
      )
      const isRefused = (error: Error) =>
        error instanceof SchemaTooOld &&
        /made by a version of Chartside before 1\.0\.0/.test(error.message) &&
        /CHARTSIDE_DATABASE_URL to a new, empty database/.test(error.message)
      await assert.rejects(
        migrate(db, () => 2),
        isRefused,
      )
      await assert.rejects(listMigrations(db), isRefused)
      assert.deepEqual(await versions(), [1])
      await assert.rejects(db.read(sql`SELECT * FROM accounts`))
    })

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
        migrate(full, () => 2, {
          migrations: next({ statements: ['CREATE TABLE full (id TEXT)'] }),
        }),
        /disk is full/,
      )
      assert.ok(Date.now() - startedAt < 900, 'not one of its waits of a second')
    })

    test(
      title('what contracts waits for its own command; what expands does not wait'),
      async () => {
        const migrations = [
          ...next({ phase: 'contract', statements: ['DROP TABLE leases'] }),
          ...next({ statements: ['CREATE TABLE later (id TEXT)'] }, NEXT + 1).slice(-1),
        ]
        await migrate(db, () => 1, { migrations })
        assert.deepEqual((await versions()).slice(-2), [NEXT - 1, NEXT + 1])
        await db.read(sql`SELECT * FROM leases`)
        await migrate(db, () => 2, { migrations, contract: true })
        await assert.rejects(db.read(sql`SELECT * FROM leases`))
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
  const SHIPPED = ['6de33984a3997d89']
  const hashes = MIGRATIONS.map(({ statements }) =>
    hash('sha256', statements.join('\n').replace(/\s+/g, ' '), 'hex').slice(0, 16),
  )
  assert.deepEqual(hashes.slice(0, SHIPPED.length), SHIPPED)
})

test('migrations are numbered without a gap, from the first of 1.0.0 on', () => {
  assert.deepEqual(
    MIGRATIONS.map(({ version }) => version),
    MIGRATIONS.map((_, i) => FIRST_VERSION + i),
  )
})

test('an expand step changes only what older nodes can ignore', () => {
  const IGNORED = [
    /^CREATE TABLE (\w+)/,
    /^CREATE (UNIQUE )?INDEX /,
    /^DROP INDEX \w+$/,
    /^ALTER TABLE \w+ ADD COLUMN \w+ \w+( NOT NULL DEFAULT 0)?$/,
    /^ALTER TABLE \w+ SET \(fillfactor = \d+\)$/,
  ]
  for (const { version, phase, statements, onPostgres = [] } of MIGRATIONS) {
    if (phase === 'contract') continue
    const others = [...statements, ...onPostgres].filter(
      (sql) => !IGNORED.some((ignored) => ignored.test(sql)),
    )
    assert.deepEqual(others, [], `version ${version}`)
  }
})
