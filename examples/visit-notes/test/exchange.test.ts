// The one-shot exchange of the sample app: what it sends, and what it makes of every answer.
// Spec §4.2, §7.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../src/app-error.ts'
import { exchangeCode } from '../src/exchange.ts'

const credentials = {
  tokenUrl: 'http://service.invalid/app-auth/token',
  clientId: 'cli_1',
  clientSecret: 'cs_secret',
}

const answer = (status: number, body: unknown) => async () => Response.json(body, { status })

test('sends the four fields as JSON, once, and follows no redirect', async () => {
  const calls: RequestInit[] = []
  const tokens = await exchangeCode('code_1', credentials, async (_url, init) => {
    calls.push(init ?? {})
    return Response.json({ access_token: 'at_1', id_token: 'jwt' })
  })
  assert.deepEqual(tokens, { accessToken: 'at_1', idToken: 'jwt' })
  assert.equal(calls.length, 1)
  assert.equal(calls[0]?.redirect, 'error')
  assert.deepEqual(JSON.parse(String(calls[0]?.body)), {
    grant_type: 'authorization_code',
    code: 'code_1',
    client_id: 'cli_1',
    client_secret: 'cs_secret',
  })
})

test('names code, cause, fix and trace id when the service refuses the code', async () => {
  const body = { error: 'invalid_grant', error_description: 'Spent.', trace_id: 'trc_1' }
  await assert.rejects(exchangeCode('code_1', credentials, answer(400, body)), (error: unknown) => {
    assert.ok(error instanceof AppError)
    assert.equal(error.status, 400)
    const { fix, ...rest } = error.view
    assert.deepEqual(rest, { error: 'invalid_grant', cause: 'Spent.', trace_id: 'trc_1' })
    assert.match(fix, /Launch the app again/)
    return true
  })
})

test('keeps the status and says token_exchange_failed when the answer is not JSON', async () => {
  const html = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  await assert.rejects(exchangeCode('code_1', credentials, html), (error: unknown) => {
    assert.ok(error instanceof AppError)
    assert.equal(error.status, 502)
    assert.equal(error.view.error, 'token_exchange_failed')
    return true
  })
})

test('refuses an answer without an access token or an ID token', async () => {
  for (const body of [{}, { access_token: 1, id_token: 'jwt' }, { access_token: 'at_1' }, []]) {
    const exchange = exchangeCode('code_1', credentials, answer(200, body))
    await assert.rejects(exchange, /token_response_incomplete/)
  }
})

test('tells an unreachable service from a slow one, without the secret', async () => {
  const failing = (cause: Error) => async () => Promise.reject(cause)
  const unreachable = exchangeCode('code_1', credentials, failing(new TypeError('fetch failed')))
  await assert.rejects(unreachable, /service_unreachable/)
  const late = new DOMException('late', 'TimeoutError')
  await assert.rejects(exchangeCode('c', credentials, failing(late)), (error: unknown) => {
    assert.ok(error instanceof AppError)
    assert.equal(error.view.error, 'token_endpoint_timeout')
    assert.ok(!JSON.stringify(error.view).includes('cs_secret'))
    return true
  })
})
