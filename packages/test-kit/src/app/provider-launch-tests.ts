// A launch on these servers, option 3: through the provider and its exchange to a session, and what
// must be refused. Spec §5.3, §5.6.
import assert from 'node:assert/strict'
import { type ErrorBody, json, type StartedSession } from './browser-client.ts'
import { collectTests } from './collect-tests.ts'
import { type ProviderFixture, signIn } from './fixture.ts'

/** The secret of the tab that began the launch. */
const PROOF = 'p'.repeat(43)

export const { test, register: testProviderLaunch } = collectTests<ProviderFixture>()

test('turns a launch into a session, which its cookie renews', async (t, startFixture) => {
  const { issuer, lines, send } = await startFixture(t)
  const { launchId } = issuer.mintLaunch()
  const query = await signIn(send, launchId)
  assert.equal(query.get('launch_id'), launchId)
  const ticket = query.get('ticket')
  const exchanged = await send('/api/exchange', { ticket, launch_id: launchId, proof: PROOF })
  assert.equal(exchanged.status, 200)
  const tokens = await json<Record<string, string>>(exchanged)
  assert.match(tokens.access_token ?? '', /^at_/)
  assert.doesNotMatch(JSON.stringify(tokens), /eyJ/)
  // The session begins once the SDK is ready.
  assert.deepEqual([exchanged.headers.get('set-cookie'), lines], [null, []])
  const response = await send('/api/session', { proof: PROOF })
  assert.equal(response.status, 200)
  const started = await json<StartedSession>(response)
  assert.deepEqual(lines, ['signed in Dr. Amara Okafor of Lakeside Family Practice'])
  const renewal = { 'x-session-id': started.session.id }
  assert.equal((await send('/api/session/renew', {}, renewal)).status, 200)
})

test('sends the launch as login_hint', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const { launchId } = issuer.mintLaunch()
  await signIn(send, launchId)
  const authorize = issuer.requests.find(({ path }) => path === '/app-auth/authorize')
  assert.equal(authorize?.query.get('login_hint'), launchId)
})

test('starts one session, for the browser that began the launch only [V20]', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const { launchId } = issuer.mintLaunch()
  const ticket = (await signIn(send, launchId)).get('ticket')
  const exchanged = await send('/api/exchange', { ticket, launch_id: launchId, proof: PROOF })
  assert.equal(exchanged.status, 200)
  for (const proof of ['q'.repeat(43), 'guessed', '__proto__']) {
    const refused = await send('/api/session', { proof })
    assert.equal(refused.status, 401)
    assert.equal(refused.headers.get('set-cookie'), null)
    assert.equal((await json<ErrorBody>(refused)).error, 'launch_not_pending')
  }
  assert.equal((await send('/api/session', { proof: PROOF })).status, 200)
  assert.equal((await send('/api/session', { proof: PROOF })).status, 401)
})

test('starts no session for a page of another origin [V20]', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const query = await signIn(send, issuer.mintLaunch().launchId)
  await send('/api/exchange', { ...Object.fromEntries(query), proof: PROOF })
  const evil = { origin: 'https://evil.example' }
  const response = await send('/api/session', { proof: PROOF }, evil)
  assert.deepEqual([response.status, response.headers.get('set-cookie')], [403, null])
})

test('refuses a proof that is none', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const query = await signIn(send, issuer.mintLaunch().launchId)
  const response = await send('/api/exchange', { ...Object.fromEntries(query), proof: 'short' })
  assert.equal(response.status, 400)
})

test('leaves no cookie of the provider behind [V20]', async (t, startFixture) => {
  const { issuer, cookies, send } = await startFixture(t)
  assert.ok((await signIn(send, issuer.mintLaunch().launchId)).get('ticket'))
  assert.deepEqual(cookies(), [])
})

test('starts no session with a ticket of another launch [L03]', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  for (const [launchId, status, error] of [
    ['lnch_of_the_victim', 409, 'launch_mismatch'],
    ['', 400, 'invalid_request'],
    [null, 400, 'invalid_request'],
    [undefined, 400, 'invalid_request'],
  ] as const) {
    const ticket = (await signIn(send, issuer.mintLaunch().launchId)).get('ticket')
    const response = await send('/api/exchange', { ticket, launch_id: launchId, proof: PROOF })
    assert.equal(response.headers.get('set-cookie'), null)
    assert.deepEqual([response.status, (await json<ErrorBody>(response)).error], [status, error])
  }
})

test('gives a launch no token of another one that signed in later [X09]', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const first = await signIn(send, issuer.mintLaunch().launchId)
  const second = await signIn(send, issuer.mintLaunch().launchId)
  const refused = await send('/api/exchange', { ...Object.fromEntries(first), proof: PROOF })
  assert.equal(refused.status, 409)
  assert.equal(refused.headers.get('set-cookie'), null)
  const body = await json<ErrorBody>(refused)
  assert.equal(body.error, 'launch_mismatch')
  assert.doesNotMatch(JSON.stringify(body), /"at_|eyJ/)
  const started = await send('/api/exchange', { ...Object.fromEntries(second), proof: PROOF })
  assert.equal(started.status, 200)
  assert.match((await json<{ access_token: string }>(started)).access_token, /^at_/)
})

test('refuses a ticket that was used, and one that the provider did not issue', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const { launchId } = issuer.mintLaunch()
  const ticket = (await signIn(send, launchId)).get('ticket')
  const exchange = (presented: string | null, proof: string) =>
    send('/api/exchange', { ticket: presented, launch_id: launchId, proof })
  assert.equal((await exchange(ticket, PROOF)).status, 200)
  for (const refused of [ticket, 'guessed']) {
    const response = await exchange(refused, 'q'.repeat(43))
    assert.equal(response.status, 401)
    assert.equal((await json<ErrorBody>(response)).error, 'ticket_refused')
  }
})

test('starts no session for the ID token of another app', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const { launchId } = issuer.mintLaunch()
  const idToken = issuer.mintIdToken({ kind: 'wrong_audience' })
  issuer.failNext('/app-auth/token', { body: { access_token: 'at_other', id_token: idToken } })
  const query = await signIn(send, launchId)
  assert.ok(query.get('error'))
  assert.equal(query.get('ticket'), null)
})

test('sends nothing for a request without a ticket', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const response = await send('/api/exchange', { launch_id: 'lnch_1' })
  assert.equal(response.status, 400)
  const { error, cause } = await json<ErrorBody>(response)
  assert.deepEqual([error, cause], ['invalid_request', 'The request has no text "ticket".'])
  const paths = issuer.requests.map(({ path }) => path)
  assert.deepEqual(
    paths.filter((path) => !path.includes('/.well-known/')),
    [],
  )
})

test('names a provider that does not answer, with 503', async (t, startFixture) => {
  const { providerServer, send } = await startFixture(t)
  providerServer.close()
  providerServer.closeAllConnections()
  const response = await send('/api/exchange', {
    ...{ ticket: 'ticket', launch_id: 'lnch_1', proof: PROOF },
  })
  assert.equal(response.status, 503)
  const { error, cause } = await json<ErrorBody>(response)
  assert.equal(error, 'provider_unreachable')
  assert.match(cause, /identity provider/)
})

test('names a service that does not answer, with 503', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const query = await signIn(send, issuer.mintLaunch().launchId)
  await issuer.suspend()
  const response = await send('/api/exchange', { ...Object.fromEntries(query), proof: PROOF })
  assert.equal(response.status, 503)
  assert.equal((await json<ErrorBody>(response)).error, 'service_unreachable')
  await issuer.resume()
})
