// The provider of Referral Desk beside a service that does what it is told: what a browser can get
// there, and how it is led back when something is away. Spec §5.3 rules 1 and 3.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import { createProvider } from '../src/provider/provider.ts'

const PROVIDER = 'http://provider.localhost'
const DESK = 'http://desk.localhost'
const MANAGEMENT_TOKEN = 'm'.repeat(43)

async function startStage(t: TestContext) {
  const issuer = await startFakeIssuer({
    redirectUris: [`${PROVIDER}/api/auth/callback/chartside`],
  })
  t.after(() => issuer.stop())
  const provider = createProvider({
    clientId: issuer.clientId,
    clientSecret: issuer.clientSecret,
    baseUrl: issuer.baseUrl,
    tokenUrl: issuer.tokenUrl,
    providerUrl: PROVIDER,
    deskUrl: DESK,
    managementToken: MANAGEMENT_TOKEN,
    log: () => {},
  })
  const jar = new Map<string, string>()
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
    const response = await provider.request(new URL(path, PROVIDER).href, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    return response
  }
  /** What the browser does from the desk's redirect to its return: the query it comes back with. */
  const signIn = async (launchId: string): Promise<Record<string, string>> => {
    const begun = await send(`/sign-in?launch_id=${launchId}`)
    const authorized = await fetch(locationOf(begun), { redirect: 'manual' })
    const called = await send(locationOf(authorized))
    return queryOf(await send(locationOf(called)))
  }
  return { issuer, provider, send, signIn }
}

const locationOf = (response: Response): string => response.headers.get('location') ?? ''

/** Of a redirect to the desk. */
function queryOf(response: Response): Record<string, string> {
  const { origin, pathname, searchParams } = new URL(locationOf(response))
  assert.deepEqual([origin, pathname], [DESK, '/callback'])
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  return Object.fromEntries(searchParams)
}

test('brings the browser back with a ticket and its own launch', async (t) => {
  const { issuer, provider, signIn } = await startStage(t)
  const { launchId } = issuer.mintLaunch()
  const { ticket, launch_id } = await signIn(launchId)
  assert.equal(launch_id, launchId)
  // The desk's server does, which has no cookie.
  const redeem = () =>
    provider.request(`${PROVIDER}/api/auth/one-time-token/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: ticket }),
    })
  const redeemed = await redeem()
  assert.equal(redeemed.status, 200)
  assert.doesNotMatch(await redeemed.text(), /"at_|eyJ/)
  assert.equal((await redeem()).status, 400)
})

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
  test(`serves no browser that is signed in ${method} ${path} of better-auth`, async (t) => {
    const { issuer, send, signIn } = await startStage(t)
    assert.ok((await signIn(issuer.mintLaunch().launchId)).ticket)
    const headers = { 'content-type': 'application/json', origin: PROVIDER }
    const body = JSON.stringify({ providerId: 'chartside', provider: 'chartside' })
    const init = method === 'POST' ? { method, headers, body } : { headers }
    const response = await send(`/api/auth${path}`, init)
    assert.equal(response.status, 404)
    assert.doesNotMatch(await response.text(), /"at_|eyJ/)
  })
}

test('leads the browser back with cause when the service is away, and signs in when it is back', async (t) => {
  const { issuer, send, signIn } = await startStage(t)
  await issuer.suspend()
  const { error, description } = queryOf(await send('/sign-in?launch_id=lnch_1'))
  assert.equal(error, 'service_unreachable')
  assert.match(description ?? '', /could not reach the service/)
  await issuer.resume()
  assert.ok((await signIn(issuer.mintLaunch().launchId)).ticket)
})

test('leads the browser back with cause when it kept no session or no state', async (t) => {
  const { send } = await startStage(t)
  const { error, description } = queryOf(await send('/signed-in?launch_id=lnch_1'))
  assert.equal(error, 'provider_session_missing')
  assert.match(description ?? '', /no session/)
  const called = await send('/api/auth/callback/chartside?code=code_1')
  assert.match(locationOf(called), /^http:\/\/provider\.localhost\/failed\?error=state_not_found/)
  assert.equal(queryOf(await send(locationOf(called))).error, 'state_not_found')
})
