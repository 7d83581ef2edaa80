// New apps with Next.js beside the chart in a real browser, one for each option: installed, checked by
// the compiler and their own tests, built and started by the sandbox. A command of its own runs it,
// because Next.js is large: npm test -- --release .next. Spec §5.1-§5.3, §5.5.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { assertGradeA, SOME_FAULTS } from './doctor-grades.ts'
import { launchAsAttacker, openAsVictim } from './foreign-launch.ts'
import {
  followApp,
  followSaves,
  type NewApps,
  type StartedApps,
  signIn,
  startBuilt,
  startNewApps,
} from './new-apps.ts'

const run = promisify(execFile)
const APPS: NewApps = {
  'Next Round': ['--option=1', '--framework=next'],
  'Next Notes': ['--option=2', '--framework=next'],
  'Next Desk': ['--option=3', '--framework=next'],
}

/** Children use the Node.js of this test, and do not report to its test runner. */
const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
const env = { ...inherited, PATH, CLIENT_SECRET: 'cs_of_the_build', NEXT_TELEMETRY_DISABLED: '1' }

const directories: string[] = []
/** The output of each command that failed. */
const failures: string[] = []

/**
 * One after another: each uses every core. The build is the one that `npm start` makes; the sandbox starts it for two
 * apps, and the development server of the third.
 */
async function prepare(cwd: string): Promise<void> {
  directories.push(cwd)
  if (!cwd.endsWith('next-round')) startBuilt(cwd)
  const build = "await (await import('@chartside/app-kit/node')).buildNext(process.cwd())"
  for (const [command, ...args] of [
    ['npm', 'run', 'check'],
    ['npm', 'test'],
    [process.execPath, '--input-type=module', '--eval', build],
  ] as const) {
    await run(command, args, { cwd, env }).catch(({ stdout, stderr }) =>
      failures.push(`${cwd}: ${args.join(' ')}\n${stdout}${stderr}`),
    )
  }
}

let started: StartedApps
before(async () => {
  started = await startNewApps(APPS, prepare)
})
after(() => started?.stop())

test('a new app with Next.js type-checks, passes its own tests, and builds', () => {
  assert.equal(directories.length, 3)
  assert.deepEqual(failures, [])
})

for (const name of Object.keys(APPS)) {
  test(`the new app ${name} shows its user, and closes`, async () => {
    await followApp(started, name)
  })
}

test('a script and a style without the nonce are refused, and the refusal is seen', async () => {
  const { page, errors } = await signIn(started)
  await page.getByRole('tab', { name: 'Next Notes' }).click()
  const frame = page.frameLocator('iframe[title*="Next Notes"]')
  await frame.locator('#provider').waitFor()
  const hasRun = await frame.locator('body').evaluate((body) => {
    const script = document.createElement('script')
    script.textContent = "document.body.dataset.ran = 'yes'"
    const style = document.createElement('style')
    style.textContent = 'body { display: none }'
    body.append(script, style)
    return body.dataset.ran ?? getComputedStyle(body).display
  })
  assert.equal(hasRun, 'block')
  assert.equal(errors.length, 2, errors.join('\n'))
  assert.match(errors.sort().join(), /directive 'style-src[\s\S]*directive 'script-src/)
})

test('a saved component stands in the open page within two seconds', async (t) => {
  t.diagnostic(`${await followSaves(started, 'Next Round', 'nextjs-portal')} s`)
})

test('pages have a new nonce for each request, on each script', async () => {
  const nonces = new Set<string>()
  for (const path of ['/', '/launch', '/callback', '/nothing', '/', '/api', '/token/x']) {
    const { port } = new URL(started.sandbox.appUrl('next-notes'))
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.doesNotMatch(policy, /unsafe/)
    assert.match(policy, /default-src 'none'.*frame-ancestors http:\/\/\w/)
    assert.match(response.headers.get('cache-control') ?? '', /no-store/)
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? []
    const tags = (await response.text()).match(/<script[^>]*>/g) ?? []
    assert.ok(nonce && tags.length > 2, path)
    for (const tag of tags) assert.ok(tag.includes(`nonce="${nonce}"`), tag)
    nonces.add(nonce)
  }
  assert.equal(nonces.size, 7)
})

test('what the browser can fetch of a build holds no secret of its environment', async () => {
  for (const directory of directories) {
    const folder = join(directory, '.next/static')
    const files = await readdir(folder, { recursive: true, withFileTypes: true })
    const scripts = files.filter((file) => file.isFile())
    assert.ok(scripts.length > 3)
    for (const { parentPath, name } of scripts) {
      assert.doesNotMatch(await readFile(join(parentPath, name), 'utf8'), /cs_of_the_build/)
    }
  }
})

test('a foreign launch of a new app with Next.js leaves no cookie and no session', async () => {
  const launches = await launchAsAttacker(started.sandbox)
  assert.deepEqual([...launches.keys()].sort(), Object.keys(APPS).sort())
  for (const [app, launchUrl] of launches) {
    const { text, cookies, sessions } = await openAsVictim(started.browser, launchUrl)
    assert.match(text, /not framed/, app)
    assert.deepEqual([cookies, sessions], [[], []], app)
  }
})

for (const [index, name] of Object.keys(APPS).entries()) {
  test(`the doctor gives the new app ${name} an A over some faults`, async (t) => {
    await assertGradeA(t, started.directories[index] ?? '', SOME_FAULTS)
  })
}
