// The first hour of an app developer, with a stopwatch: from git clone to the signed-in provider in an
// app of one's own, with the three commands of the README. npm's cache is warm; packages come from the
// registry that npm is configured with.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { launchChromium } from '../../scripts/chromium.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const LIMIT_SECONDS = 60

/** Of the README's section, on free ports. */
function readCommands(): string[] {
  const [, section = ''] =
    /## Build an app\n\n```sh\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ??
    []
  const commands = section
    .trim()
    .split('\n')
    .map((line) => line.replace(/ *#.*/, ''))
  return commands.map((line) => (line.startsWith('npm start') ? `${line} --port 0` : line))
}

/** Runs until it ends, or prints `until`. */
function run(t: TestContext, command: string, cwd: string, until?: RegExp): Promise<string> {
  const child = spawn(command, {
    cwd,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
  })
  let text = ''
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      text += chunk
      if (until?.test(text)) resolve(text)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('close', (code) => (code === 0 ? resolve(text) : reject(new Error(text))))
  })
}

test('shows the provider in an own app within 60 s of git clone, by three commands', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-first-app-'))
  const clone = join(folder, 'chartside')
  const [create = '', start = '', ...others] = readCommands()
  assert.deepEqual(others, [])

  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  const mark = (what: string) => t.diagnostic(`${seconds().toFixed(1)} s  ${what}`)
  await run(t, `git clone --quiet ${root} ${clone}`, folder)
  mark('cloned')
  await run(t, create, clone)
  mark('app written')
  const printed = await run(t, start, clone, /Ready in/)
  mark('sandbox ready')

  const [, ehr = ''] = /(http:\/\/ehr\.localhost:\d+\/meadow)/.exec(printed) ?? []
  const browser = await launchChromium()
  t.after(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(ehr)
  await page.locator('#sign-in .main-button').click()
  await page.getByRole('tab', { name: 'My App' }).click()
  await page.frameLocator('iframe[title*="My App"]').getByText('Dr. Amara Okafor').first().waitFor()
  mark('the provider is in the app')
  // After the hooks above: the sandbox writes into the folder while it runs.
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  assert.ok(seconds() <= LIMIT_SECONDS, `${seconds().toFixed(1)} s`)
})
