// One launch in a real browser, as `npm start` shows it: a provider signs in beside a sample chart, and a UI
// app and a Worker app open by themselves. What else only a browser shows is in test/browser.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { type SandboxFixture, startFixture } from './browser/sandbox-fixture.ts'

let fixture: SandboxFixture
before(async () => {
  fixture = await startFixture({ only: ['visit-notes', 'coding-watch'] })
})
after(() => fixture?.stop())
beforeEach(() => fixture.begin())
afterEach(() => fixture.end())

test('opens both apps at sign-in; the UI app shows the verified user', async () => {
  await fixture.signIn('/meadow?practice=Northgate+Cardiology')
  const notes = fixture.frame('Visit Notes')
  await notes.locator('#provider').waitFor()
  assert.equal(await notes.locator('#provider').textContent(), 'Dr. Mei Tanaka')
  assert.equal(await notes.locator('#practice').textContent(), 'Northgate Cardiology')
  for (const app of ['Visit Notes', 'Coding Watch']) {
    await fixture.waitUntilReady(app)
    await fixture.unfold(app)
    for (const name of [
      'open',
      'load',
      'authorize',
      'prepare',
      'exchange',
      'hello',
      'context',
    ] as const) {
      await fixture.step(app, name, 'ok').waitFor({ state: 'attached' })
    }
  }
  const seen = await (
    await fetch(fixture.sandbox.appUrl('coding-watch').replace(/\/\/[^:/]+/, '//127.0.0.1'))
  ).text()
  assert.match(seen, /Dr\. Mei Tanaka/)
})
