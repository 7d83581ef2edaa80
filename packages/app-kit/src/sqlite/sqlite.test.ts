// The file of sessions and accepted ID tokens: no file without a path, private when it is there, the same
// answers when it is opened again, and an error that names the setting.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { buildIdentity, cookieOf, OWN_PAGE, renew } from '../server/session-fixture.ts'
import { createSessions } from '../server/sessions.ts'
import { openFileStores } from './index.ts'

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'file-stores-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('keeps both in memory without a path', () => {
  assert.deepEqual(openFileStores(undefined), {})
  assert.deepEqual(openFileStores(''), {})
})

test('renews a session and refuses a used ID token after it is opened again [R10]', async (t) => {
  const file = join(makeFolder(t), 'sessions.sqlite')
  const before = openFileStores(file)
  const { id, setCookie } = await createSessions(before.sessions).start(buildIdentity(), OWN_PAGE)
  const cookie = cookieOf(setCookie)
  const inAnHour = Math.floor(Date.now() / 1000) + 3_600
  assert.equal(await before.replays?.accept('jti_1', inAnHour), true)

  const after = openFileStores(file)
  const sessions = createSessions(after.sessions)
  const renewed = await renew({ sessions }, id, [cookie])
  assert.equal(renewed.status, 200)
  assert.equal(await after.replays?.accept('jti_1', inAnHour), false)
  assert.equal((await renew({ sessions }, id, [renewed.cookie])).status, 200)
})

test('lets the owner of the process alone read the files', async (t) => {
  const folder = makeFolder(t)
  const { replays } = openFileStores(join(folder, 'sessions.sqlite'))
  await replays?.accept('jti_1', 1)
  const names = readdirSync(folder)
  assert.ok(names.includes('sessions.sqlite-wal'), names.join())
  for (const name of names) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name)
})

test('refuses a file that it cannot use, and names the setting', (t) => {
  const folder = makeFolder(t)
  const other = join(folder, 'other.txt')
  writeFileSync(other, 'This is no database, and it stays as it is. '.repeat(40))
  for (const path of [join(folder, 'missing/sessions.sqlite'), folder, other]) {
    assert.throws(() => openFileStores(path), /^Error: SESSIONS_FILE \(see \.env\.example\) cannot/)
  }
  assert.ok(!existsSync(join(folder, 'missing')))
})
