// What the SDK and the app send to the parent window when something goes wrong before there is a
// port, or beside it. Contract §5.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFailureReporter } from './launch-failure.ts'
import { createLoader } from './loader.ts'
import { failureOf, openPage, quick } from './sdk-fixture.ts'

test('reports a failure of the app before init to any origin, with its trace id', () => {
  const { page, reports } = openPage()
  createFailureReporter(page)({
    code: 'csrf_validation_failed',
    message: 'The state is not the one of this tab.',
    traceId: '4bf92f3577b34da65f0c2d7e9b1a4c68',
  })
  assert.deepEqual(reports, [
    {
      type: 'chartside:failure',
      code: 'csrf_validation_failed',
      message: 'The state is not the one of this tab.',
      fix: '',
      traceId: '4bf92f3577b34da65f0c2d7e9b1a4c68',
      targetOrigin: '*',
    },
  ])
})

test('reports nothing from a page without a host, and never throws', () => {
  const { page, reports } = openPage()
  const top = { ...page }
  Object.assign(top, { parent: top })
  for (const alone of [top, {}]) createFailureReporter(alone)({ code: 'x', message: 'why' })
  createFailureReporter(page)({} as never)
  assert.equal(reports.length, 1)
  assert.partialDeepStrictEqual(reports[0], { code: 'unknown', message: 'No reason given.' })
})

test('takes bearer values out of a report, and cuts what is too long [X06]', () => {
  const { page, reports } = openPage()
  const secret = `at_${'a'.repeat(22)}_${'b'.repeat(43)}`
  createFailureReporter(page)({
    code: `${secret} <b>`,
    message: `sent ${secret} and eyJhbGciOi.eyJzdWIi.c2ln, ${'x'.repeat(9_000)}`,
    traceId: 'not a trace id',
  })
  assert.doesNotMatch(JSON.stringify(reports), /bbbb|eyJ|<b>/)
  assert.ok(JSON.stringify(reports).length < 800)
  assert.partialDeepStrictEqual(reports[0], { traceId: '' })
})

test('reports its own failures before the port, with cause and fix', async () => {
  const { init, reports } = openPage({ onHello: () => {} })
  const { code, cause: message, fix } = await failureOf(init(quick))
  assert.equal(code, 'HANDSHAKE_TIMEOUT')
  const fields = { code, message: message.slice(0, 500), fix, traceId: '', targetOrigin: '*' }
  assert.deepEqual(reports, [{ type: 'chartside:failure', ...fields }])
})

test('reports no abort, and over the port no second time', async () => {
  const { init, reports } = openPage({ onHello: () => {} })
  await assert.rejects(init({ signal: AbortSignal.abort(new Error('left')) }), /left/)
  const refused = openPage({
    tokenAnswer: { type: 'refused', code: 'TOKEN_REJECTED', message: 'x' },
  })
  await failureOf(refused.init(quick))
  assert.deepEqual([...reports, ...refused.reports], [])
})

test('reports a script that does not load, from the loader', async () => {
  const { page, reports } = openPage()
  const { code, cause: message, fix } = await failureOf(createLoader(page)())
  assert.equal(code, 'HOST_NOT_FOUND')
  assert.partialDeepStrictEqual(reports, [{ code, message, fix }])
})
