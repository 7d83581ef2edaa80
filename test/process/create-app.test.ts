// What only a process shows: why a checkout cannot be packed, and Ctrl-C.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runPackScript } from '../../packages/create-chartside-app/src/packages.ts'
import { openFixture } from '../../packages/create-chartside-app/test/command-fixture.ts'

test('prints why a checkout cannot be packed, and writes nothing', async (t) => {
  const { cwd, run, list } = openFixture(t)
  const script = join(cwd, 'pack.ts')
  writeFileSync(script, "throw new Error('The packages do not compile: line 7')\n")
  const pack = (folder: string) => runPackScript(script, folder)
  await assert.rejects(run('my-app', { pack }), /could not be packed[\s\S]*do not compile: line 7/)
  assert.deepEqual(list(), ['here', 'here/pack.ts'])
})

test('exits with 130 after Ctrl-C during packing, and writes nothing', async (t) => {
  const { cwd, list } = openFixture(t)
  const main = fileURLToPath(
    new URL('../../packages/create-chartside-app/src/main.ts', import.meta.url),
  )
  const temporary = mkdtempSync(join(tmpdir(), 'chartside-temporary-'))
  t.after(() => rmSync(temporary, { recursive: true, force: true }))
  const env = { ...process.env, TMPDIR: temporary }
  const child = spawn(process.execPath, [main, 'my-app'], { cwd, env, stdio: 'pipe' })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'close'), [130, null])
  assert.equal(errors, 'Nothing was written.\n')
  assert.deepEqual(readdirSync(temporary), [])
  assert.deepEqual(list(), ['here'])
})
