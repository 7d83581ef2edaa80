// The loop of a developer: an app restarts when a file of it is saved, an app that exits is marked
// and starts again, and neither takes another app with it; thirty apps run without a warning.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isIgnored } from '../src/folder-watch.ts'
import { startSandbox } from '../src/sandbox.ts'

let root = ''
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'chartside-restart-'))
})
after(() => rm(root, { recursive: true, force: true }))

const server = (version: string) => `import { createServer } from 'node:http'
createServer((request, response) => {
  if (request.url === '/crash') throw new Error('no database today')
  response.end('${version}')
}).listen(process.env.PORT, '127.0.0.1')`

async function writeApp(name: string, code = server('first')): Promise<string> {
  const directory = join(root, name.replaceAll(' ', '-'))
  await mkdir(join(directory, 'src'), { recursive: true })
  const manifest = {
    name,
    kinds: ['ui'],
    launchUrl: '{origin}/launch',
    redirectUris: ['{origin}/callback'],
    start: 'node src/app.mjs',
  }
  await writeFile(join(directory, 'chartside.app.json'), JSON.stringify(manifest))
  await writeFile(join(directory, 'src', 'app.mjs'), code)
  return directory
}

const run = (apps: readonly string[], lines: string[] = []) =>
  startSandbox({
    port: 0,
    dataDir: join(root, 'data'),
    only: ['none'],
    apps,
    log: ({ source, text, details }) => lines.push([`${source}: ${text}`, ...details].join('\n')),
  })

const read = async (url: string): Promise<string> =>
  fetch(url.replace(/\/\/[^:]+/, '//127.0.0.1')).then(
    (response) => response.text(),
    () => 'no answer',
  )

async function until(what: string, isDone: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await isDone()) return
    await wait(50)
  }
  assert.fail(`never: ${what}`)
}

test('restarts an app on a saved file, and marks one that exits, alone', async () => {
  const [steady, changing, broken] = [
    await writeApp('Steady'),
    await writeApp('Changing'),
    await writeApp('Broken', `throw new Error('no key today')`),
  ]
  const lines: string[] = []
  const said = (pattern: RegExp) => lines.some((line) => pattern.test(line))
  const sandbox = await run([steady, changing, broken], lines)
  try {
    await until('the mark', () => said(/^Broken: stopped: exit code 1: Error: no key today/))
    const url = sandbox.appUrl('changing')
    assert.equal(await read(url), 'first')
    await writeFile(join(changing, 'src', 'app.mjs'), server('second'))
    await until('the second version', async () => (await read(url)) === 'second')

    await read(`${url}/crash`)
    await until('the mark', () => said(/^Changing: stopped: .*no database today[\s\S]*fix: save/))
    await writeFile(join(changing, 'src', 'app.mjs'), server('third'))
    await until('the third version', async () => (await read(url)) === 'third')

    await writeFile(join(broken, 'src', 'app.mjs'), server('mended'))
    const mended = sandbox.appUrl('broken')
    await until('the mended app', async () => (await read(mended)) === 'mended')
    assert.equal(await read(sandbox.appUrl('steady')), 'first')
    assert.ok(!said(/^Steady: starts again/))
  } finally {
    await sandbox.stop()
  }
})

test('starts nothing again for a folder that the app brings into its page itself', async () => {
  const reloading = await writeApp('Reloading')
  const place = join(reloading, 'chartside.app.json')
  const manifest = JSON.parse(await readFile(place, 'utf8'))
  await writeFile(place, JSON.stringify({ ...manifest, hotReload: ['src/page'] }))
  await mkdir(join(reloading, 'src', 'page'))
  const lines: string[] = []
  const sandbox = await run([reloading], lines)
  try {
    await writeFile(join(reloading, 'src', 'page', 'view.mjs'), '')
    await wait(500)
    await writeFile(join(reloading, 'src', 'app.mjs'), server('second'))
    const url = sandbox.appUrl('reloading')
    await until('the second version', async () => (await read(url)) === 'second')
    const restarts = () => lines.filter((line) => /^Reloading: starts again/.test(line))
    // Lines of several processes are put in order first.
    await until('the line', () => restarts().length > 0)
    assert.deepEqual(restarts(), ['Reloading: starts again, because app.mjs changed'])
  } finally {
    await sandbox.stop()
  }
})

test('runs thirty apps without a warning', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  const names = Array.from({ length: 30 }, (_, index) => `App ${index}`)
  const sandbox = await run(await Promise.all(names.map((name) => writeApp(name))))
  try {
    const answers = await Promise.all(names.map((_, index) => read(sandbox.appUrl(`app-${index}`))))
    assert.deepEqual([...new Set(answers)], ['first'])
  } finally {
    await sandbox.stop()
    process.off('warning', note)
  }
  assert.deepEqual(
    warnings.filter(({ name }) => name !== 'ExperimentalWarning'),
    [],
  )
})

test('ignores what is installed, built or written by an editor', () => {
  for (const name of ['node_modules', '.git', 'dist', 'a.ts~', '.a.swp', 'notes.md', 'x.db-wal']) {
    assert.ok(isIgnored(name), name)
  }
  for (const name of ['src', 'app.ts', 'package.json', 'page.css']) assert.ok(!isIgnored(name))
})

test('watches an app no more that writes into its own folder at each start', async () => {
  const writing = await writeApp('Writing')
  const lines: string[] = []
  const said = (pattern: RegExp) => lines.some((line) => pattern.test(line))
  const sandbox = await run([writing], lines)
  try {
    const code = `import { writeFileSync } from 'node:fs'\nsetTimeout(() => writeFileSync(new URL('log.txt', import.meta.url), String(Math.random())), 300)\n${server('loops')}`
    await writeFile(join(writing, 'src', 'app.mjs'), code)
    await until('the end of the watch', () => said(/^Writing: is not watched any more/))
    const restarts = () => lines.filter((line) => /^Writing: starts again/.test(line)).length
    const before = restarts()
    await wait(1500)
    assert.equal(restarts(), before)
  } finally {
    await sandbox.stop()
  }
})
