// A launch on these servers, option 3: over the provider and its exchange to a session, and what must
// be refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json, type Refused, type Started } from './browse.ts'
import { PROVIDER_URL, startStage } from './stage.ts'

type Send = Awaited<ReturnType<typeof startStage>>['send']

/** What the browser does from the Launch URL on: the query with which it comes back to the app. */
async function signIn(send: Send, launchId: string): Promise<URLSearchParams> {
  let address = `${PROVIDER_URL}/sign-in?${new URLSearchParams({ launch_id: launchId })}`
  for (let steps = 0; steps < 6; steps += 1) {
    const response = await send(address)
    address = response.headers.get('location') ?? ''
    assert.ok(address, `${response.status} instead of a redirect`)
    const { pathname, searchParams } = new URL(address)
    if (pathname === '/callback') return searchParams
  }
  throw new Error('The provider redirects in circles.')
}

test('a launch becomes a session, which its cookie renews', async (t) => {
  const { issuer, lines, send } = await startStage(t)
  const { launchId } = issuer.mintLaunch()
  const query = await signIn(send, launchId)
  assert.equal(query.get('launch_id'), launchId)
  const ticket = query.get('ticket')
  const response = await send('/api/session', { ticket, launch_id: launchId })
  assert.equal(response.status, 200)
  const started = await json<Started & Record<string, string>>(response)
  assert.match(started.access_token ?? '', /^at_/)
  assert.deepEqual(lines, ['signed in Dr. Amara Okafor of Lakeside Family Practice'])
  const renewal = { 'x-session-id': started.session.id }
  assert.equal((await send('/api/session/renew', {}, renewal)).status, 200)
})

test('the launch travels as login_hint', async (t) => {
  const { issuer, send } = await startStage(t)
  const { launchId } = issuer.mintLaunch()
  await signIn(send, launchId)
  const authorize = issuer.requests.find(({ path }) => path === '/app-auth/authorize')
  assert.equal(authorize?.query.get('login_hint'), launchId)
})

test('a ticket is taken once, and only for its own launch', async (t) => {
  const { issuer, send } = await startStage(t)
  const { launchId } = issuer.mintLaunch()
  const other = (await signIn(send, launchId)).get('ticket')
  const foreign = await send('/api/session', { ticket: other, launch_id: 'lnch_other' })
  assert.equal((await json<Refused>(foreign)).error, 'launch_mismatch')
  const replay = await send('/api/session', { ticket: other, launch_id: launchId })
  assert.equal(replay.status, 401)
  assert.equal((await json<Refused>(replay)).error, 'ticket_refused')
})

test('an ID token for another app signs nobody in', async (t) => {
  const { issuer, send } = await startStage(t)
  const { launchId } = issuer.mintLaunch()
  const idToken = issuer.mintIdToken({ kind: 'wrong_audience' })
  issuer.failNext('/app-auth/token', { body: { access_token: 'at_other', id_token: idToken } })
  const query = await signIn(send, launchId)
  assert.ok(query.get('error'))
  assert.equal(query.get('ticket'), null)
})

test('the management API answers nobody without its token', async (t) => {
  const { send } = await startStage(t)
  for (const authorization of ['', 'Bearer guessed']) {
    const { status } = await send(`${PROVIDER_URL}/api/v2/users/u1`, undefined, { authorization })
    assert.equal(status, 401)
  }
})

test('what the provider knows of tokens is no browser’s, signed in or not', async (t) => {
  const { issuer, send } = await startStage(t)
  assert.ok((await signIn(send, issuer.mintLaunch().launchId)).get('ticket'))
  for (const [path, body] of [
    ['get-access-token', { providerId: 'chartside' }],
    ['refresh-token', { providerId: 'chartside' }],
    ['list-accounts'],
    ['account-info'],
    ['get-session'],
  ] as const) {
    const response = await send(`${PROVIDER_URL}/api/auth/${path}`, body)
    assert.equal(response.status, 404, path)
    assert.doesNotMatch(await response.text(), /"at_|eyJ/)
  }
})

test('a service or a session that is missing leads back to the app with its cause', async (t) => {
  const { issuer, send } = await startStage(t)
  await issuer.suspend()
  for (const [path, error] of [
    ['/sign-in?launch_id=lnch_1', 'service_unreachable'],
    ['/signed-in?launch_id=lnch_1', 'provider_session_missing'],
  ] as const) {
    const { headers } = await send(`${PROVIDER_URL}${path}`)
    const { pathname, searchParams } = new URL(headers.get('location') ?? '')
    assert.deepEqual([pathname, searchParams.get('error')], ['/callback', error])
    assert.match(searchParams.get('description') ?? '', /provider/)
  }
  await issuer.resume()
})

test('a provider that is away is named, with 503', async (t) => {
  const { providerServer, send } = await startStage(t)
  providerServer.close()
  providerServer.closeAllConnections()
  const response = await send('/api/session', { ticket: 'ticket', launch_id: 'lnch_1' })
  assert.equal(response.status, 503)
  assert.equal((await json<Refused>(response)).error, 'provider_unreachable')
})

test('a request without a ticket is 400, and nothing is asked', async (t) => {
  const { issuer, send } = await startStage(t)
  const response = await send('/api/session', { launch_id: 'lnch_1' })
  assert.equal(response.status, 400)
  assert.equal((await json<Refused>(response)).error, 'missing_ticket')
  const asked = issuer.requests.map(({ path }) => path)
  assert.deepEqual(
    asked.filter((path) => !path.includes('/.well-known/')),
    [],
  )
})
