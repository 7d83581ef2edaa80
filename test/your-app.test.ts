// docs/build/your-app.md: its steps work on the app that its command writes, and it quotes what the sandbox shows.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FAULTS } from '../examples/sample-ehr/src/faults.ts'
import { buildAppFiles } from '../packages/create-chartside-app/src/app-files.ts'
import { fromRegistry } from '../packages/create-chartside-app/src/packages.ts'
import { REASONS } from '../packages/server/src/kernel/reasons.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/build/your-app.md'), 'utf8')

function snippet(name: string): string {
  const found = new RegExp(`\`\`\`ts ${name}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1]
  assert.ok(found, name)
  return found
}

/** The text with the snippet in place of what the step names, which stands there once. */
function step(files: Map<string, string | Uint8Array>, path: string, at: RegExp, put: string) {
  const text = String(files.get(path))
  assert.equal(text.match(new RegExp(at, 'gm'))?.length, 1, `${at} in ${path}`)
  files.set(
    path,
    text.replace(new RegExp(at, 'm'), () => put),
  )
}

test('gives an app whose own tests and types pass after each step', async (t) => {
  // Inside the project, so that the packages resolve.
  const folder = join(root, '.chartside/your-app')
  const clean = () => rmSync(folder, { recursive: true, force: true })
  clean()
  t.after(clean)
  const choices = { name: 'My App', option: '1', framework: 'express', kind: 'ui' } as const
  const files = new Map(await buildAppFiles(choices, fromRegistry('^1.0.0')))
  step(files, 'src/browser/main.ts', /^ +el\(.*This page is showApp.*$/, snippet('page'))
  step(files, 'src/app.ts', /^ +explainErrors\(app\)$/, `${snippet('route')}\nexplainErrors(app)`)
  const tests = 'test/app.test.ts'
  files.set(tests, `${files.get(tests)}\n${snippet('test')}`)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
  const tested = run('--test', '--test-reporter=spec', tests)
  assert.equal(tested.status, 0, tested.stdout + tested.stderr)
  assert.match(tested.stdout, /✔ greets the practice of the launch/)
  const checked = run(join(root, 'node_modules/typescript/bin/tsc'), '--noEmit')
  assert.equal(checked.status, 0, checked.stdout)
})

test('has a test of six lines, as its step says', () => {
  assert.match(page, /Add six lines/)
  assert.equal(snippet('test').trim().split('\n').length, 6)
})

test('plays a fault of the sandbox, and quotes the cause of its reason', () => {
  const [, title] = /choose \*([^*]+)\*/.exec(page) ?? []
  assert.equal(FAULTS.find((fault) => fault.title === title)?.name, 'wrong-secret')
  assert.ok(page.includes(`\n> ${REASONS.secret_wrong.cause}\n`))
})
