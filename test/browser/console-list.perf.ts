// The list of launches in the console with a million launches in the database: what a person waits for from the
// address to the first row, to the counts of the filters and to the causes. Measures; changes nothing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { fillLaunches } from '../performance/launch-rows.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

const LAUNCHES = Number(process.env.CHARTSIDE_PERF_LAUNCHES ?? 1_000_000)
const LIMIT_MS = 1000

let fixture: ConsoleFixture
before(async () => {
  fixture = await startConsole()
  const { api, accountId, service } = fixture
  const me = await api('GET', '/api/users/me')
  const app = await api('POST', '/api/apps', {
    ...{ accountId, name: 'Visit Notes', launchUrl: 'https://notes.example/launch' },
    redirectUris: ['https://notes.example/callback'],
  })
  await fillLaunches(service, { accountId, people: { provider: me }, app }, LAUNCHES)
})
after(() => fixture?.stop())

test('shows a list of a million launches, its counts and causes within a second', async () => {
  const page = await fixture.begin()
  await page.clock.setFixedTime(fixture.service.clock())
  await fixture.signIn(ADMIN, '/console/platform/launches')
  const slow: string[] = []
  for (const address of [
    '/console/platform/launches?in=week',
    '/console/platform/launches?in=week&outcome=failed',
    `/console/${fixture.accountId}/launches?in=week`,
  ]) {
    const begun = performance.now()
    await page.goto(fixture.base + address, { waitUntil: 'commit' })
    const took = async (what: string, waiting: Promise<void>) => {
      await waiting
      const ms = performance.now() - begun
      const text = `${what} after ${ms.toFixed(0)} ms: ${address}`
      if (ms > LIMIT_MS) slow.push(text)
      return text
    }
    const texts = await Promise.all([
      took('rows', page.locator('.launches tbody tr').first().waitFor()),
      took('counts', page.locator('.chip .count').first().waitFor()),
      took('causes', page.getByRole('heading', { name: /One cause/ }).waitFor()),
    ])
    for (const text of texts) console.log(text)
  }
  assert.deepEqual(slow, [])
})
