// Error responses of an app, and the fields of a body. Spec §7.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAppKit } from './app-kit.ts'
import { ExchangeError } from './errors.ts'
import { requireText } from './fields.ts'
import { explainError, Problem } from './problem.ts'

const exchange = (fetchFrom: typeof fetch) =>
  createAppKit({
    baseUrl: 'http://localhost:1',
    clientId: 'cli_1',
    clientSecret: 'cs_secret',
    fetch: fetchFrom,
  })
    .exchange('code_1')
    .then(() => assert.fail(), explainError)

test('passes on code, status and trace id of a refused exchange, with cause and fix', async () => {
  const body = { error: 'invalid_grant', error_description: 'Spent.', trace_id: 'trc_1' }
  const { status, problem } = await exchange(async () => Response.json(body, { status: 400 }))
  const { fix, ...rest } = problem
  assert.equal(status, 400)
  assert.deepEqual(rest, { error: 'invalid_grant', cause: 'Spent.', trace_id: 'trc_1' })
  assert.match(fix, /Launch the app again/)
})

test('distinguishes an unreachable service from a slow one, without the secret', async () => {
  const away = await exchange(() => Promise.reject(new TypeError('fetch failed')))
  assert.deepEqual([away.status, away.problem.error], [502, 'service_unreachable'])
  const details = { status: 504, error: 'token_exchange_failed' }
  const slow = explainError(new ExchangeError('exchange_timeout', 'Too slow.', details))
  assert.deepEqual([slow.status, slow.problem.error], [504, 'exchange_timeout'])
  assert.doesNotMatch(JSON.stringify([away, slow]), /cs_secret|code_1/)
})

test('passes on an error with code and fix, and shows nothing of an unexpected one', () => {
  const view = { error: 'session_ended', cause: 'It has ended.', fix: 'Launch again.' }
  assert.deepEqual(explainError(new Problem(401, view)), { status: 401, problem: view })
  for (const thrown of [new Error('password=hunter2'), { code: 'x', fix: 'y' }, null, 'text']) {
    const { status, problem } = explainError(thrown)
    assert.deepEqual([status, problem.error], [500, 'internal_server_error'])
    assert.doesNotMatch(JSON.stringify(problem), /hunter2/)
  }
})

test('takes a text field from a body, and refuses everything else with 400', () => {
  assert.equal(requireText({ code: 'code_1' }, 'code'), 'code_1')
  const odd = [undefined, null, 7, 'code', [], ['code'], {}, { code: '' }, { code: ' ' }]
  for (const body of [...odd, { code: { toString: 1 } }, { code: ['code_1'] }]) {
    assert.throws(
      () => requireText(body, 'code'),
      (error: unknown) => error instanceof Problem && error.status === 400 && error.fix !== '',
    )
  }
  assert.throws(() => requireText({}, 'toString'), Problem)
})
