// `chartside evidence` on an installation in use: what an auditor asks for is in one file, verified, and
// no secret is; who made it is in the trail. docs/operate/compliance.md, security P05-P08.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { buildCli } from '../../operator/src/cli.ts'
import { PLATFORM } from '../src/audit/audit.ts'
import { extendChains } from '../src/audit/audit-chain.ts'
import { listEvents } from '../src/audit/audit-trail.ts'
import { systemRandomness } from '../src/kernel/randomness.ts'
import { changeEvent } from './audit-fixture.ts'
import { codeAt, readSecret } from './authenticator.ts'
import { beginPeople, invite, PASSWORD, person } from './people.ts'
import { exchange, freshCode, type Story, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

const MASTER = Buffer.alloc(32, 9).toString('base64')
const folder = mkdtempSync(join(tmpdir(), 'chartside-evidence-'))
let story: Story
before(async () => {
  story = await startStory({ CHARTSIDE_MASTER_KEY: MASTER })
  beginPeople(story)
})
after(async () => {
  await story.close()
  rmSync(folder, { recursive: true })
})

let count = 0
const newFile = () => join(folder, `evidence-${count++}.json`)

/** Runs the command in this process, with the settings of the service. */
async function chartside(...args: string[]): Promise<{ printed: string; notes: string }> {
  const printed: string[] = []
  const notes: string[] = []
  const { clock, service } = story.service
  const cli = buildCli({
    env: {
      CHARTSIDE_DATABASE_URL: service.config.databaseUrl,
      CHARTSIDE_BASE_URL: service.config.baseUrl,
      CHARTSIDE_MASTER_KEY: MASTER,
      CHARTSIDE_SESSION_IDLE_SECONDS: '900',
    },
    clock,
    randomness: systemRandomness(),
    operator: { user: 'dana', host: 'console-1' },
    print: (text) => printed.push(text),
    note: (text) => notes.push(text),
    redraw: () => {},
    isTerminal: false,
    signal: new AbortController().signal,
  })
  await cli.parseAsync(args, { from: 'user' })
  return { printed: printed.join('\n'), notes: notes.join('\n') }
}

async function evidence(...args: string[]) {
  const file = newFile()
  await chartside('evidence', file, ...args)
  return JSON.parse(readFileSync(file, 'utf8'))
}

const chainAll = () =>
  extendChains(story.service.service.db, story.service.clock(), { settleMs: -1 })

test('puts settings, schema, keys, users, trails and transport into one file [P06]', async () => {
  const provider = await person()
  const administrator = await person(story.accountId, 'admin')
  const invited = await invite()
  await chainAll()
  const seen = await evidence()
  assert.equal(seen.format, 'chartside-evidence/1')
  assert.deepEqual(seen.madeBy, { user: 'dana', host: 'console-1' })
  assert.equal(seen.configuration.CHARTSIDE_MASTER_KEY, '(set)')
  assert.equal(seen.configuration.CHARTSIDE_SESSION_IDLE_SECONDS, '900')
  assert.equal(seen.sessions.idleSeconds, 900)
  assert.equal(seen.schema.pending, 0)
  assert.equal(seen.schema.version, seen.schema.migrations.at(-1).version)
  assert.match(seen.schema.engine, /SQLite \d|PostgreSQL \d/)
  assert.deepEqual(
    seen.keys.keys.map(({ state }: { state: string }) => state),
    ['signing', 'published'].slice(0, seen.keys.keys.length),
  )
  assert.equal(seen.keys.keys[0].ageDays, 0)
  const byId = new Map(seen.users.map((user: { id: string }) => [user.id, user]))
  const found = (id: string) => byId.get(id) as (typeof seen.users)[0]
  const userId = async ({ api }: typeof provider) => (await api('GET', '/api/users/me')).json().id
  const shown = found(await userId(provider))
  assert.deepEqual(
    [shown.email, shown.secondFactor, shown.loginMethods, shown.memberships],
    [
      provider.email,
      'off',
      ['password'],
      [{ accountId: story.accountId, role: 'provider', isInvited: false }],
    ],
  )
  const waiting = seen.users.find(({ email }: { email: string }) => email === invited.email)
  assert.equal(waiting.memberships[0].isInvited, true)
  const of = await userId(administrator)
  assert.deepEqual(
    seen.administrators.accounts.filter(({ id }: { id: string }) => id === of),
    [{ accountId: story.accountId, id: of, secondFactor: 'off' }],
  )
  assert.equal(seen.administrators.platform.length, 1)
  assert.ok(seen.audit.trails.length >= 2)
  assert.ok(seen.audit.trails.every(({ isWhole }: { isWhole: boolean }) => isWhole))
  assert.ok(seen.audit.actions.some(({ action }: { action: string }) => action === 'signIn'))
  assert.equal(seen.transport.isHttps, true)
  assert.equal(seen.retention.requiredYears, 6)
  assert.ok(seen.retention.oldestEventAt)
})

test('holds no secret, and no address when they are left out [P05]', async () => {
  const tokens = (await exchange(story, await freshCode(story))).json()
  const made = (await story.api('POST', '/api/users/me/second-factor')).json()
  const confirm = { code: codeAt(readSecret(made.secret), story.service.clock()) }
  const confirmed = await story.api('POST', '/api/users/me/second-factor/confirm', confirm)
  const { recoveryCodes } = confirmed.json()
  await chainAll()
  const seen = await evidence('--no-addresses')
  const text = JSON.stringify(seen)
  const secrets = [
    ...[ADMIN.password, PASSWORD, MASTER, story.app.secret, story.adminToken],
    ...[tokens.access_token, tokens.id_token, made.secret, ...recoveryCodes],
  ]
  for (const secret of secrets) assert.equal(text.includes(secret), false, secret.slice(0, 6))
  const db = story.service.service.db
  for (const table of ['keys', 'second_factors']) {
    const rows = await db.read({ sql: `SELECT sealed FROM ${table}`, args: [] })
    for (const { sealed } of rows) assert.equal(text.includes(String(sealed)), false, table)
  }
  assert.doesNotMatch(text, /@lakeside\.example|admin@test\.example|argon2id/)
  const [own] = seen.administrators.platform
  assert.equal(own.secondFactor, 'on')
  assert.equal(
    seen.users.find(({ id }: { id: string }) => id === own.id).recoveryCodesLeft,
    recoveryCodes.length,
  )
})

test('names the trail that was changed, and ends with an error [P07]', async (t) => {
  const { db } = story.service.service
  await chainAll()
  const events = await listEvents(db, { accountId: story.accountId, before: 'evt_~', limit: 9999 })
  const first = events.at(-1)
  assert.equal(first?.chain?.seq, 1)
  await changeEvent(db, first, { ip: '203.0.113.9' })
  t.after(() => changeEvent(db, first, {}))
  const file = newFile()
  await assert.rejects(chartside('evidence', file), (error: Error) => {
    assert.match(error.message, /NOT whole/)
    assert.ok(error.message.includes(`${story.accountId}: line 1: was changed`), error.message)
    return true
  })
  const seen = JSON.parse(readFileSync(file, 'utf8'))
  const bad = seen.audit.trails.filter(({ isWhole }: { isWhole: boolean }) => !isWhole)
  assert.deepEqual(
    bad.map(({ accountId }: { accountId: string }) => accountId),
    [story.accountId],
  )
})

test('records who collected the evidence, with the hash of the file [P02, P06]', async () => {
  const sbom = join(folder, 'sbom.json')
  writeFileSync(sbom, '{}')
  const file = newFile()
  const { printed } = await chartside('evidence', file, '--sbom', sbom)
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
  assert.ok(printed.includes(sha256), printed)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const events = await listEvents(story.service.service.db, {
    accountId: PLATFORM,
    before: 'evt_~',
    limit: 200,
  })
  const [event] = events.filter(({ detail }) => detail.sha256 === sha256)
  assert.deepEqual([event?.action, event?.actor], ['collectEvidence', 'operator'])
  assert.equal(event?.detail.user, 'dana')
  const seen = JSON.parse(readFileSync(file, 'utf8'))
  assert.equal(seen.software.sbom.sha256, createHash('sha256').update('{}').digest('hex'))
})

test('overwrites nothing, and says what it needs', async () => {
  const file = newFile()
  await chartside('evidence', file)
  await assert.rejects(chartside('evidence', file), /is there already/)
  await assert.rejects(chartside('evidence'), /Name the file to make, or say --json/)
  const { printed, notes } = await chartside('evidence', '--json', '--sbom', 'none.json')
  assert.equal(JSON.parse(printed).software.sbom, null)
  assert.match(notes, /Verifying the trail of platform/)
})
