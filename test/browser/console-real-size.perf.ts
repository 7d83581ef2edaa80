// How long a person waits for the first row of each list of the console in an installation of real size, from the address
// to the row, as the platform and as a practice. Measures.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { fillRealSize, PASSWORD } from '../real-size/fill.ts'
import type { Records } from '../real-size/records.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

const LIMIT_MS = 1000
const LISTS = [
  'launches?in=week',
  'sessions?state=all',
  'apps',
  'collections',
  'people',
  'accounts',
  'audit',
]

let fixture: ConsoleFixture
let records: Records
before(async () => {
  fixture = await startConsole({}, { accountName: '', isRealTime: true })
  records = await fillRealSize(fixture.service, { seed: '1' })
})
after(() => fixture?.stop())

async function measure(scope: string, lists: readonly string[]): Promise<string[]> {
  const { page, base } = fixture
  const slow: string[] = []
  for (const list of lists) {
    const begun = performance.now()
    await page.goto(`${base}/console/${scope}/${list}`, { waitUntil: 'commit' })
    await page.locator('main tbody tr:visible, main .list-card li:visible').first().waitFor()
    const text = `${list}: ${(performance.now() - begun).toFixed(0)} ms`
    console.log(`${scope.slice(0, 8)} ${text}`)
    if (performance.now() - begun > LIMIT_MS) slow.push(text)
  }
  return slow
}

test('shows the first row of each list of the platform within a second', async () => {
  await fixture.begin()
  await fixture.signIn(ADMIN)
  assert.deepEqual(await measure('platform', LISTS), [])
})

test('shows the first row of each list of a practice within a second', async () => {
  await fixture.begin()
  await fixture.signIn({ email: records.actors.practiceAdmin.email, password: PASSWORD })
  const lists = ['launches?in=week', 'sessions?state=all', 'running', 'people', 'audit']
  assert.deepEqual(await measure(records.practices[0]?.id ?? '', lists), [])
})
