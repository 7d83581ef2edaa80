// Debug lines of the SDK are off unless the caller switches them on, because the console of an EHR
// page is shared. Spec §4.5.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPage } from './sdk-fixture.ts'

for (const [options, isOn] of [
  [{}, false],
  [{ debug: false }, false],
  [{ debug: true }, true],
] as const) {
  test(`writes ${isOn ? 'debug lines' : 'nothing'} with ${JSON.stringify(options)}`, async (t) => {
    const lines: unknown[] = []
    for (const level of ['log', 'info', 'debug', 'warn', 'error'] as const) {
      t.mock.method(console, level, (...line: unknown[]) => lines.push(...line))
    }
    const { init } = openPage()
    await init({ accessToken: 'at_1', ...options })
    assert.equal(lines.length > 0, isOn, lines.join('\n'))
  })
}
