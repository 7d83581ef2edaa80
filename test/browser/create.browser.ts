// New apps beside the chart in a real browser: written by the command, installed from packed
// packages, started and launched by the sandbox, with none of the sample apps. Spec §5.1-§5.3.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launchAsAttacker, openAsVictim } from './foreign-launch.ts'
import {
  followApp,
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

test('a new worker --option=3 starts by itself and records its user', async () => {
  const { page, errors } = await signIn(started)
  await readyCard(page, 'Night Desk').waitFor()
  await page.goto(started.sandbox.appUrl('night-desk'))
  const line = await page.locator('tbody tr').first().textContent()
  assert.match(line ?? '', /Dr\. Mei Tanaka.*Northgate Cardiology.*meadow/)
  assert.deepEqual(errors, [])
})

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
