// What the page sends to its host when something goes wrong, and when: at once, once per attempt, with
// the words of the app's own server, and without a secret. Contract §5.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INIT_MARK, parseFailureReport } from '@chartside/protocol/failure-report'
import { beginLaunch } from './begin-launch.ts'
import { readCallback } from './callback.ts'
import { AppKitError } from './errors.ts'
import { postOnce } from './own-server.ts'
import { failAtProvider } from './page/provider-error.ts'
import type { Page } from './page.ts'
import { openBlockedPage, openPage } from './page-fixture.ts'
import { rememberLaunch, takeLaunch } from './provider-launch.ts'
import { createSession } from './session.ts'
import { storeLaunch } from './state.ts'

const OPTIONS = {
  clientId: 'cli_1',
  baseUrl: 'https://service.example',
  redirectUri: 'https://app.example/callback',
}

/** A framed page; `reports` is what its host received. */
function frame(inner: Page) {
  const posted: unknown[] = []
  const listeners = new Map<string, (event: Event) => void>()
  const page: Page = Object.defineProperties(
    {
      ...{ location: inner.location, history: inner.history, self: {} },
      parent: { postMessage: (message: unknown) => void posted.push(message) },
      addEventListener: (type: string, listener: (event: Event) => void) =>
        void listeners.set(type, listener),
      removeEventListener: (type: string) => void listeners.delete(type),
    } as unknown as Page,
    { sessionStorage: { get: () => inner.sessionStorage } },
  )
  const reports = () => posted.map((message) => parseFailureReport(message))
  return { page, reports, listeners }
}

const CALLBACK = 'https://app.example/callback'

test('names each missing parameter of a callback, to the page and to the host', () => {
  for (const [query, detail] of [
    ['code=c', 'the callback has no state.'],
    ['state=l:c', 'the callback has no code.'],
    ['', 'the callback has no code and no state.'],
    ['code=c&code=d&state=l:c', 'the callback has code more than once.'],
  ] as const) {
    const { page, reports } = frame(openPage(`${CALLBACK}?${query}`))
    assert.throws(() => readCallback({}, page), { message: 'Missing OAuth parameters', detail })
    assert.deepEqual(
      reports().map((one) => [one?.code, one?.message]),
      [['missing_oauth_parameters', `Missing OAuth parameters: ${detail}`]],
    )
  }
})

test('names the refusal of authorize behind a callback without state, and not its text', () => {
  const description = encodeURIComponent('Call 555-0100 (trace 4bf92f3577b34da65f0c2d7e9b1a4c68)')
  const query = `error=invalid_request&error_description=${description}`
  const { page, reports } = frame(openPage(`${CALLBACK}?${query}`))
  const detail =
    'the callback has no state, because authorize refused the request (invalid_request).'
  assert.throws(() => readCallback({}, page), { code: 'missing_oauth_parameters', detail })
  assert.partialDeepStrictEqual(reports(), [
    { code: 'invalid_request', traceId: '4bf92f3577b34da65f0c2d7e9b1a4c68' },
  ])
  assert.doesNotMatch(JSON.stringify(reports()), /555/)
  const other = frame(openPage(`${CALLBACK}?error=made_up`))
  assert.throws(() => readCallback({}, other.page), { detail: 'the callback has no state.' })
})

test('names what a server passes on of the service, and a page in place of JSON', async () => {
  const refusal = { error: 'invalid_client', error_description: 'Unknown.', trace_id: 'trace_1' }
  for (const [response, expected] of [
    [
      Response.json(refusal, { status: 401 }),
      { code: 'invalid_client', message: 'Unknown.', traceId: 'trace_1' },
    ],
    [
      new Response('<!doctype html>'),
      {
        code: 'request_failed',
        message: "The app's server answered with an HTML page in place of JSON.",
      },
    ],
  ] as const) {
    const { page, reports } = frame(openPage(CALLBACK))
    await assert.rejects(postOnce('/api/exchange', {}, { fetch: async () => response }, page))
    assert.partialDeepStrictEqual(reports(), [expected])
  }
})

