// The suite against a service whose answers are distorted: each planted fault fails exactly the module
// that is about it. Each is planted alone before the modules that find the faults of its group, and the
// whole group before every module, so that the whole suite runs once for a group. Security section 15.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MODULES } from '../src/catalog.ts'
import { type FaultyProxy, startFaultyService } from './faulty-proxy.ts'
import { groupFaults, PLANTED_FAULTS } from './planted-faults.ts'
import { explain, runSuite } from './run.ts'

let service: FaultyProxy
/** All modules that pass without a fault. */
let modules = MODULES.map(({ id }) => id)

const run = (only: readonly string[]) =>
  runSuite('--base-url', service.origin, '--code-reuse-wait-seconds', '0.2', '--only', ...only)

before(async () => {
  service = await startFaultyService()
  const { failed } = await run(modules)
  modules = modules.filter((id) => !failed.includes(id))
  assert.ok(modules.length > 90, failed.join(' '))
})
after(() => service.stop())

for (const [index, faults] of groupFaults().entries()) {
  const finding = faults.map(({ finds }) => finds)
  for (const { title, finds, plant } of faults) {
    test(`finds ${title}`, async () => {
      service.plant(plant())
      const ran = await run(finding)
      assert.deepEqual(ran.failed, [finds], explain(ran))
      assert.equal(ran.code, 1)
    })
  }

  test(`fails no other module for the faults of group ${index + 1}`, async () => {
    service.plant(...faults.map(({ plant }) => plant()))
    const ran = await run(modules)
    assert.deepEqual(ran.failed.toSorted(), finding.toSorted(), explain(ran))
  })
}

test('plants at least ten faults, each for another module', () => {
  const found = new Set(PLANTED_FAULTS.map(({ finds }) => finds))
  assert.equal(found.size, PLANTED_FAULTS.length)
  assert.ok(found.size >= 10)
})
