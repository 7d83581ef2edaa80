// Five tasks of an administrator whose sign-in is older than ten minutes, in presses, fields and seconds: the first
// asks for the password once, in a tab of its own, and what was typed stays; the others ask nothing. In
// Chromium, with the real service. Security V21.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, type Credentials, startConsole } from './console-fixture.ts'
import { Counter } from './counter.ts'

/** Each begins on its page. `again`: how many of the presses the recent sign-in takes. */
const TASKS = {
  'invite a person': { clicks: 5, fields: 3, again: 3 },
  'make a secret': { clicks: 3, fields: 1, again: 0 },
  'change a role': { clicks: 4, fields: 0, again: 0 },
  'reset a person': { clicks: 2, fields: 0, again: 0 },
  'remove a person': { clicks: 3, fields: 0, again: 0 },
} as const
/** Of the machine alone, while it is busy and axe-core runs. */
const MAX_TASK_MS = 15_000

let fixture: ConsoleFixture
let admin: Credentials
let app: string
before(async () => {
  fixture = await startConsole()
  admin = await fixture.addPerson('Ada Min', 'admin')
  await fixture.addPerson('Mo Member', 'provider')
  const body = { accountId: fixture.accountId, name: 'Visit Notes' }
  app = (await fixture.api('POST', '/api/apps', body)).id
  await fixture.begin()
  await fixture.signInByPage(admin, peoplePath())
  fixture.service.clock.advance(11 * 60)
})
after(() => fixture?.stop())

const peoplePath = () => `/console/${fixture.accountId}/people`
const button = (name: string) => fixture.page.getByRole('button', { name, exact: true })
const row = (text: string) => fixture.page.getByRole('row').filter({ hasText: text })
const again = () => button('Sign in again in a new tab')

/** Presses that are for the sign-in alone. */
async function signInAgain(count: Counter, submit: Locator): Promise<number> {
  const { page } = fixture
  const before = count.clicks
  const [tab] = await Promise.all([page.context().waitForEvent('page'), count.click(again())])
  await count.fill(tab.getByLabel('Password', { exact: true }), admin.password)
  await count.click(tab.getByRole('button', { name: 'Sign in', exact: true }))
  await tab.waitForURL(/\/console\//)
  await tab.close()
  await count.click(submit)
  return count.clicks - before
}

async function choose(count: Counter, person: string, item: string): Promise<void> {
  await count.click(button(`Change ${person}`))
  await count.click(fixture.page.getByRole('menuitem', { name: item }))
}

async function play(
  task: keyof typeof TASKS,
  act: (count: Counter) => Promise<number>,
): Promise<void> {
  const count = new Counter()
  const beganAt = performance.now()
  const asked = await act(count)
  const { clicks, fields } = count
  assert.deepEqual({ clicks, fields, again: asked }, TASKS[task])
  assert.ok(performance.now() - beganAt < MAX_TASK_MS, `${performance.now() - beganAt} ms`)
}

test('invites a person: asks for the password once, and keeps what was typed', () =>
  play('invite a person', async (count) => {
    const { page } = fixture
    await count.click(button('Invite a person').first())
    await count.fill(page.getByLabel('E-mail address'), 'pat@lakeside.example')
    await count.fill(page.getByLabel('Name', { exact: true }), 'Pat Provider')
    const submit = button('Make the link')
    await count.click(submit)
    await again().waitFor()
    await assertNoViolations(page, 'the question to sign in again')
    const asked = await signInAgain(count, submit)
    await page.getByText('This link is shown once.').waitFor()
    return asked
  }))

test('makes a secret, and asks nothing', () =>
  play('make a secret', async (count) => {
    const { page, base, accountId } = fixture
    await page.goto(`${base}/console/${accountId}/apps/${app}`)
    await count.click(button('New secret'))
    await count.fill(page.getByLabel('Label', { exact: true }), 'Production')
    await count.click(button('Make it'))
    await page.locator('output', { hasText: /^cs_/ }).waitFor()
    await count.click(button('I have stored it'))
    return again().count()
  }))

test('changes a role, and asks nothing', () =>
  play('change a role', async (count) => {
    await fixture.page.goto(fixture.base + peoplePath())
    await choose(count, 'Mo Member', 'Change the role')
    await count.click(fixture.page.getByRole('radio', { name: /Developer/ }))
    await count.click(button('Change the role'))
    await row('Mo Member').getByText('Developer', { exact: true }).waitFor()
    return again().count()
  }))

test('resets a person, and asks nothing', () =>
  play('reset a person', async (count) => {
    await choose(count, 'Mo Member', 'Reset how they sign in')
    await fixture.page.getByText('This link is shown once.').waitFor()
    return again().count()
  }))

test('removes a person, and asks nothing', () =>
  play('remove a person', async (count) => {
    await fixture.page.goto(fixture.base + peoplePath())
    await choose(count, 'Mo Member', 'Remove from the account')
    await count.click(button('Remove'))
    await row('Mo Member').waitFor({ state: 'detached' })
    return again().count()
  }))
