// Chromium as the judge of match patterns: a collection accepts no pattern that an extension could not
// register, and refuses none that names a host. Loads an extension without code of ours. Contract §4.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { findMatchPatternProblem } from '../../packages/server/src/collections/match-pattern.ts'
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.ts'
import { countBrowserProcesses } from '../../scripts/test/processor-time.ts'

/** What the worker of an extension has; its types are not installed here. */
declare const chrome: {
  permissions: { contains(wanted: { origins: string[] }): Promise<boolean> }
}

const SCHEMES = ['https', 'http', '*', 'ftp', 'HTTPS', 'ws', '']
const HOSTS = [
  'ehr.example',
  '*.ehr.example',
  'EHR.example',
  '*.localhost',
  'localhost',
  'xn--bcher-kva.example',
  'a_b.example',
  '*',
  '*.',
  '*.*',
  '*ehr.example',
  'ehr.*',
  'ehr.*.example',
  'ehr example',
  'ehr%.example',
  'user@ehr.example',
  'ehr..example',
  '-ehr.example',
  '10.1.2.3',
  '10.1.2.256',
  '256.1.1.1',
  '[::1]',
  '[::g]',
  '[::1',
  '',
  'ehr.example\\evil.example',
  'ehr.example?x',
  'ehr.example#x',
]
const PORTS = ['', ':*', ':80', ':4701', ':65535', ':65536', ':', ':8*', ':x', ':-1', ':080']
const PATHS = ['/*', '/', '/chart*?a=*', '', '*', '/a b']
/** Hosts in the form that a browser shows; of these the rule refuses only what Chromium refuses. */
const NAMED =
  /^(?:https?|\*):\/\/(?:(?:\*\.)?(?:ehr|xn--bcher-kva|a_b)\.example|(?:\*\.)?localhost|10\.1\.2\.3|\[::1\])(?:[:/]|$)/

test('accepts the match patterns of named hosts that Chromium accepts, and no other', {
  timeout: 60_000,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-extension-'))
  const manifest = {
    manifest_version: 3,
    name: 'match patterns',
    version: '1',
    background: { service_worker: 'worker.js' },
  }
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(directory, 'worker.js'), '')
  const context = await chromium.launchPersistentContext('', {
    executablePath: await findChromium(),
    channel: 'chromium',
    args: [
      ...CHROMIUM_ARGS,
      `--load-extension=${directory}`,
      `--disable-extensions-except=${directory}`,
    ],
    ignoreDefaultArgs: ['--disable-extensions'],
  })
  try {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    const patterns = [
      '<all_urls>',
      'ehr.example/*',
      'https:/ehr.example/*',
      ...SCHEMES.flatMap((scheme) =>
        HOSTS.flatMap((host) =>
          PORTS.flatMap((port) => PATHS.map((path) => `${scheme}://${host}${port}${path}`)),
        ),
      ),
    ]
    const refused = new Set(
      await worker.evaluate(async (all) => {
        const wrong: string[] = []
        const ask = (origin: string) =>
          chrome.permissions.contains({ origins: [origin] }).catch(() => wrong.push(origin))
        // Many at a time: an answer costs less than the wait for it.
        for (let from = 0; from < all.length; from += 200) {
          await Promise.all(all.slice(from, from + 200).map(ask))
        }
        return wrong
      }, patterns),
    )
    const accepted = patterns.filter((pattern) => findMatchPatternProblem(pattern) === undefined)
    assert.ok(accepted.length > 100 && refused.size > 100)
    assert.deepEqual(
      accepted.filter((pattern) => refused.has(pattern)),
      [],
    )
    const plain = patterns.filter(
      (pattern) => NAMED.test(pattern) && !/\s|:080/.test(pattern) && !accepted.includes(pattern),
    )
    assert.deepEqual(
      plain.filter((pattern) => !refused.has(pattern)),
      [],
    )
  } finally {
    countBrowserProcesses()
    await context.close()
    rmSync(directory, { recursive: true, force: true })
  }
})
