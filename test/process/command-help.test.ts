// Every script of package.json and every command of `chartside` explains itself, and says what is
// wrong with an option that it does not know, without a stack.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const root = new URL('../..', import.meta.url).pathname
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
/** A script that writes into the current folder would write here. */
const folder = mkdtempSync(join(tmpdir(), 'chartside-help-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const CHARTSIDE = [
  'serve',
  'health',
  'migrate',
  'db',
  'keys',
  'audit',
  'installation',
  'users',
  'evidence',
].map((group) => [group])
const SUBCOMMANDS = [
  'db copy',
  'db backup',
  'db restore',
  'audit export',
  'audit verify',
  'audit archive',
  'users reset',
].map((command) => command.split(' '))

interface Ran {
  readonly code: number
  readonly text: string
}

function run(command: string, args: readonly string[]): Promise<Ran> {
  const [file = '', ...given] = command
    .replace(/^node scripts\/run\.mjs (--as-installed )?/, '')
    .split(' ')
  const all = ['--disable-warning=ExperimentalWarning', join(root, file), ...given, ...args]
  return new Promise((resolve) => {
    execFile(process.execPath, all, { cwd: folder, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), text: `${stdout}${stderr}` })
    })
  })
}

/** Two at a time: a process for each would be slower. */
async function forEach<Item>(items: readonly Item[], check: (item: Item) => Promise<void>) {
  const left = [...items]
  const work = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await check(item)
  }
  await Promise.all([work(), work()])
}

test('every script and every command explains itself with --help', async () => {
  const commands = [...CHARTSIDE, ...SUBCOMMANDS]
  const runs: [name: string, command: string, args: readonly string[]][] = [
    ...Object.entries(scripts).map(([name, command]) => [name, command, ['--help']] as const),
    ...commands.map(
      (args) => [args.join(' '), scripts.chartside ?? '', [...args, '--help']] as const,
    ),
  ].map(([name, command, args]) => [name, command, args])
  await forEach(runs, async ([name, command, args]) => {
    const { code, text } = await run(command, args)
    assert.equal(code, 0, `${name}: ${text}`)
    assert.match(text, /usage|npm (run|start|test)|chartside/i, name)
    assert.doesNotMatch(text, /\n {4}at /, name)
  })
  assert.ok(!existsSync(join(folder, '--help')))
})

test('every script says what is wrong with an unknown option, without a stack', async () => {
  await forEach(Object.entries(scripts), async ([name, command]) => {
    const { code, text } = await run(command, ['--prot'])
    assert.notEqual(code, 0, name)
    assert.match(text, /--prot/, name)
    assert.match(text, /--help|Usage:|npm test -- fragment/, name)
    assert.doesNotMatch(text, /\n {4}at /, name)
  })
})

test('hints at the option that was meant, and shows the usage of a backup', async () => {
  assert.match((await run(scripts.start ?? '', ['--prot', '4800'])).text, /Did you mean --port/)
  const backup = await run(scripts.chartside ?? '', ['db', 'backup'])
  assert.notEqual(backup.code, 0)
  assert.match(backup.text, /missing required argument 'file'[\s\S]*Usage: chartside db backup/)
})
