// The files of deploy/ that start the service: each is parsed, its settings are settings that the service accepts in
// production, secrets come from files only, addresses, ports and probes are ones that it serves, and a
// supervisor waits longer than the drain. Starts nothing but systemd-analyze.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { parseConfig } from '../packages/server/src/config/config.ts'
import { isLongEnough, readSettings, SECRETS } from './deployed-settings.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('nginx in deploy/ is nginx in docs/operate/proxies.md, which a test runs', () => {
  const [, documented = ''] = /```nginx\n([\s\S]*?)```/.exec(read('docs/operate/proxies.md')) ?? []
  assert.ok(documented.length > 100)
  assert.equal(read('deploy/nginx/chartside.conf').replace(/^(#.*\n)+/, ''), documented)
})

test('every file with settings has the line of your extension, to be filled in', () => {
  for (const file of ['systemd/chartside.env', 'compose.yaml', 'kubernetes/chartside.yaml']) {
    assert.match(read(`deploy/${file}`), /# CHARTSIDE_HOST_ORIGINS(=|: )chrome-extension:/, file)
  }
})

test('deploy/README.md names every file of the folder', () => {
  const text = read('deploy/README.md')
  const files = globSync('deploy/**/*.*', { cwd: root }).filter((path) => !path.endsWith('.md'))
  assert.ok(files.length >= 7)
  for (const file of files) assert.ok(text.includes(`(${file.slice('deploy/'.length)})`), file)
})

test('the image runs as a number, serves what it exposes, and checks its health', () => {
  const text = read('deploy/Containerfile')
  const settings = [...text.matchAll(/(CHARTSIDE_\w+)=([^\s\\]+)/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const required = {
    ...SECRETS,
    CHARTSIDE_ADMIN_EMAIL: 'a@b.example',
    CHARTSIDE_BASE_URL: 'https://connect.example',
  }
  const config = parseConfig({ ...required, ...Object.fromEntries(settings) }).config
  assert.match(text, /\nUSER (?!0)\d+:\d+\n/)
  assert.match(text, new RegExp(`\\nEXPOSE ${config.port}\\n`))
  assert.ok(text.includes(`VOLUME ["${config.dataDir}"]`))
  assert.match(text, /\nHEALTHCHECK [\s\S]*"health"\]/)
  assert.match(text, /\nFROM [\w./-]+:\d[\w.-]+ AS build\n/, 'the base is named with its version')
  const [, last = ''] = /\nFROM scratch\n([\s\S]*)/.exec(text) ?? []
  assert.ok(last.includes('org.opencontainers.image.licenses="Apache-2.0"'))
  assert.doesNotMatch(last, /\nRUN /)
  const { version } = JSON.parse(read('packages/server/package.json'))
  assert.ok(text.includes(`ARG VERSION=${version}\n`))
  for (const name of ['.git', '**/node_modules', '.chartside']) {
    assert.ok(read('.dockerignore').split('\n').includes(name), name)
  }
})

test('compose: two nodes, hardened, that nginx finds and PostgreSQL serves', () => {
  const { services, secrets, networks } = parse(read('deploy/compose.yaml'), { merge: true })
  const proxied = [...read('deploy/nginx/chartside.conf').matchAll(/server (10[\d.]+):(\d+)/g)]
  const nodes = [services['node-a'], services['node-b']]
  assert.equal(proxied.length, nodes.length)
  for (const [n, node] of nodes.entries()) {
    const config = readSettings(node.environment)
    assert.deepEqual([node.networks.inside.ipv4_address, String(config.port)], proxied[n]?.slice(1))
    assert.match(node.user, /^[1-9]\d*:[1-9]\d*$/)
    assert.deepEqual([node.read_only, node.cap_drop], [true, ['ALL']])
    assert.ok(isLongEnough(Number.parseInt(node.stop_grace_period, 10), config))
    assert.deepEqual(config.trustedProxies, [services.proxy.networks.inside.ipv4_address])
    assert.ok(existsSync(join(root, 'deploy', node.build.context, node.build.dockerfile)))
    for (const [name, value] of Object.entries<string>(node.environment)) {
      if (name.endsWith('_FILE'))
        assert.ok(node.secrets.includes(value.replace('/run/secrets/', '')))
    }
    for (const name of node.secrets) assert.ok(secrets[name].file, name)
  }
  const { environment, healthcheck } = services.database
  assert.match(environment.POSTGRES_PASSWORD_FILE, /^\/run\/secrets\//)
  assert.equal(environment.POSTGRES_PASSWORD, undefined)
  assert.equal(healthcheck.test[0], 'CMD')
  assert.ok(networks.inside.ipam.config[0].subnet)
  const mounted: string[] = services.proxy.volumes
  assert.ok(existsSync(join(root, 'deploy', mounted[0]?.split(':')[0] ?? '')))
  for (const path of [
    '/etc/ssl/certs/connect.example.pem',
    '/etc/ssl/private/connect.example.key',
  ]) {
    assert.ok(
      mounted.some((volume) => volume.includes(`:${path}:ro`)),
      path,
    )
  }
})

/** The last value of each name, and all values of those that may be repeated. */
function readUnit(text: string) {
  const lines = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
    name,
    value,
  }))
  const all = (wanted: string) =>
    lines.filter(({ name }) => name === wanted).map(({ value }) => value)
  return { all, last: (name: string) => all(name).at(-1) ?? '' }
}

const UNIT = 'deploy/systemd/chartside@.service'
const pairs = (lines: readonly string[]) =>
  Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

test('systemd: a user of its own, secrets as credentials, longer than the drain', () => {
  const { all, last } = readUnit(read(UNIT))
  const file = read('deploy/systemd/chartside.env').match(/^\w+=.*$/gm) ?? []
  const environment = pairs([...file, ...all('Environment')])
  const config = readSettings({ ...environment, CHARTSIDE_PORT: '4700' })
  assert.equal(environment.CHARTSIDE_PORT, '%i')
  const credentials = all('LoadCredential').map((line) => line.split(':')[0])
  for (const [name, value] of Object.entries(environment)) {
    if (name.endsWith('_FILE')) assert.ok(credentials.includes(value.replace('%d/', '')), name)
  }
  assert.ok(isLongEnough(Number(last('TimeoutStopSec')), config))
  for (const name of ['DynamicUser', 'NoNewPrivileges', 'PrivateTmp', 'RestrictNamespaces']) {
    assert.equal(last(name), 'yes', name)
  }
  assert.equal(last('ProtectSystem'), 'strict')
  assert.match(last('ExecStart'), /@chartside\/server\/dist\/chartside\.js serve$/)
})

test('the image, the unit and the page of memory start Node.js as npm run serve does', () => {
  const flagsOf = (file: string) => read(file).match(/--(?:max-semi-space-size|heap-[a-z-]+)=\d+/g)
  const flags = flagsOf('scripts/run.mjs')
  assert.equal(flags?.length, 2)
  const measured = 'test/process/service-process.ts'
  for (const file of ['deploy/Containerfile', UNIT, 'docs/operate/operations.md', measured]) {
    assert.deepEqual(flagsOf(file), flags, file)
  }
})

test('systemd accepts the unit', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-unit-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const unit = join(folder, 'chartside@4700.service')
  // The program need not be installed here.
  writeFileSync(unit, read(UNIT).replace('/usr/bin/node', process.execPath))
  cpSync(unit, join(folder, 'chartside@.service'))
  try {
    execFileSync('systemd-analyze', ['verify', unit], { stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: Buffer }
    if (code === 'ENOENT') return t.skip('systemd-analyze is not installed')
    assert.fail(String(stderr))
  }
})
