// A registry that hands out another program as Node.js, as a mirror or a stolen account could: the lock file refuses it,
// and the front door of every npm script runs nothing. Only npm itself shows this. Security V24.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { NODE_PACKAGE } from '../../scripts/pinned-node.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SAYS = 'THIS IS NOT NODE.JS'

let folder: string
let archive: Buffer
const asked: string[] = []
const registry = createServer((request, response) => {
  asked.push(request.url ?? '')
  if (request.url?.endsWith('.tgz')) return response.end(archive)
  const name = (request.url ?? '').slice(1)
  const { version } = lockEntry()
  const dist = {
    tarball: `http://${request.headers.host}/${name}.tgz`,
    integrity: `sha512-${createHash('sha512').update(archive).digest('base64')}`,
  }
  const versions = { [version]: { name, version, bin: { node: 'bin/node' }, dist } }
  response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
})
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartside-registry-'))
  await once(registry.listen(0, '127.0.0.1'), 'listening')
  archive = await packProgram()
})
after(() => {
  registry.closeAllConnections()
  registry.close()
  rmSync(folder, { recursive: true, force: true })
})

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const lockEntry = () => readJson('package-lock.json').packages[`node_modules/${NODE_PACKAGE}`]

async function run(command: string, args: readonly string[], cwd: string) {
  const env = {
    HOME: folder,
    // As a person's: npm of this machine, and no Node.js of this project before it.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '0',
  }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => printed.push(chunk))
  }
  const [code] = await once(child, 'close')
  return { code, text: Buffer.concat(printed).toString('utf8') }
}

async function packProgram(): Promise<Buffer> {
  const program = join(folder, 'package/bin/node')
  mkdirSync(dirname(program), { recursive: true })
  writeFileSync(program, `#!/bin/sh\necho "${SAYS}"\n`)
  chmodSync(program, 0o755)
  const manifest = { name: NODE_PACKAGE, version: lockEntry().version, bin: { node: 'bin/node' } }
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(manifest))
  const path = join(folder, 'program.tgz')
  const { code, text } = await run('tar', ['-czf', path, 'package'], folder)
  assert.equal(code, 0, text)
  return readFileSync(path)
}

/** A project with the one package, the front door, and a script that must never run. */
function copyProject(name: string, lockedEntry: object): string {
  const project = join(folder, name)
  mkdirSync(join(project, 'scripts'), { recursive: true })
  for (const file of ['run.mjs', 'pinned-node.mjs']) {
    cpSync(join(root, 'scripts', file), join(project, 'scripts', file))
  }
  const { version } = lockEntry()
  const optionalDependencies = { [NODE_PACKAGE]: version }
  const own = { name: 'copy', version: '1.0.0', optionalDependencies }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ ...own, type: 'module' }))
  const packages = { '': own, [`node_modules/${NODE_PACKAGE}`]: lockedEntry }
  const lock = { name: 'copy', version: '1.0.0', lockfileVersion: 3, requires: true, packages }
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock))
  writeFileSync(join(project, 'scripts/hello.ts'), 'console.log("ran")')
  return project
}

const installed = (project: string) => join(project, 'node_modules', NODE_PACKAGE, 'bin/node')

test('installs no other Node.js that a registry hands out [V24]', async () => {
  const project = copyProject('locked', lockEntry())
  asked.length = 0
  await run('npm', ['ci', '--no-audit', '--no-fund'], project)
  assert.ok(
    asked.some((url) => url.includes(NODE_PACKAGE)),
    'npm asked for the program',
  )
  assert.equal(existsSync(installed(project)), false)
})

test('runs nothing while the Node.js of the lock file is not there [V24]', async () => {
  const project = copyProject('front-door', lockEntry())
  const ran = await run(process.execPath, ['scripts/run.mjs', 'scripts/hello.ts'], project)
  assert.equal(ran.code, 1, ran.text)
  assert.match(ran.text, /Installing failed.*package-lock\.json pins/)
  assert.doesNotMatch(ran.text, new RegExp(`${SAYS}|^ran`, 'm'))
})

test('would have installed it without the hash in the lock file', async () => {
  const { integrity: _, ...bare } = lockEntry()
  const project = copyProject('bare', bare)
  const ran = await run('npm', ['ci', '--no-audit', '--no-fund'], project)
  assert.equal(existsSync(installed(project)), true, ran.text)
  const { text } = await run(installed(project), [], project)
  assert.match(text, new RegExp(SAYS))
})
