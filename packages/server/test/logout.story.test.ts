// Logout notices: every app with an address that exchanged a code in an EHR session gets a logout token after the
// session ended, whatever ended it and whichever node dies, or the trail says that it did not. The server of
// the app is a real one on this machine. OpenID Connect Back-Channel Logout 1.0; contract §12.
import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { sql } from '../src/db/sql.ts'
import { logoutDelivery } from '../src/logout/logout-delivery.ts'
import { RETRY_MS } from '../src/outbox/outbox.ts'
import { runBeforeWrite } from './before-write.ts'
import { beginPeople, otherAccount, person } from './people.ts'
import { authorize, exchange, type RegisteredApp, type Story, startStory } from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

type Person = Awaited<ReturnType<typeof person>>

let story: Story
let receiver: Server
let origin: string
let received: { readonly path: string; readonly type: string; readonly token: string }[] = []
let answer: (response: ServerResponse) => void
let app: RegisteredApp
let count = 0

before(async () => {
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const type = request.headers['content-type'] ?? ''
    received.push({ path: request.url ?? '', type, token: form.get('logout_token') ?? '' })
    answer(response)
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  origin = `http://localhost:${(receiver.address() as AddressInfo).port}`
  story = await startStory()
  beginPeople(story)
  app = await registerReceiver()
})
after(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await story.close()
})
beforeEach(() => {
  received = []
  answer = (response) => response.writeHead(204).end()
})

const registerReceiver = (fields: object = {}) => {
  count += 1
  return story.registerApp(`receiver-${count}`, {
    launchUrl: `${origin}/launch`,
    backchannelLogoutUri: `${origin}/logout-${count}`,
    ...fields,
  })
}

/** Attempts for what is due now, of one node. */
async function deliver({ service }: Pick<TestService, 'service'> = story.service): Promise<void> {
  const delivery = logoutDelivery(service)
  while (await delivery.begin(new AbortController().signal)) await delivery.settled()
  await delivery.settled()
}

const openFor = async (who: Person, deviceId = 'device-1'): Promise<string> => {
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId }
  return (await who.api('POST', '/api/sessions', body)).json().id
}

/** The app's server exchanged a code in the session. */
async function exchangeIn(who: Person, sessionId: string, of = app) {
  const body = { appId: of.id, kind: 'ui' }
  const launched = (await who.api('POST', `/api/sessions/${sessionId}/launches`, body)).json()
  const code = (await authorize(story, launched.launchId, {}, of)).searchParams.get('code') ?? ''
  const answered = await exchange(story, code, {}, of)
  assert.equal(answered.statusCode, 200, answered.body)
  return { launchId: launched.id as string, idToken: answered.json().id_token as string }
}

async function signedIn(of = app) {
  const who = await person()
  const sessionId = await openFor(who)
  return { who, sessionId, ...(await exchangeIn(who, sessionId, of)) }
}

const signOut = (who: Person) =>
  story.request({
    method: 'POST',
    url: '/auth/sign-out',
    headers: { authorization: `Bearer ${who.token}` },
  })
const debts = async (of = app) =>
  story.service.service.db.read(sql`SELECT attempts FROM logout_debts WHERE app_id = ${of.id}`)
const outcomes = async (of: RegisteredApp) =>
  (await story.api('GET', `/api/apps/${of.id}/logout-notices`)).json().items as {
    outcome: string
    count: number
    status?: number
    answer: string
  }[]
const trail = async (of: RegisteredApp) => {
  const url = `/api/audit-events?accountId=${story.accountId}&limit=200`
  const { items } = (await story.api('GET', url)).json()
  return items.filter(
    ({ target, action }: Record<string, string>) => action === 'notifyLogout' && target === of.id,
  )
}

