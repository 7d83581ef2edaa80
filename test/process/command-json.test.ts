// What programs read: every command of the command line prints one JSON document with --json, and nothing
// else to standard output. Contract §10.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCommand } from './command.ts'
import { type ServiceProcess, startService } from './service-process.ts'

let service: ServiceProcess
const folder = mkdtempSync(join(tmpdir(), 'command-json-'))
const at = (name: string) => join(folder, name)
before(async () => {
  service = await startService()
})
after(() => service.discard())

async function json(...args: string[]) {
  const { port } = new URL(service.baseUrl)
  const environment = { CHARTSIDE_DATA_DIR: service.dataDir, CHARTSIDE_PORT: port }
  const { code, stdout, stderr } = await runCommand([...args, '--json'], environment)
  return { code, stderr, body: JSON.parse(stdout) }
}

async function keysOf(...args: string[]): Promise<string[]> {
  const { code, stderr, body } = await json(...args)
  assert.equal(code, 0, stderr)
  return Object.keys(body).sort()
}

test('health, migrations and the installation', async () => {
  assert.deepEqual(await keysOf('health'), ['ready', 'status'])
  assert.deepEqual(await keysOf('health', '--ready'), ['ready', 'status'])
  const { body: states } = await json('migrate', '--status')
  assert.deepEqual(Object.keys(states[0]).sort(), [
    'appliedAt',
    'isKnown',
    'name',
    'phase',
    'version',
  ])
  assert.match(states[0].appliedAt, /^\d{4}-\d\d-\d\dT.*Z$/)
  const { body: migrated } = await json('migrate')
  assert.deepEqual(migrated.applied, [])
  assert.deepEqual(await keysOf('installation', 'show'), ['environment', 'issuer'])
  const { body: changed } = await json('installation', 'change', '--dry-run')
  assert.deepEqual([changed.changed, changed.dryRun, changed.from], [false, true, changed.to])
})

test('keys: a dry run and what it then does', async () => {
  const { body: dry } = await json('keys', 'rotate', '--dry-run')
  const { body: done } = await json('keys', 'rotate')
  assert.deepEqual([dry.dryRun, done.dryRun, done.withdrawn], [true, false, null])
  assert.match(done.next, /^[\w-]{43}$/)
  assert.equal(new Date(done.signsFrom).toISOString(), done.signsFrom)
  const { body: revoked } = await json('keys', 'revoke', done.next)
  assert.equal(revoked.withdrawn, done.next)
  assert.notEqual(revoked.next, done.next)
  assert.deepEqual(await keysOf('keys', 'reseal', '--dry-run'), ['dryRun', 'masterKey', 'sealed'])
})

test('the database: backup, restore and copy', async () => {
  const { body: backup } = await json('db', 'backup', at('backup.db'))
  assert.match(readFileSync(at('backup.db.sha256'), 'utf8'), new RegExp(backup.sha256))
  assert.ok(backup.rows > 0 && backup.tables > 0 && backup.bytes > 0)
  const { body: restored } = await json(
    'db',
    'restore',
    at('backup.db'),
    '--to',
    `file:${at('restored.db')}`,
  )
  assert.deepEqual([restored.isChecksumKnown, restored.keptAt], [true, null])
  const { body: copy } = await json(
    'db',
    'copy',
    '--from',
    `file:${at('restored.db')}`,
    '--to',
    `file:${at('copy.db')}`,
  )
  assert.equal(
    copy.rows,
    copy.tables.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0),
  )
  assert.match(copy.tables[0].sha256, /^[0-9a-f]{64}$/)
  assert.ok(existsSync(at('copy.db')))
})

test('the audit trail: export, archive, and a verification that fails', async () => {
  const { body: exported } = await json('audit', 'export', at('trail.jsonl'))
  assert.deepEqual([exported.file, exported.accountId], [at('trail.jsonl'), 'platform'])
  const { code, body: whole } = await json('audit', 'verify', at('trail.jsonl'))
  assert.deepEqual([code, whole.whole, whole.problems], [0, true, []])
  writeFileSync(at('forged.jsonl'), '{"id":"evt_1"}\n')
  const forged = await json('audit', 'verify', at('forged.jsonl'))
  assert.deepEqual([forged.code, forged.body.whole], [1, false])
  assert.ok(forged.body.problems.length > 0)
  const { body: plan } = await json('audit', 'archive', folder, '--dry-run')
  assert.deepEqual([plan.dryRun, plan.events, plan.files], [true, 0, []])
  const { body: archived } = await json('audit', 'archive', folder)
  assert.deepEqual([archived.dryRun, archived.files], [false, []])
  assert.equal((await json('audit', 'verify', '--archives', folder)).body.whole, true)
})

test('people: the emergency account and a user', async () => {
  const { body: made } = await json('emergency', 'create', 'safe@practice.example')
  assert.deepEqual([made.email, typeof made.password], ['safe@practice.example', 'string'])
  const { body: removed } = await json('emergency', 'remove', 'safe@practice.example')
  assert.deepEqual(removed, { id: made.id, email: made.email })
  assert.equal((await json('users', 'create', 'new@practice.example')).body.role, 'member')
  const { body: evidence } = await json('evidence')
  assert.ok(evidence.users)
})
