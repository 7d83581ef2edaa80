// The package of the extension: the same bytes twice, small, with few permissions and no code or call
// that leaves the package and the configured service.
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  bundleExtension,
  computeExtensionId,
  DEVELOPMENT,
  DEVELOPMENT_KEY,
  findInputProblems,
} from './build.ts'
import { buildIcon } from './icon.ts'
import { buildManifest } from './src/manifest.ts'
import { buildZip } from './zip.ts'

const MAX_PACKAGE_BYTES = 150 * 1024
const PRODUCTION = { ...DEVELOPMENT, key: null, isDevelopment: false }

let files: Map<string, Uint8Array>
before(async () => {
  files = await bundleExtension(PRODUCTION)
})

test('builds the same bytes twice, at most 150 KB', async () => {
  const [first, second] = [buildZip(files), buildZip(await bundleExtension(PRODUCTION))]
  assert.ok(first.equals(second))
  assert.ok(first.length < MAX_PACKAGE_BYTES, `${first.length} bytes`)
})

test('refuses inputs with which the browser or the service would refuse the package', () => {
  const problems = findInputProblems({
    ...PRODUCTION,
    version: '1.4.0-beta',
    key: 'abc',
    service: 'http://chartside.example',
    ehrHosts: ['foo', 'https://ehr*.example/*', 'https://*.ehr.example/*'],
  })
  assert.deepEqual(
    problems.map((problem) => problem.split(/:? (?=must|The)/, 1)[0]),
    [
      '--version 1.4.0-beta',
      '--key',
      '--service http://chartside.example',
      '--ehr foo',
      '--ehr https://ehr*.example/*',
    ],
  )
  assert.deepEqual(findInputProblems(DEVELOPMENT), [])
  const ours = { service: 'https://chartside.example', ehrHosts: ['http://*.ehr.localhost/*'] }
  assert.deepEqual(findInputProblems({ ...PRODUCTION, ...ours }), [])
  assert.deepEqual(findInputProblems({ ...DEVELOPMENT, service: 'http://localhost:4700' }), [])
})

test('asks for four permissions and for no host at the installation', () => {
  const manifest = buildManifest(PRODUCTION)
  assert.deepEqual(manifest.permissions, ['sidePanel', 'storage', 'offscreen', 'scripting'])
  for (const absent of [
    'host_permissions',
    'content_scripts',
    'externally_connectable',
    'optional_permissions',
    'key',
  ]) {
    assert.ok(!(absent in manifest), absent)
  }
  assert.deepEqual(manifest.web_accessible_resources, [
    { resources: ['signed-in.html'], matches: ['https://*/*'] },
  ])
  const built = buildManifest({ ...PRODUCTION, service: 'https://chartside.example:8443/base' })
  assert.deepEqual(built.web_accessible_resources, [
    { resources: ['signed-in.html'], matches: ['https://chartside.example/*'] },
  ])
  assert.deepEqual(manifest.optional_host_permissions, ['https://*/*'])
  assert.equal(manifest.incognito, 'not_allowed')
  assert.match(String(manifest.minimum_chrome_version), /^\d+$/)
})

test('allows no loopback, no other code and no text as script in production', () => {
  const policyOf = (inputs: typeof DEVELOPMENT) =>
    (buildManifest(inputs).content_security_policy as { extension_pages: string }).extension_pages
  const policy = policyOf(PRODUCTION)
  assert.doesNotMatch(policy, /localhost|127\.0|http:|unsafe|\*/)
  for (const none of ['default-src', 'base-uri', 'form-action', 'object-src']) {
    assert.ok(policy.includes(`${none} 'none';`), none)
  }
  assert.match(policy, /script-src 'self';/)
  assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'$/)
  assert.match(policyOf(DEVELOPMENT), /connect-src https: http:\/\/localhost:\*/)
})

test('takes name, key and EHR hosts of a distribution', () => {
  const manifest = buildManifest({
    ...PRODUCTION,
    name: 'Lakeside Apps',
    key: DEVELOPMENT_KEY,
    ehrHosts: ['https://ehr.example/*'],
  })
  assert.equal(manifest.name, 'Lakeside Apps')
  assert.deepEqual(manifest.host_permissions, ['https://ehr.example/*'])
  assert.match(computeExtensionId(DEVELOPMENT_KEY), /^[a-p]{32}$/)
})

test('loads no code from elsewhere and makes none at run time', () => {
  for (const [path, contents] of files) {
    if (!/\.(js|html)$/.test(path)) continue
    const text = new TextDecoder().decode(contents)
    assert.doesNotMatch(text, /\beval\(|new Function\(|importScripts|import\(/, path)
    assert.doesNotMatch(text, /<script[^>]+src="(https?:)?\/\//, path)
    assert.doesNotMatch(text, /<script(?![^>]*src=)/, path)
  }
})

test('calls the network in the client of the service only', () => {
  const root = fileURLToPath(new URL('src', import.meta.url))
  const callers = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
    (path) =>
      !path.endsWith('.test.ts') &&
      /\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon/.test(
        readFileSync(`${root}/${path}`, 'utf8'),
      ),
  )
  // The loop passes fetch to service.ts, which keeps to one origin; packages/host has its own client. The
  // first-run page asks the address that it has just stored.
  assert.deepEqual(callers.sort(), ['background/background-loop.ts', 'setup/service-check.ts'])
})

test('takes icons of a distribution, and refuses one of another size', async (t) => {
  const icons = mkdtempSync(join(tmpdir(), 'chartside-icons-'))
  t.after(() => rmSync(icons, { recursive: true, force: true }))
  for (const size of [16, 48, 128]) writeFileSync(join(icons, `${size}.png`), buildIcon(size))
  const own = new Uint8Array([...buildIcon(48), 0])
  writeFileSync(join(icons, '48.png'), own)
  const built = await bundleExtension({ ...PRODUCTION, icons })
  assert.deepEqual([...(built.get('icons/48.png') ?? [])], [...own])
  writeFileSync(join(icons, '16.png'), buildIcon(32))
  await assert.rejects(bundleExtension({ ...PRODUCTION, icons }), /32 × 32 points; it must have 16/)
  writeFileSync(join(icons, '16.png'), 'GIF89a')
  await assert.rejects(bundleExtension({ ...PRODUCTION, icons }), /is no PNG picture/)
})
