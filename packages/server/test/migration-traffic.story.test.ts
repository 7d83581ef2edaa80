// Launches that are under way while a migration runs. Migrations only go forward; a node of the version
// before serves the migrated database beside the new ones. docs/inside/decisions/0012, security F05.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { migrate } from '../src/db/migrations/migrate.ts'
import { MIGRATIONS, type Migration } from '../src/db/migrations/migrations.ts'
import { openDatabase } from '../src/db/open.ts'
import { sql } from '../src/db/sql.ts'
import {
  authorize,
  exchange,
  freshCode,
  isActive,
  type Story,
  signIn,
  startStory,
} from './story.ts'
import { ADMIN, startTestService } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

test('exchanges codes and keeps tokens while a node of the next version migrates [F05]', async (t) => {
  const step: Migration = {
    version: (MIGRATIONS.at(-1)?.version ?? 0) + 1,
    name: 'what the next version adds',
    phase: 'expand',
    statements: [
      'CREATE TABLE next_things (id TEXT PRIMARY KEY)',
      'ALTER TABLE launches ADD next TEXT',
    ],
  }
  const { access_token: token } = (await exchange(story, await freshCode(story))).json()
  const code = await freshCode(story)
  const { launchId } = await story.launch()

  const db = await openDatabase(story.service.service.config.databaseUrl)
  t.after(() => db.close())
  const migrating = migrate(db, () => 3, { migrations: [...MIGRATIONS, step] })
  const meanwhile = Array.from({ length: 20 }, async () => {
    const answer = await exchange(story, await freshCode(story))
    return answer.statusCode
  })
  assert.deepEqual(new Set(await Promise.all(meanwhile)), new Set([200]))
  assert.deepEqual(await migrating, [step])

  assert.equal(await isActive(story, token), true)
  assert.equal((await exchange(story, code)).statusCode, 200)
  // One more node of the version before starts on the migrated database and serves the same launch.
  const second = await startTestService({}, { beside: story.service })
  t.after(() => second.close())
  const there: Story = { ...story, request: (options) => second.server.inject(options) }
  const later = (await authorize(there, launchId)).searchParams.get('code') ?? ''
  assert.equal((await exchange(story, later)).statusCode, 200)
  assert.ok(await signIn(second, ADMIN))
  const done = await db.read(
    sql`SELECT version FROM schema_migrations ORDER BY version DESC LIMIT 1`,
  )
  assert.equal(done[0]?.version, step.version, 'nothing went back')
})
