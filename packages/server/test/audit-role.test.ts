// The role of docs/operate/audit.md on a real PostgreSQL: the service runs with it, and not even a person who
// has its password can change or delete an event. Security P06, P07.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { extendChains } from '../src/audit/audit-chain.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { administerAt, startPostgres, type TestPostgres } from './postgres.ts'
import { exchange, freshCode, type Story, startStory } from './story.ts'

/** Of its own for each run: roles belong to the server, not to a database. */
const ROLE = `chartside_service_${randomBytes(4).toString('hex')}`

/** The statements of the page, with a password. */
const GRANTS = (/```sql\n([\s\S]*?)```/.exec(
  readFileSync(new URL('../../../docs/operate/audit.md', import.meta.url), 'utf8'),
) ?? [])[1]
  ?.replace('…', 'secret')
  .replaceAll('chartside_service', ROLE)

let postgres: TestPostgres
let ownerUrl: string
let serviceUrl: string
let story: Story
before(async () => {
  postgres = await startPostgres()
  ownerUrl = await postgres.freshDatabase()
  const owner = await openDatabase(ownerUrl)
  await migrate(owner, Date.now)
  await owner.close()
  assert.ok(GRANTS)
  await administerAt(ownerUrl, GRANTS)
  const url = new URL(ownerUrl)
  url.username = ROLE
  url.password = 'secret'
  serviceUrl = url.href
  story = await startStory({ CHARTSIDE_DATABASE_URL: serviceUrl })
})
after(async () => {
  await story?.close()
  await administerAt(ownerUrl, `DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`)
  await postgres.stop()
})

test('serves launches and exchanges with a role that can only add events [P06]', async () => {
  assert.equal((await exchange(story, await freshCode(story))).statusCode, 200)
  const { db } = story.service.service
  const chained = await extendChains(db, story.service.clock(), { settleMs: -1 })
  assert.ok((chained ?? 0) > 5, `${chained} events`)
})

test('refuses that role every change of an event and of its chain [P06, P07]', async () => {
  for (const statement of [
    "UPDATE audit_entries SET account_id = 'acc_other'",
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    "UPDATE audit_links SET hash = 'x'",
    'DELETE FROM audit_links',
    "INSERT INTO audit_archives VALUES (1, 1, 'acc_1', 'x', 'x', 'x', 1)",
    'DELETE FROM audit_archives',
    'ALTER TABLE audit_entries DISABLE TRIGGER ALL',
    'DROP TABLE audit_entries',
  ]) {
    await assert.rejects(
      administerAt(serviceUrl, statement),
      /permission denied|must be owner/,
      statement,
    )
  }
  // A role without the right to grant gets a warning, and nothing.
  await administerAt(serviceUrl, `GRANT UPDATE ON audit_entries TO ${ROLE}`)
  await assert.rejects(
    administerAt(serviceUrl, 'UPDATE audit_entries SET at = 0'),
    /permission denied/,
  )
  const [row] = await administerAt(ownerUrl, 'SELECT COUNT(*)::int AS events FROM audit_entries')
  assert.ok(Number(row?.events) > 5)
})
