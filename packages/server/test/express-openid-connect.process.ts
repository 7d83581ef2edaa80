// A published library as the server of an app: it signs a user in through a launch, keeps a session of its own, and ends
// it by the logout token that the service sends. Over real sockets. OpenID Connect Back-Channel Logout 1.0.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, test } from 'node:test'
import express from 'express'
import { auth } from 'express-openid-connect'
import { logoutDelivery } from '../src/logout/logout-delivery.ts'
import { freePort } from './free-port.ts'
import { as, beginPeople, PASSWORD, person } from './people.ts'
import { type RegisteredApp, type Story, signIn, startStory } from './story.ts'
import { testClock } from './test-service.ts'

let story: Story
let app: RegisteredApp
let appServer: Server
let origin: string
let base: string
before(async () => {
  const [port, appPort] = [await freePort(), await freePort()]
  base = `http://localhost:${port}`
  origin = `http://localhost:${appPort}`
  // The library checks times against the real clock.
  story = await startStory({ CHARTSIDE_BASE_URL: base }, { clock: testClock(Date.now()) })
  beginPeople(story)
  app = await story.registerApp('express app', {
    launchUrl: `${origin}/launch`,
    redirectUris: [`${origin}/callback`],
    backchannelLogoutUri: `${origin}/backchannel-logout`,
  })
  await story.service.server.listen({ port, host: '127.0.0.1' })
  appServer = createServer(buildApp()).listen(appPort, '127.0.0.1')
})
after(async () => {
  appServer.closeAllConnections()
  appServer.close()
  await story.close()
})

interface Me {
  readonly isSignedIn: boolean
  readonly sub: unknown
  readonly sid: unknown
}

/** As its documentation says: a launch carries its own parameter, and logout needs a store. */
function buildApp() {
  const store = new Map<string, unknown>()
  const logouts = {
    get: (id: string, done: (error: unknown, found?: never) => void) =>
      done(null, store.get(id) as never),
    set: (id: string, found: unknown, done?: (error?: unknown) => void) => {
      store.set(id, found)
      done?.()
    },
    destroy: (id: string, done?: (error?: unknown) => void) => {
      store.delete(id)
      done?.()
    },
  }
  const server = express()
  server.use(
    auth({
      issuerBaseURL: `${base}/app-auth`,
      baseURL: origin,
      clientID: app.clientId,
      clientSecret: app.secret,
      secret: 'a secret of the test for the cookie of the app',
      authRequired: false,
      routes: { login: false },
      authorizationParams: { response_type: 'code', scope: 'openid launch profile email' },
      backchannelLogout: { store: logouts },
    }),
  )
  server.get('/launch', (request, response) =>
    response.oidc.login({
      returnTo: '/me',
      authorizationParams: { launch: String(request.query.launch_id) },
    }),
  )
  server.get('/me', (request, response) => {
    const { sub, sid } = request.oidc.idTokenClaims ?? { sub: undefined, sid: undefined }
    response.json({ isSignedIn: request.oidc.isAuthenticated(), sub, sid } satisfies Me)
  })
  return server
}

/** A browser with cookies for each origin, which follows redirects. */
function browser() {
  const jars = new Map<string, Map<string, string>>()
  return async function open(url: string): Promise<Response> {
    const at = new URL(url)
    const jar = jars.get(at.origin) ?? new Map<string, string>()
    jars.set(at.origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split(/=(.*)/s) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const next = answer.headers.get('location')
    return next === null ? answer : open(new URL(next, at).href)
  }
}

async function launch(token: string) {
  const api = as(token)
  const session = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'device-1' }
  const { id } = (await api('POST', '/api/sessions', session)).json()
  const asked = { appId: app.id, kind: 'ui' }
  const launched = (await api('POST', `/api/sessions/${id}/launches`, asked)).json()
  const open = browser()
  const shown = await open(`${origin}/launch?launch_id=${launched.launchId}`)
  return { id: String(id), open, shown: (await shown.json()) as Me }
}

async function deliver(): Promise<void> {
  const delivery = logoutDelivery(story.service.service)
  while (await delivery.begin(new AbortController().signal)) await delivery.settled()
  await delivery.settled()
}

test('express-openid-connect signs in by a launch, and out by a logout token', async () => {
  const who = await person()
  const first = await launch(who.token)
  const me = (await who.api('GET', '/api/users/me')).json()
  assert.deepEqual(first.shown, { isSignedIn: true, sub: me.id, sid: first.id })
  const stranger = await launch((await person()).token)
  await deliver()
  const state = async ({ open }: typeof first) =>
    ((await (await open(`${origin}/me`)).json()) as Me).isSignedIn
  assert.equal(await state(first), true, 'while the session lives')
  assert.equal((await who.api('POST', '/auth/sign-out', {})).statusCode, 204)
  await deliver()
  assert.equal(await state(first), false, 'after the sign-out')
  assert.equal(await state(stranger), true, 'the session of another user')
  const notices = (await story.api('GET', `/api/apps/${app.id}/logout-notices`)).json().items
  assert.deepEqual(
    notices.map(({ outcome, count }: { outcome: string; count: number }) => [outcome, count]),
    [['delivered', 1]],
  )
  const again = await signIn(story.service, { email: who.email, password: PASSWORD })
  assert.equal((await launch(again)).shown.isSignedIn, true, 'a new launch signs in again')
})

test('express-openid-connect refuses a logout token that the service has not signed', async () => {
  const { open, shown } = await launch((await person()).token)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const claims = {
    iss: `${base}/app-auth`,
    aud: app.clientId,
    sub: shown.sub,
    sid: shown.sid,
    events,
  }
  const forged = `${part({ alg: 'none', typ: 'logout+jwt' })}.${part(claims)}.`
  const body = new URLSearchParams({ logout_token: forged })
  const refused = await fetch(`${origin}/backchannel-logout`, { method: 'POST', body })
  assert.equal(refused.status, 400)
  assert.equal(((await (await open(`${origin}/me`)).json()) as Me).isSignedIn, true)
})
