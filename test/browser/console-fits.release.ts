// The pages of the console over data of real size, as each role sees them, in every width and mode: nothing is wider
// than its place, and axe-core finds nothing. It takes minutes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photograph } from './real-size/photograph.ts'

test('fits every width and mode on real-size data, and axe-core finds nothing', async () => {
  const { views, faults } = await photograph({ seed: '1', launches: 20_000 }, console.log)
  assert.deepEqual(faults, [])
  assert.ok(views > 170, String(views))
})
