// What `chartside db` and `chartside audit archive` read of their arguments, and print. Contract §10.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate, openDatabase } from '@chartside/server/operator/database'
import { newFolder, root, runCommand } from './archive/archive-fixture.ts'

after(() => rmSync(root, { recursive: true }))

async function makeInstallation(): Promise<string> {
  const url = `file:${join(newFolder(), 'chartside.db')}`
  const db = await openDatabase(url)
  await migrate(db, () => 1)
  await db.close()
  return url
}

test('db copy prints the digest of each table, for a person who compares two copies', async () => {
  const from = await makeInstallation()
  const to = `file:${join(newFolder(), 'copy.db')}`
  const shown = await runCommand(from, 'db', 'copy', '--from', from, '--to', to)
  assert.match(shown, /^accounts +0 +[0-9a-f]{12,}$/m)
})

test('db backup into a folder names the file by the time', async () => {
  const folder = newFolder()
  await runCommand(await makeInstallation(), 'db', 'backup', folder)
  const [name = '', ...others] = readdirSync(folder).sort()
  assert.match(name, /^chartside-\d{4}-\d\d-\d\dT\d{6}Z\.db$/)
  assert.deepEqual(others, [`${name}.sha256`])
})

test('db copy makes no database at an address with a typing error', async () => {
  const path = join(newFolder(), 'chartsied.db')
  const to = `file:${join(newFolder(), 'copy.db')}`
  await assert.rejects(runCommand(to, 'db', 'copy', '--from', `file:${path}`, '--to', to))
  assert.equal(existsSync(path), false)
})

test('audit archive takes a month that is one, and names a text that is none', async () => {
  const url = await makeInstallation()
  const archive = (month: string) =>
    runCommand(url, 'audit', 'archive', newFolder(), '--dry-run', '--before', month)
  assert.match(await archive('2026-02'), /Would archive 0 events of 0 trails, from before 2026-02/)
  await assert.rejects(archive('2026-13'), /Must be a month, such as 2026-09/)
})
