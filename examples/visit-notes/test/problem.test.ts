// What the page is told when something fails: the service's own code, a cause, a fix, the trace id, and
// nothing of the app's insides. Spec §7.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAppKit, ExchangeError } from '@chartside/app-kit/server'
import { explain } from '../src/problem.ts'

const exchange = (fetchFrom: typeof fetch) =>
  createAppKit({
    baseUrl: 'http://localhost:1',
    clientId: 'cli_1',
    clientSecret: 'cs_secret',
    fetch: fetchFrom,
  })
    .exchange('code_1')
    .then(() => assert.fail(), explain)

test('passes on code, status and trace id of a refused exchange, with cause and fix', async () => {
  const body = { error: 'invalid_grant', error_description: 'Spent.', trace_id: 'trc_1' }
  const { status, problem } = await exchange(async () => Response.json(body, { status: 400 }))
  const { fix, ...rest } = problem
  assert.equal(status, 400)
  assert.deepEqual(rest, { error: 'invalid_grant', cause: 'Spent.', trace_id: 'trc_1' })
  assert.match(fix, /Launch the app again/)
})

test('tells an unreachable service from a slow one, without the secret', async () => {
  const away = await exchange(() => Promise.reject(new TypeError('fetch failed')))
  assert.deepEqual([away.status, away.problem.error], [502, 'service_unreachable'])
  const details = { status: 504, error: 'token_exchange_failed' }
  const slow = explain(new ExchangeError('exchange_timeout', 'Too slow.', details))
  assert.deepEqual([slow.status, slow.problem.error], [504, 'exchange_timeout'])
  assert.doesNotMatch(JSON.stringify([away, slow]), /cs_secret|code_1/)
})

test('shows nothing of a mistake of its own', () => {
  const { status, problem } = explain(new Error('password=hunter2'))
  assert.deepEqual([status, problem.error], [500, 'internal_server_error'])
  assert.doesNotMatch(JSON.stringify(problem), /hunter2/)
})
