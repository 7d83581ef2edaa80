// The identity provider of development: what a browser can reach there, and how it redirects after
// a failure. Spec §5.3 rules 1 and 3.
import assert from 'node:assert/strict'
import { collectTests } from './collect-tests.ts'
import { PROVIDER_URL, type ProviderFixture, signIn } from './fixture.ts'

export const { test, register: testProvider } = collectTests<ProviderFixture>()

test('redeems a ticket once, for a caller without a cookie, without platform tokens', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  const token = (await signIn(send, issuer.mintLaunch().launchId)).get('ticket')
  const redeem = () =>
    send(`${PROVIDER_URL}/api/auth/one-time-token/verify`, { token }, { cookie: '' })
  const redeemed = await redeem()
  assert.equal(redeemed.status, 200)
  assert.doesNotMatch(await redeemed.text(), /"at_|eyJ/)
  assert.equal((await redeem()).status, 400)
})

test('refuses the management API without its token', async (t, startFixture) => {
  const { send } = await startFixture(t)
  for (const authorization of ['', 'Bearer guessed']) {
    const { status } = await send(`${PROVIDER_URL}/api/v2/users/u1`, undefined, { authorization })
    assert.equal(status, 401)
  }
})

test('serves a signed-in browser no other route of better-auth', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  assert.ok((await signIn(send, issuer.mintLaunch().launchId)).get('ticket'))
  const body = { providerId: 'chartside', provider: 'chartside' }
  for (const [method, path] of [
    ['POST', '/get-access-token'],
    ['POST', '/refresh-token'],
    ['GET', '/account-info'],
    ['GET', '/list-accounts'],
    ['GET', '/get-session'],
    ['POST', '/link-social'],
    ['POST', '/sign-in/social'],
    ['GET', '/one-time-token/generate'],
    ['POST', '/callback/chartside'],
    ['GET', '/callback/other'],
    ['GET', '/CALLBACK/chartside/../../get-session'],
    ['GET', '/error'],
    ['GET', '/ok'],
  ] as const) {
    const address = `${PROVIDER_URL}/api/auth${path}`
    const response = await send(address, method === 'POST' ? body : undefined)
    assert.equal(response.status, 404, path)
    assert.doesNotMatch(await response.text(), /"at_|eyJ/)
  }
})

test('redirects a failure to the app with its cause, and works again afterwards', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  await issuer.suspend()
  for (const [path, error, cause] of [
    ['/sign-in?launch_id=lnch_1', 'service_unreachable', /could not reach the service/],
    ['/signed-in?launch_id=lnch_1', 'provider_session_missing', /no session/],
    ['/failed?error=state_not_found', 'state_not_found', /^$/],
  ] as const) {
    const { headers } = await send(`${PROVIDER_URL}${path}`)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    const { host, pathname, searchParams } = new URL(headers.get('location') ?? '')
    assert.deepEqual([`provider.${host}`, pathname], [new URL(PROVIDER_URL).host, '/callback'])
    assert.equal(searchParams.get('error'), error)
    assert.match(searchParams.get('description') ?? '', cause)
  }
  await issuer.resume()
  assert.ok((await signIn(send, issuer.mintLaunch().launchId)).get('ticket'))
})

test('redirects a callback without a known state to its own error address', async (t, startFixture) => {
  const { send } = await startFixture(t)
  const { headers } = await send(`${PROVIDER_URL}/api/auth/callback/chartside?code=code_1`)
  const location = headers.get('location') ?? ''
  assert.ok(location.startsWith(`${PROVIDER_URL}/failed?error=state_not_found`), location)
})
