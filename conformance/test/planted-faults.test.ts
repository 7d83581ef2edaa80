// The suite against a service whose answers are distorted: each planted fault fails exactly the
// module that is about it. Two services take the faults side by side. Security section 15.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MODULES } from '../src/catalog.ts'
import { type FaultyService, startFaultyService } from './faulty-proxy.ts'
import { PLANTED_FAULTS } from './planted-faults.ts'
import { explain, runSuite } from './run.ts'

/** Most of a run is waiting. */
const CONCURRENCY = 2

const services: FaultyService[] = []
const idle: FaultyService[] = []
/** All modules that pass without a fault. */
let modules = MODULES.map(({ id }) => id)

const run = ({ origin }: FaultyService) =>
  runSuite('--base-url', origin, '--code-reuse-wait-seconds', '0.2', '--only', ...modules)

before(async () => {
  for (let i = 0; i < CONCURRENCY; i++) services.push(await startFaultyService())
  idle.push(...services)
  const [first] = services
  const failed = first ? (await run(first)).failed : []
  modules = modules.filter((id) => !failed.includes(id))
  assert.ok(modules.length > 90, failed.join(' '))
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
        assert.deepEqual(ran.failed, [finds], explain(ran))
        assert.equal(ran.code, 1)
      } finally {
        idle.push(service)
      }
    })
  }
})

test('plants at least ten faults, each for another module', () => {
  const found = new Set(PLANTED_FAULTS.map(({ finds }) => finds))
  assert.equal(found.size, PLANTED_FAULTS.length)
  assert.ok(found.size >= 10)
})
