// New apps beside the chart in a real browser: written by the command, installed from packed
// packages, started and launched by the sandbox, with none of the sample apps. Spec §5.1-§5.3.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { assertGradeA, SOME_FAULTS } from './doctor-grades.ts'
import { launchAsAttacker, openAsVictim } from './foreign-launch.ts'
import {
  followApp,
  followSaves,
  type NewApps,
  readyCard,
  type StartedApps,
  signIn,
  startNewApps,
} from './new-apps.ts'

/** Every option, every kind, every framework but Next.js: `npm test -- --release .next`. */
const APPS: NewApps = {
  'Ward Notes': ['--option=1', '--framework=express'],
  'Ward Watch': ['--option=2', '--framework=hono'],
  'Night Desk': ['--option=3', '--framework=fastify', '--kind=worker'],
  'React Round': ['--option=1', '--framework=react-vite'],
}

/** As in a terminal: npm finds the Node.js of this test, and the sandbox no settings of it. */
const { CHARTSIDE_HOST_ORIGINS: _, NODE_TEST_CONTEXT: __, ...inherited } = process.env
const ENVIRONMENT = {
  ...inherited,
  PATH: [dirname(process.execPath), inherited.PATH].join(delimiter),
}

let started: StartedApps
before(async () => {
  started = await startNewApps(APPS)
})
after(() => started?.stop())

for (const name of ['Ward Notes', 'Ward Watch', 'React Round']) {
  test(`the new app ${name} shows its user, and closes with the session`, async () => {
    await followApp(started, name)
  })
}

test('a saved component stands in the open page of React Round within two seconds', async (t) => {
  t.diagnostic(`${await followSaves(started, 'React Round', 'vite-error-overlay')} s`)
})

test('a new worker --option=3 starts by itself and records its user', async () => {
  const { page, errors } = await signIn(started)
  await readyCard(page, 'Night Desk').waitFor()
  await page.goto(started.sandbox.appUrl('night-desk'))
  const line = await page.locator('tbody tr').first().textContent()
  assert.match(line ?? '', /Dr\. Mei Tanaka.*Northgate Cardiology.*meadow/)
  assert.deepEqual(errors, [])
})

// A run waits most of its time.
describe('the doctor', { concurrency: 2 }, () => {
  for (const [index, name] of Object.keys(APPS).entries()) {
    test(`gives the new app ${name} an A over some faults`, async (t) => {
      await assertGradeA(t, started.directories[index] ?? '', SOME_FAULTS)
    })
  }
})

test('npm run dev opens an app from its own folder beside the sample chart', async () => {
  const [cwd] = started.directories
  const child = spawn('npm', ['run', 'dev', '--', '--port', '0'], { cwd, env: ENVIRONMENT })
  const hasEnded = once(child, 'close')
  try {
    const url = await readAddress(child.stdout)
    const { page, errors } = await signIn({
      browser: started.browser,
      sandbox: { places: { ehr: { url: new URL(url).origin, port: 0 } } },
    })
    // It is the only app, so nothing has to be chosen.
    await page.frameLocator('iframe[title*="Ward Notes"]').locator('#provider').waitFor()
    await readyCard(page, 'Ward Notes').waitFor()
    assert.equal(await page.locator('.launch').count(), 1)
    assert.deepEqual(errors, [])
    child.kill('SIGTERM')
    // The sandbox has the pipe of npm until it ends.
    await hasEnded
    const { port } = new URL(url)
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`), { message: 'fetch failed' })
  } finally {
    child.kill('SIGTERM')
  }
})

/** The line `Open  http://ehr.localhost:…` of a sandbox that runs. */
async function readAddress(output: Readable): Promise<string> {
  let text = ''
  for await (const line of createInterface({ input: output })) {
    text += `${line}\n`
    const [, url] = /Open +(http:\S+)/.exec(line) ?? []
    if (url) return url
  }
  throw new Error(`The sandbox has not started:\n${text}`)
}

test('a foreign launch of a new app leaves no cookie and no session [V20]', async () => {
  const launches = await launchAsAttacker(started.sandbox)
  assert.deepEqual([...launches.keys()].sort(), Object.keys(APPS).sort())
  await Promise.all(
    [...launches].map(async ([app, launchUrl]) => {
      const { text, cookies, sessions } = await openAsVictim(started.browser, launchUrl)
      assert.match(text, /not framed/, app)
      assert.deepEqual([cookies, sessions], [[], []], app)
    }),
  )
})
