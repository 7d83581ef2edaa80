// The commands of an operator against a running service: migrations and keys. A dry run shows what the
// command then does, the running node follows, and no output has a secret. Backup, restore and copy
// have tests of their own. Security J07, F03.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from './command.ts'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import { exchange, freshCode, type Practice, send, setUpPractice } from './story-verbs.ts'

const KID = /^[\w-]{43}$/

let service: ServiceProcess
let practice: Practice
before(async () => {
  service = await startService({
    isStartedBefore: true,
    environment: { CHARTSIDE_KEY_PREPUBLISH_SECONDS: '10' },
  })
  practice = await setUpPractice(service.baseUrl, ADMIN)
})
after(() => service.discard())

async function chartside(...args: string[]) {
  const ran = await runCommand(args, {
    CHARTSIDE_DATA_DIR: service.dataDir,
    CHARTSIDE_KEY_PREPUBLISH_SECONDS: '10',
  })
  const masterKey = readFileSync(join(service.dataDir, 'master.key'), 'utf8').trim()
  for (const secret of [masterKey, 'PRIVATE KEY', ADMIN.password]) {
    assert.equal((ran.stdout + ran.stderr).includes(secret), false)
  }
  return ran
}

interface ListedKey {
  readonly kid: string
  readonly state: string
  /** RFC 3339 */
  readonly signsFrom: string
}

async function listKeys(): Promise<ListedKey[]> {
  const ran = await chartside('keys', 'list', '--json')
  assert.equal(ran.code, 0, ran.stderr)
  const listed: ListedKey[] = JSON.parse(ran.stdout)
  for (const { signsFrom } of listed) assert.equal(new Date(signsFrom).toISOString(), signsFrom)
  return listed
}

async function publishedKids(): Promise<string[]> {
  const { body } = await send(service.baseUrl, '/app-auth/.well-known/jwks.json')
  return (body.keys as { kid: string }[]).map(({ kid }) => kid)
}

async function signingKid(): Promise<string> {
  const { status, body } = await exchange(practice, await freshCode(practice))
  assert.equal(status, 200)
  const [header = ''] = String(body.id_token).split('.')
  return JSON.parse(Buffer.from(header, 'base64url').toString()).kid
}

async function until(isTrue: () => Promise<boolean>, withinMs: number): Promise<void> {
  const begun = Date.now()
  while (!(await isTrue())) {
    assert.ok(Date.now() - begun < withinMs, `not within ${withinMs} ms`)
    await sleep(50)
  }
}

test('shows the applied migrations and finds none to apply', async () => {
  const status = await chartside('migrate', '--status')
  assert.equal(status.code, 0)
  assert.match(status.stdout, /version +phase +applied +name\n +100 +expand +\d{4}-\d\d-\d\d /)
  assert.doesNotMatch(status.stdout, /pending/)
  assert.equal((await chartside('migrate')).stdout, 'Nothing was pending.\n')
})

test('rotates as the dry run says: the node publishes the key before it signs', async () => {
  await until(async () => (await listKeys()).length === 2, 5000)
  const before = await listKeys()
  const dry = await chartside('keys', 'rotate', '--after-seconds', '0', '--dry-run')
  assert.match(dry.stdout, /^Would sign from .+: [\w-]{43}\.\n$/)
  assert.deepEqual(await listKeys(), before)

  const [old, standby] = before
  const done = await chartside('keys', 'rotate', '--after-seconds', '0')
  const [, next = ''] = /: ([\w-]{43})\.\n$/.exec(done.stdout) ?? []
  assert.match(next, KID)
  assert.equal(next, standby?.kid)
  await until(async () => (await publishedKids()).includes(next), 2000)
  await until(async () => (await signingKid()) === next, 12_000)
  await until(async () => (await publishedKids()).length === 3, 2000)
  assert.deepEqual((await publishedKids()).slice(0, 2), [old?.kid, next])
  assert.deepEqual(
    (await listKeys()).map(({ state }) => state),
    ['retiring', 'signing', 'published'],
  )
})

test('drops a leaked key from the running node within two seconds [J07]', async () => {
  const leaked = (await listKeys()).find(({ state }) => state === 'signing')?.kid ?? ''
  const dry = await chartside('keys', 'revoke', leaked, '--dry-run')
  assert.match(dry.stdout, /Would withdraw .+\nWould sign from now: [\w-]{43}\.\n$/)
  assert.ok((await publishedKids()).includes(leaked))

  const done = await chartside('keys', 'revoke', leaked)
  assert.equal(done.code, 0, done.stderr)
  await until(async () => !(await publishedKids()).includes(leaked), 2000)
  assert.notEqual(await signingKid(), leaked)
  const again = await chartside('keys', 'revoke', leaked)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /No key .+ is in use\. chartside keys list shows all\.\n$/)
})

test('help, unknown commands and wrong values say what to do', async () => {
  const help = await chartside('--help')
  assert.equal(help.code, 0)
  for (const command of ['migrate', 'keys', 'db']) assert.match(help.stdout, new RegExp(command))
  const unknown = await chartside('key')
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /Did you mean keys\?/)
  const wrong = await chartside('keys', 'rotate', '--after-seconds', 'soon')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /must be a number, not soon/)
  const bare = await runCommand(['migrate'], { CHARTSIDE_DATABASE_URL: 'mysql://root:hunter2@x' })
  assert.equal(bare.code, 1)
  assert.match(bare.stderr, /CHARTSIDE_DATABASE_URL must start with/)
  assert.doesNotMatch(bare.stderr, /hunter2/)
})

test('a database that is not there is neither made nor guessed', async () => {
  const nowhere = join(service.dataDir, 'nowhere')
  for (const args of [
    ['keys', 'list'],
    ['migrate', '--status'],
  ]) {
    const ran = await runCommand(args, { CHARTSIDE_DATA_DIR: nowhere })
    assert.equal(ran.code, 1)
    assert.match(ran.stderr, /There is no database at .+ yet/)
  }
  const down = { CHARTSIDE_DATABASE_URL: 'postgres://chartside:hunter2@127.0.0.1:1/chartside' }
  const ran = await runCommand(['migrate', '--status'], down)
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /cannot be used now.+Check CHARTSIDE_DATABASE_URL/)
  assert.doesNotMatch(ran.stderr, /hunter2/)
})

test('every command that the documents name exists', async () => {
  const documents = [
    'README.md',
    'docs/operate/keys.md',
    'docs/operate/backup.md',
    'docs/operate/scaling.md',
  ]
  const named = new Set<string>()
  for (const path of documents) {
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    for (const [, command = ''] of text.matchAll(/chartside ((?:keys|db) [a-z]+|migrate)\b/g)) {
      named.add(command)
    }
  }
  assert.ok(named.size >= 5)
  for (const command of named) {
    const ran = await chartside(...command.split(' '), '--help')
    const usage = new RegExp(`^Usage: chartside ${command}\\b`)
    assert.match(ran.stdout, usage)
  }
})
