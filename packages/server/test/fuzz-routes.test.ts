// The short run of the fuzzer (test/fuzz): broken requests to every route of the table, with a
// seed that a failure prints. `npm run tool -- fuzz` is the long one, on both engines. Security F08.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMissing, fuzzRoutes } from '../../../test/fuzz/route-fuzzer.ts'
import { ROUTES } from '../src/routes.ts'

const CASES = 400
const seed = Number(process.env.CHARTSIDE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

test('has a generator of requests for every route of the table [F08]', () => {
  const missing = ROUTES.flatMap((route) => {
    const what = describeMissing(route)
    return what === undefined ? [] : [`${route.operation} needs ${what}`]
  })
  assert.deepEqual(missing, [])
})

/** Cases that never get past the front would show nothing. */
const WANTED = [200, 201, 204, 400, 401, 403, 404, 410, 413, 415]
/** Few random cases create a record, so a run may have none. */
const MAX_RUNS = 3

test('answers broken requests to every route in its own shape, and leaks nothing [F08]', async (t) => {
  const seen: Partial<Record<number, number>> = {}
  const listUnseen = () => WANTED.filter((status) => !seen[status])
  for (let run = 0; run < MAX_RUNS && listUnseen().length > 0; run++) {
    t.diagnostic(`CHARTSIDE_TEST_SEED=${seed + run}`)
    const report = await fuzzRoutes({ seed: seed + run, cases: CASES })
    const shown = report.failures.map(({ name, reason, shrunk }) => `${name}: ${reason}\n${shrunk}`)
    assert.deepEqual(shown, [], `npm run tool -- fuzz --seed ${seed + run} --cases ${CASES}`)
    assert.equal(report.internalErrors, 0)
    Object.assign(seen, report.statuses)
  }
  assert.deepEqual(listUnseen(), [], 'no case was answered so')
})
