// The suite against a service whose answers are distorted: each planted fault fails exactly the
// module that is about it. Two services take the faults side by side. Security section 15.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type FaultyService, startFaultyService } from './faulty-proxy.ts'
import { PLANTED_FAULTS } from './planted-faults.ts'
import { explain, runSuite } from './run.ts'

/** Most of a run is waiting. */
const CONCURRENCY = 2

const services: FaultyService[] = []
const idle: FaultyService[] = []
/** What fails without a fault. */
let deviations: readonly string[] = []

const run = ({ origin }: FaultyService) =>
  runSuite('--base-url', origin, '--code-reuse-wait-seconds', '1')

before(async () => {
  for (let i = 0; i < CONCURRENCY; i++) services.push(await startFaultyService())
  idle.push(...services)
  const [first] = services
  if (first) deviations = (await run(first)).failed
})
after(() => Promise.all(services.map((service) => service.stop())))

describe('of the planted faults', { concurrency: CONCURRENCY }, () => {
  for (const { title, finds, plant } of PLANTED_FAULTS) {
    test(`finds ${title}`, async () => {
      const service = idle.pop()
      assert.ok(service, 'no service is idle')
      try {
        service.plant(plant())
        const ran = await run(service)
        const found = ran.failed.filter((id) => !deviations.includes(id))
        assert.deepEqual(found, [finds], explain(ran))
        assert.equal(ran.code, 1)
      } finally {
        idle.push(service)
      }
    })
  }
})

test('plants at least ten faults, each for another module', () => {
  assert.ok(new Set(PLANTED_FAULTS.map(({ finds }) => finds)).size >= 10)
})