test('a sign-out sends a logout token of the session, signed by the published key', async () => {
  const { who, sessionId, launchId, idToken } = await signedIn()
  await deliver()
  assert.equal(received.length, 0, 'before the end')
  await signOut(who)
  await deliver()
  const [only, ...more] = received
  assert.deepEqual([only?.type, more], ['application/x-www-form-urlencoded', []])
  const jwks = createLocalJWKSet(
    (await story.request({ url: '/app-auth/.well-known/jwks.json' })).json(),
  )
  const { iss, aud, sub, sid } = decodeJwt(idToken)
  const now = story.service.clock()
  const { payload, protectedHeader } = await jwtVerify(only?.token ?? '', jwks, {
    ...{
      issuer: String(iss),
      audience: String(aud),
      typ: 'logout+jwt',
      currentDate: new Date(now),
    },
  })
  assert.equal(protectedHeader.alg, 'RS256')
  assert.deepEqual(Object.keys(payload).sort(), [
    ...['aud', 'events', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub', 'txn'],
  ])
  assert.deepEqual([payload.sub, payload.sid, payload.sid], [sub, sid, sessionId])
  assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} })
  assert.equal(Number(payload.exp) - Number(payload.iat), 120)
  assert.match(String(payload.txn), /^evt_/)
  await deliver()
  assert.equal(received.length, 1, 'once')
  const { steps } = (await story.api('GET', `/api/launches/${launchId}`)).json()
  assert.match(steps.at(-1).cause, /was notified that the session ended/)
  const [event] = await trail(app)
  assert.deepEqual([event.outcome, event.detail.session], ['ok', sessionId])
  assert.doesNotMatch(JSON.stringify(event), /eyJ/)
})

test('a membership that its directory ended is a logout', async () => {
  const { who, sessionId } = await signedIn()
  const tokens = `/api/accounts/${story.accountId}/scim-tokens`
  const { id, token } = (await story.api('POST', tokens, {})).json()
  const ask = (method: 'GET' | 'DELETE', path: string) =>
    story.service.server.inject({
      ...{ method, url: `/scim/v2/${story.accountId}/Users${path}` },
      headers: { authorization: `Bearer ${token}` },
    })
  const filter = encodeURIComponent(`userName eq "${who.email}"`)
  const [member] = (await ask('GET', `?filter=${filter}`)).json().Resources
  assert.equal((await ask('DELETE', `/${member.id}`)).statusCode, 204)
  await deliver()
  assert.deepEqual(
    received.map((one) => decodeJwt(one.token).sid),
    [sessionId],
  )
  await story.api('DELETE', `${tokens}/${id}`)
})

test('two launches of a session are one notice; an app without an address has none', async () => {
  const { who, sessionId } = await signedIn()
  await exchangeIn(who, sessionId)
  await exchangeIn(who, sessionId, story.app)
  await signOut(who)
  await deliver()
  assert.equal(received.length, 1)
  assert.equal((await debts(story.app)).length, 0)
})

test('a code that was not exchanged leaves no debt; a refused exchange neither', async () => {
  const own = await registerReceiver()
  const who = await person()
  const sessionId = await openFor(who)
  const body = { appId: own.id, kind: 'ui' }
  const { launchId } = (await who.api('POST', `/api/sessions/${sessionId}/launches`, body)).json()
  const code = (await authorize(story, launchId, {}, own)).searchParams.get('code') ?? ''
  await exchange(story, code, { client_secret: `${own.secret.slice(0, -1)}!` }, own)
  await exchange(story, code, {}, own)
  assert.equal((await debts(own)).length, 0)
})

test('a closed panel is no logout; the sign-out in the evening is one for it', async () => {
  const { who, sessionId } = await signedIn()
  await who.api('DELETE', `/api/sessions/${sessionId}`)
  await deliver()
  assert.equal(received.length, 0)
  await signOut(who)
  await deliver()
  assert.equal(decodeJwt(received[0]?.token ?? '').sid, sessionId)
})

test('an idle end is noticed at its moment; activity moves it', async () => {
  const idle = story.service.service.config.sessionIdleSeconds
  const { who, sessionId } = await signedIn()
  story.service.clock.advance(idle - 60)
  await who.api('POST', `/api/sessions/${sessionId}/activity`)
  story.service.clock.advance(60)
  await deliver()
  assert.equal(received.length, 0, 'there was activity')
  story.service.clock.advance(idle - 61)
  await deliver()
  assert.equal(received.length, 0, 'a second before')
  story.service.clock.advance(1)
  await deliver()
  assert.equal(decodeJwt(received[0]?.token ?? '').sid, sessionId)
})

const ENDS: Readonly<Record<string, (given: { who: Person; app: RegisteredApp }) => unknown>> = {
  'a removed member': ({ who }) =>
    story.api('DELETE', `/api/accounts/${story.accountId}/members/${who.id}`),
  'a disabled person': ({ who }) => story.api('PATCH', `/api/users/${who.id}`, { disabled: true }),
  'a disabled app': (given) => story.api('PATCH', `/api/apps/${given.app.id}`, { enabled: false }),
}
for (const [what, end] of Object.entries(ENDS)) {
  test(`${what} is a logout`, async () => {
    const own = await registerReceiver()
    const { who, sessionId } = await signedIn(own)
    await end({ who, app: own })
    story.service.clock.advance(1)
    await deliver()
    assert.deepEqual(
      received.map(({ token }) => decodeJwt(token).sid),
      [sessionId],
    )
  })
}

