// The console in a real browser on the real service: sign-in by cookie and back to the same address,
// the policy, the size of what a first visit loads, and what every view of a page must keep.
// Contract §4.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

let fixture: ConsoleFixture
before(async () => {
  fixture = await startConsole()
})
after(() => fixture?.stop())
beforeEach(async () => {
  await fixture.begin()
})
afterEach(() => fixture.assertPolicyKept())

test('leads from / to sign-in, and on to the address that was asked for [U06]', async () => {
  const { page, base } = fixture
  await page.goto(base)
  await page.getByLabel('E-mail address').waitFor()
  assert.match(page.url(), /\/auth\/sign-in\?return_to=%2Fconsole$/)
  await fixture.signIn(undefined, '/console/settings?from=mail')
  assert.equal(page.url(), `${base}/console/settings?from=mail`)
  await fixture.heading('Settings')
})

test('holds the session in a cookie that no script reads [H04]', async () => {
  const { page } = fixture
  await fixture.signIn()
  const cookies = await page.context().cookies()
  const cookie = cookies.find(({ name }) => name === 'chartside-session')
  assert.ok(cookie)
  const { httpOnly, sameSite, path, expires } = cookie
  assert.deepEqual(
    { httpOnly, sameSite, path, expires },
    { httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 },
  )
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  )
  assert.ok(!kept.includes('st_'), kept)
})

test('loads at most 120 KB before the first page, compressed and immutable', async () => {
  const { page } = fixture
  await fixture.signIn(undefined, '/console/settings')
  // A new profile has nothing cached.
  const cookies = await page.context().cookies()
  await fixture.begin()
  await fixture.page.context().addCookies(cookies)
  const fresh: Promise<number>[] = []
  fixture.page.on('requestfinished', (request) => {
    if (request.url().includes('/console')) {
      fresh.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    }
  })
  await fixture.page.goto(`${fixture.base}/console/settings`)
  await fixture.heading('Settings')
  await fixture.page.waitForLoadState('networkidle')
  const total = (await Promise.all(fresh)).reduce((sum, size) => sum + size, 0)
  assert.ok(fresh.length >= 3, `${fresh.length} files`)
  assert.ok(total > 10_000 && total <= 120 * 1024, `${total} bytes`)
  console.log(`first load: ${(total / 1024).toFixed(1)} KB in ${fresh.length} files`)
})

test('finds nothing against accessibility in any view of the settings', async () => {
  await fixture.signIn(undefined, '/console/settings')
  await fixture.page.getByLabel('Name').waitFor()
  await assertNoViolations(fixture.page, 'settings')
})
