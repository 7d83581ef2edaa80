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

test('answers broken requests to every route in its own shape, and leaks nothing [F08]', async (t) => {
  t.diagnostic(`CHARTSIDE_TEST_SEED=${seed}`)
  const { failures, internalErrors, statuses } = await fuzzRoutes({ seed, cases: CASES })
  const shown = failures.map(({ name, reason, shrunk }) => `${name}: ${reason}\n${shrunk}`)
  assert.deepEqual(shown, [], `npm run tool -- fuzz --seed ${seed} --cases ${CASES}`)
  assert.equal(internalErrors, 0)
  // Cases that never get past the front would show nothing.
  for (const status of [200, 201, 204, 400, 401, 403, 404, 410, 413, 415]) {
    assert.ok((statuses[status] ?? 0) > 0, `no case was answered ${status}`)
  }
})