test('tries again after 5 s, 30 s and so on, with the same txn, then gives up [V41]', async () => {
  answer = (response) => response.writeHead(503).end('later')
  const own = await registerReceiver()
  const { who } = await signedIn(own)
  await signOut(who)
  await deliver()
  for (const [index, delayMs] of RETRY_MS.entries()) {
    story.service.clock.advance((delayMs * 0.79) / 1000)
    await deliver()
    assert.equal(received.length, index + 1, `not before ${delayMs} ms less a fifth`)
    story.service.clock.advance((delayMs * 0.42) / 1000)
    await deliver()
    assert.equal(received.length, index + 2, `after ${delayMs} ms and a fifth`)
  }
  const claims = received.map(({ token }) => decodeJwt(token))
  assert.equal(new Set(claims.map(({ txn }) => txn)).size, 1)
  assert.equal(new Set(claims.map(({ jti }) => jti)).size, received.length)
  assert.equal((await debts(own)).length, 0)
  const { detail, outcome } = (await trail(own))[0]
  assert.deepEqual([outcome, detail.outcome, detail.attempts], ['refused', 'given_up', '8'])
})

test('400 is final and shown to the developer; 410 removes the address', async () => {
  answer = (response) => response.writeHead(400).end(`\u0007no such issuer ${'x'.repeat(400)}`)
  const own = await registerReceiver()
  const first = await signedIn(own)
  await signOut(first.who)
  await deliver()
  const [refused] = await outcomes(own)
  assert.deepEqual(
    [refused?.outcome, refused?.status, refused?.answer.length],
    ['refused', 400, 300],
  )
  assert.match(refused?.answer ?? '', /^no such issuer/)
  assert.equal((await debts(own)).length, 0)
  answer = (response) => response.writeHead(410).end()
  story.service.clock.advance(1)
  const second = await signedIn(own)
  await signOut(second.who)
  await deliver()
  assert.equal((await outcomes(own))[0]?.outcome, 'switched_off')
  const shown = (await story.api('GET', `/api/apps/${own.id}`)).json()
  assert.equal(shown.backchannelLogoutUri, undefined)
})

test('410 does not remove an address that was changed while it was asked', async () => {
  const own = await registerReceiver()
  const { who } = await signedIn(own)
  await signOut(who)
  const changed = `${origin}/logout-changed`
  answer = async (response) => {
    await story.api('PATCH', `/api/apps/${own.id}`, { backchannelLogoutUri: changed })
    response.writeHead(410).end()
  }
  await deliver()
  const shown = (await story.api('GET', `/api/apps/${own.id}`)).json()
  assert.equal(shown.backchannelLogoutUri, changed)
})

test('a sign-out stays due that comes while a debt is put back for activity [V41]', async () => {
  const { who } = await signedIn()
  const { db, config } = story.service.service
  const before = config.sessionIdleSeconds
  story.service.clock.advance(before - 60)
  assert.equal((await who.api('GET', '/api/users/me')).statusCode, 200, 'activity')
  story.service.clock.advance(90)
  const hasRun = runBeforeWrite(db, /^UPDATE logout_debts SET due_at = \? WHERE|due_at = \$/, () =>
    signOut(who),
  )
  await deliver()
  assert.ok(hasRun())
  await deliver()
  assert.equal(received.length, 1)
})

test('a redirect and a slow answer are tried again; the sign-out waits for neither', async () => {
  answer = (response) => response.writeHead(302, { location: `${origin}/logout-elsewhere` }).end()
  const { who } = await signedIn()
  await signOut(who)
  await deliver()
  assert.deepEqual([received.length, (await debts()).length], [1, 1])
  answer = () => {}
  story.service.clock.advance(6)
  const began = performance.now()
  await deliver()
  assert.ok(performance.now() - began < 7_000, 'cut after five seconds')
  assert.equal((await outcomes(app))[0]?.answer, 'timed_out')
  answer = (response) => response.writeHead(200).end()
  story.service.clock.advance(36)
  await deliver()
  assert.equal((await debts()).length, 0)
})