test('says why the csrf part is refused: another value, or none in this tab', () => {
  const { page, reports } = frame(openPage(`${CALLBACK}?code=c&state=lnch_1:other`))
  storeLaunch(page, 'lnch_1', { csrf: 'stored-value', issuer: 'i' })
  assert.throws(() => readCallback({}, page), { code: 'csrf_validation_failed' })
  const none = frame(openPage(`${CALLBACK}?code=c&state=lnch_2:other`))
  assert.throws(() => readCallback({}, none.page), { code: 'csrf_validation_failed' })
  const messages = [...reports(), ...none.reports()].map((one) => one?.message)
  assert.match(messages[0] ?? '', /CSRF validation failed: state differs from the value/)
  assert.match(messages[1] ?? '', /stored no value for the launch/)
  assert.doesNotMatch(messages.join(), /stored-value|:other/)
})

test('gives each error of authorize a fix of its own, and passes its trace id on', () => {
  for (const [oauthError, fix] of [
    ['invalid_scope', /launch openid/],
    ['temporarily_unavailable', /Your settings are fine/],
    ['login_required', /Sign in again/],
    ['unauthorized_client', /registration of the app/],
    ['something_new', /Launch the app again/],
  ] as const) {
    const query = new URLSearchParams({
      ...{ error: oauthError, state: 'lnch_1:csrf' },
      error_description: 'The cause. (trace tr_12345678)',
    })
    const { page, reports } = frame(openPage(`${CALLBACK}?${query}`))
    storeLaunch(page, 'lnch_1', { csrf: 'csrf', issuer: 'i' })
    assert.throws(() => readCallback({}, page), { oauthError, traceId: 'tr_12345678' })
    const [report] = reports()
    assert.deepEqual([report?.code, report?.traceId], [oauthError, 'tr_12345678'])
    assert.match(report?.fix ?? '', fix)
  }
})

test("reports the words and the trace id of the app's server, once for a doubled call", async () => {
  const { page, reports } = frame(openPage(CALLBACK))
  const body = {
    ...{ error: 'invalid_client', cause: 'The secret is wrong.', fix: 'Set it.' },
    trace_id: 'tr_12345678',
  }
  const fetchFrom = (async () => Response.json(body, { status: 401 })) as unknown as typeof fetch
  const post = () => postOnce('/api/exchange', { code: 'code_1' }, { fetch: fetchFrom }, page)
  await Promise.allSettled([post(), post()])
  assert.deepEqual(reports(), [
    {
      ...{ type: 'chartside:failure', code: 'invalid_client', message: 'The secret is wrong.' },
      ...{ fix: 'Set it.', traceId: 'tr_12345678' },
    },
  ])
  const starting = createSession({ fetch: fetchFrom }, page).start({ id_token: 'x' })
  await assert.rejects(starting, { code: 'request_failed', status: 401 })
  assert.equal(reports().length, 2)
})

test('posts a code once for two calls, and again after none', async () => {
  const { page } = frame(openPage(CALLBACK))
  let count = 0
  const fetchFrom = (async () => Response.json({ count: ++count })) as unknown as typeof fetch
  const post = (code: string) => postOnce('/api/exchange', { code }, { fetch: fetchFrom }, page)
  assert.deepEqual(await Promise.all([post('a'), post('a'), post('b')]), [
    { count: 1 },
    { count: 1 },
    { count: 2 },
  ])
  await assert.rejects(postOnce('https://evil.example/', {}, {}, page), { code: 'foreign_address' })
})

test('says which storage is denied, at the launch and in option 3', async () => {
  const address = 'https://app.example/launch?launch_id=lnch_1'
  const { page, reports } = frame(openBlockedPage(address))
  await assert.rejects(beginLaunch(OPTIONS, page), /denies this page sessionStorage/)
  assert.throws(() => rememberLaunch(page), { code: 'storage_unavailable' })
  assert.throws(() => takeLaunch('lnch_1', page), { code: 'storage_unavailable' })
  assert.deepEqual(
    reports().map((one) => one?.code),
    ['storage_unavailable', 'storage_unavailable', 'storage_unavailable'],
  )
})

