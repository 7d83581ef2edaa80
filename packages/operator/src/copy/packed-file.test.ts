// A packed backup: smaller, or for the holder of a key alone; whole, or refused with its cause; and no
// readable row in a folder afterwards. docs/operate/backup.md.
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { fillDatabase, readEverything } from '../../../server/test/copy-fixture.ts'
import { runCommand } from '../archive/archive-fixture.ts'

const MARK = 'zebra'
const root = mkdtempSync(join(tmpdir(), 'chartside-packed-'))
const newFolder = () => mkdtempSync(join(root, 'case-'))
const identity = await generateIdentity()
const recipient = await identityToRecipient(identity)
const from = `file:${join(newFolder(), 'data', 'chartside.db')}`
let folder: string
before(() => fillDatabase(from, 20))
beforeEach(() => {
  folder = newFolder()
})
after(() => rm(root, { recursive: true }))

function identityFile(...lines: string[]): string {
  const path = join(folder, 'identity.txt')
  writeFileSync(path, ['# created by a test', ...lines, ''].join('\n'))
  return path
}

async function backUp(...flags: string[]): Promise<string> {
  const backups = join(folder, 'backups')
  mkdirSync(backups, { recursive: true })
  await runCommand(from, 'db', 'backup', backups, ...flags)
  const names = readdirSync(backups).sort()
  assert.deepEqual(names.slice(1), [`${names[0]}.sha256`])
  return join(backups, names[0] ?? '')
}

function restore(file: string, ...flags: string[]) {
  const to = `file:${join(folder, 'restored', 'chartside.db')}`
  return runCommand(to, 'db', 'restore', file, ...flags).then(() => to)
}

/** The commands write their own events into the audit trail. */
async function readRows(url: string) {
  const tables = Object.entries(await readEverything(url))
  return tables.filter(([name]) => !/^(audit_|occurrences)/.test(name))
}

/** Every folder in which rows may have lain unpacked. */
function assertNothingIsLeft(): void {
  for (const place of [join(from.slice('file:'.length), '..'), join(folder, 'restored')]) {
    const names = existsSync(place) ? readdirSync(place) : []
    assert.deepEqual(
      names.filter((name) => name.includes('clear')),
      [],
    )
  }
}

test('restores a compressed and encrypted backup, which shows no row and is smaller', async () => {
  const plain = await backUp()
  folder = newFolder()
  const file = await backUp('--compress', '--recipient', recipient)
  assert.match(file, /\.db\.zst\.age$/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(readFileSync(plain).includes(MARK))
  assert.equal(readFileSync(file).includes(MARK), false)
  assert.ok(statSync(file).size < statSync(plain).size / 3)
  const to = await restore(file, '--identity', identityFile(identity))
  assert.deepEqual(await readRows(to), await readRows(from))
  assertNothingIsLeft()
})

test('restores a backup that is compressed alone, and one that is encrypted alone', async () => {
  const original = await readRows(from)
  const compressed = await backUp('--compress')
  assert.match(compressed, /\.db\.zst$/)
  assert.deepEqual(await readRows(await restore(compressed)), original)
  folder = newFolder()
  const encrypted = await backUp('--recipient', recipient)
  assert.match(encrypted, /\.db\.age$/)
  const to = await restore(encrypted, '--identity', identityFile(identity))
  assert.deepEqual(await readRows(to), original)
})

test('each of several recipients reads it, and no one else', async () => {
  const other = await generateIdentity()
  const second = await identityToRecipient(other)
  const file = await backUp('--recipient', recipient, '--recipient', second)
  const to = await restore(file, '--identity', identityFile(other))
  assert.deepEqual(await readRows(to), await readRows(from))
  await rm(join(folder, 'restored'), { recursive: true })
  const stranger = identityFile(await generateIdentity())
  await assert.rejects(restore(file, '--identity', stranger), /None of the identities/)
  await assert.rejects(restore(file), /is encrypted.*--identity/)
  assert.equal(existsSync(join(folder, 'restored', 'chartside.db')), false)
  assertNothingIsLeft()
})

test('a secret key as recipient is refused before a row is read, and not repeated', async () => {
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const refused = await runCommand(from, 'db', 'backup', backups, '--recipient', identity).then(
    () => assert.fail('it was taken'),
    (error: Error) => error.message,
  )
  assert.match(refused, /not a public key of age/)
  assert.equal(refused.includes(identity), false)
  assert.deepEqual(readdirSync(backups), [])
})

test('names an identity file that is missing, and one that is something else', async () => {
  const file = await backUp('--recipient', recipient)
  await assert.rejects(restore(file, '--identity', '/nowhere/key.txt'), /cannot be read \(ENOENT\)/)
  const secret = 'correct-horse-battery'
  const wrong = await restore(file, '--identity', identityFile(secret)).then(
    () => assert.fail('it was taken'),
    (error: Error) => error.message,
  )
  assert.match(wrong, /is no identity file of age/)
  assert.equal(wrong.includes(secret), false)
})

test('a changed byte and a cut end are refused, also without a checksum', async () => {
  for (const flags of [['--compress'], ['--recipient', recipient]]) {
    folder = newFolder()
    const file = await backUp(...flags)
    const bytes = readFileSync(file)
    await rm(`${file}.sha256`)
    const changed = Buffer.from(bytes)
    const middle = Math.floor(changed.length / 2)
    changed[middle] = (changed[middle] ?? 0) ^ 1
    for (const wrong of [changed, bytes.subarray(0, middle), bytes.subarray(0, -1)]) {
      writeFileSync(file, wrong)
      const key = identityFile(identity)
      await assert.rejects(restore(file, '--identity', key), /cannot be unpacked/)
      assert.equal(existsSync(join(folder, 'restored', 'chartside.db')), false)
    }
  }
  assertNothingIsLeft()
})

test('rows lie unpacked in the folder that is named, and what is left there is said', async () => {
  const scratch = join(folder, 'scratch')
  const left = join(scratch, 'chartside-clear-old')
  mkdirSync(left, { recursive: true })
  const notes = await runCommand(from, 'db', 'backup', folder, '--compress', '--scratch', scratch)
  assert.match(notes, new RegExp(`${left} has rows that are not encrypted`))
  assert.deepEqual(readdirSync(scratch), ['chartside-clear-old'])
})