test('a notice of a node that died is sent by another, and one of two nodes sends', async () => {
  const second = await startTestService({}, { beside: story.service })
  try {
    const { who } = await signedIn()
    await signOut(who)
    // Cut off between sending and recording.
    const dying = new AbortController()
    answer = (response) => {
      dying.abort()
      response.writeHead(204).end()
    }
    const delivery = logoutDelivery(story.service.service)
    await delivery.begin(dying.signal)
    await delivery.settled()
    assert.deepEqual([received.length, (await debts()).length], [1, 1])
    answer = (response) => response.writeHead(204).end()
    await deliver(second)
    assert.equal(received.length, 1, 'held')
    story.service.clock.advance(31)
    await Promise.all([deliver(second), deliver()])
    assert.equal(received.length, 2)
    const [one, other] = received.map(({ token }) => decodeJwt(token))
    assert.equal(one?.txn, other?.txn)
    assert.equal((await debts()).length, 0)
  } finally {
    await second.close()
  }
})

test('a slow server keeps no other app waiting', async () => {
  const slow = await registerReceiver({ backchannelLogoutUri: `${origin}/slow` })
  const who = await person()
  for (let i = 0; i < 12; i++) await exchangeIn(who, await openFor(who, `device-${i}`), slow)
  const held: ServerResponse[] = []
  answer = (response) => void held.push(response)
  await signOut(who)
  const signal = new AbortController().signal
  const delivery = logoutDelivery(story.service.service)
  await delivery.begin(signal)
  while (held.length < 8) await new Promise((resolve) => setTimeout(resolve, 5))
  // The others are put back for a second, once they have waited for one of the eight.
  const later = story.service.clock() + 1000
  const ofSlow = sql`SELECT due_at FROM logout_debts WHERE app_id = ${slow.id} AND due_at = ${later}`
  const isPutBack = async () => (await story.service.service.db.read(ofSlow)).length === 4
  for (let looks = 0; !(await isPutBack()) && looks < 300; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.equal(held.length, 8, 'for one host')
  for (const response of held) response.writeHead(204).end()
  await delivery.settled()
  answer = (response) => response.writeHead(204).end()
  story.service.clock.advance(2)
  await deliver()
  assert.equal(received.length, 12)
  assert.equal((await debts(slow)).length, 0)
})

test('the address must be of an origin of the app; a changed one is only for new ends', async () => {
  const foreign = { backchannelLogoutUri: 'https://other.example/logout' }
  const refused = await story.api('PATCH', `/api/apps/${app.id}`, foreign)
  assert.equal(refused.statusCode, 400)
  assert.match(refused.body, /backchannelLogoutUri.*Its origin must be/)
  const broken = await story.api('PATCH', `/api/apps/${app.id}`, { allowedIframeUrls: ['no URL'] })
  assert.deepEqual(
    [broken.statusCode, broken.json().errors[0].field],
    [400, '/allowedIframeUrls/0'],
    'beside an address of its own',
  )
  const plain = { backchannelLogoutUri: 'http://receiver-1.example/logout' }
  assert.equal((await story.api('PATCH', `/api/apps/${app.id}`, plain)).statusCode, 400)
  const own = await registerReceiver()
  const { who } = await signedIn(own)
  await story.api('PATCH', `/api/apps/${own.id}`, { backchannelLogoutUri: null })
  await signOut(who)
  await deliver()
  assert.equal(received.length, 0)
  assert.equal((await trail(own))[0].detail.outcome, 'no_address')
})

test('a developer sends a test of no session; a stranger gets 404', async () => {
  const developer = await person(story.accountId, 'developer')
  const sent = await developer.api('POST', `/api/apps/${app.id}/logout-notices/test`)
  assert.deepEqual([sent.statusCode, sent.json().outcome], [200, 'delivered'])
  const { sid, nonce } = decodeJwt(received[0]?.token ?? '')
  assert.match(String(sid), /^ses_/)
  assert.equal(nonce, undefined)
  assert.equal(decodeProtectedHeader(received[0]?.token ?? '').typ, 'logout+jwt')
  const without = await developer.api('POST', `/api/apps/${story.app.id}/logout-notices/test`)
  assert.equal(without.statusCode, 400)
  const stranger = await person(await otherAccount(), 'developer')
  const url = `/api/apps/${app.id}/logout-notices`
  assert.equal((await stranger.api('POST', `${url}/test`)).statusCode, 404)
  assert.equal((await stranger.api('GET', url)).statusCode, 404)
})

test('a deleted app is a logout: its server may hold sessions still', async () => {
  const own = await registerReceiver()
  const { sessionId } = await signedIn(own)
  assert.equal((await story.api('DELETE', `/api/apps/${own.id}`)).statusCode, 204)
  story.service.clock.advance(1)
  await deliver()
  assert.deepEqual(
    received.map(({ token }) => decodeJwt(token).sid),
    [sessionId],
  )
})