test('gives the secret of a launch to the tab that began it, once [L03]', () => {
  const page = openPage('https://app.example/launch?launch_id=lnch_1')
  assert.equal(rememberLaunch(page), 'lnch_1')
  assert.match(takeLaunch('lnch_1', page), /^[\w-]{43}$/)
  for (const launchId of ['lnch_1', 'lnch_of_an_attacker', '', '__proto__']) {
    assert.throws(() => takeLaunch(launchId, page), { code: 'launch_not_begun' })
  }
  assert.equal(page.stored.size, 0)
})

test('sends nothing from a page that no host frames', () => {
  const page = { ...openPage(CALLBACK), parent: { postMessage: () => assert.fail('sent') } }
  assert.throws(() => readCallback({}, { ...page, self: page.parent }), AppKitError)
})

/** A page whose callback was accepted. */
function openChecked(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const framed = frame(openPage(`${CALLBACK}?code=c&state=lnch_1:csrf`))
  storeLaunch(framed.page, 'lnch_1', { csrf: 'csrf', issuer: 'i' })
  readCallback({}, framed.page)
  return framed
}

test('reports that init was never called, and what the page waits for', async (t) => {
  const { page, reports } = openChecked(t)
  const never = (() => new Promise(() => {})) as unknown as typeof fetch
  void postOnce('/api/exchange', { code: 'c' }, { fetch: never }, page)
  await Promise.resolve()
  t.mock.timers.tick(8_000)
  assert.equal(reports()[0]?.code, 'init_not_called')
  assert.match(reports()[0]?.message ?? '', /has not answered POST \/api\/exchange for 8 s/)
})

test('reports a script that failed before init at once, without a secret', (t) => {
  const { listeners, reports } = openChecked(t)
  const reason = new Error(`cannot read code_${'a'.repeat(30)} of undefined`)
  listeners.get('unhandledrejection')?.(Object.assign(new Event('x'), { reason }))
  assert.match(reports()[0]?.message ?? '', /failed before it called initServiceSDK: cannot read/)
  assert.doesNotMatch(JSON.stringify(reports()), /code_a/)
  t.mock.timers.tick(8_000)
  assert.equal(reports().length, 1)
})

test('reports no missing init after a failure that it reported', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { page, reports } = frame(openPage(`${CALLBACK}?code=c&state=lnch_1:csrf`))
  storeLaunch(page, 'lnch_1', { csrf: 'csrf', issuer: 'i' })
  readCallback({}, page)
  const fetch = async () => Response.json({ error: 'x', cause: 'why' }, { status: 400 })
  await assert.rejects(postOnce('/api/exchange', {}, { fetch }, page))
  t.mock.timers.tick(20_000)
  assert.deepEqual(
    reports().map((one) => one?.code),
    ['x'],
  )
})

test('reports nothing once init was called', (t) => {
  const { page, reports } = openChecked(t)
  Object.assign(page, { [INIT_MARK]: true })
  t.mock.timers.tick(8_000)
  assert.deepEqual(reports(), [])
})

test('reports what the identity provider refused, with its words and a fix', () => {
  const { page, reports } = frame(openPage(CALLBACK))
  const description = 'The state of the sign-in is unknown.'
  assert.throws(() => failAtProvider('state_not_found', description, page), {
    ...{ code: 'state_not_found', message: description },
  })
  assert.throws(() => failAtProvider('ticket_missing', null, page))
  const [refused, missing] = reports()
  assert.equal(refused?.code, 'state_not_found')
  assert.equal(refused?.message, description)
  assert.match(refused?.fix ?? '', /^Allow cookies/)
  assert.equal(missing?.message, 'Signing in failed: ticket_missing.')
})
