// The desk's server against a provider that is a function here: whose launch it takes, what it hands to
// its page, and what it keeps to itself. Spec §5.3 rules 3 and 4, §5.6.
import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createDesk } from '../src/desk/desk.ts'

const ORIGIN = 'http://referral-desk.localhost:4705'
const MANAGEMENT_TOKEN = 'management-secret'

/** The provider and, under /app-auth, the service; `ticket-1` belongs to usr_p, who launched lnch_1. */
const others = new Hono()
/** The launch of the last sign-in, or that the server is away. */
let last: '1' | '2' | 'away' = '1'
beforeEach(() => {
  last = '1'
})
others.use(async ({ text }, next) => (last === 'away' ? text('Bad gateway', 502) : next()))
others.post('/api/auth/one-time-token/verify', async ({ req, json }) => {
  const { token } = await req.json<{ token: string }>()
  return token === 'ticket-1' ? json({ user: { id: 'usr_p' } }) : json({}, 400)
})
others.get('/api/v2/users/usr_p', ({ req, json }) => {
  if (req.header('authorization') !== `Bearer ${MANAGEMENT_TOKEN}`) return json({}, 401)
  const tokens = { access_token: `at_${last}`, id_token: last === '1' ? 'e.y.J' : 'e.y.2' }
  const identity = { connection: 'chartside', ...tokens }
  return json({ user_id: 'usr_p', identities: [identity] })
})
others.get('/app-auth/userinfo', ({ req, json }) => {
  const [, launch] = /^Bearer at_([12])$/.exec(req.header('authorization') ?? '') ?? []
  if (!launch) return json({}, 401)
  const account = { id: 'acc_1', name: 'Lakeside Family Practice' }
  return json({ sub: 'usr_1', name: 'Dr. Amara Okafor', account, launch_id: `lnch_${launch}` })
})

let server: Server
let url = ''
let desk: Hono
const lines: string[] = []
before(async () => {
  await new Promise<void>((resolve) => {
    server = serve({ fetch: others.fetch, port: 0, hostname: '127.0.0.1' }, () =>
      resolve(),
    ) as Server
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  desk = openDesk(url, url)
})
after(() => server.close())

const openDesk = (baseUrl: string, providerApi: string): Hono =>
  createDesk({
    baseUrl,
    publicUrl: ORIGIN,
    providerUrl: providerApi,
    providerApi,
    managementToken: MANAGEMENT_TOKEN,
    frameAncestors: [],
    log: (line) => lines.push(line),
  })

/** `body`: JSON, or text as it is. */
const start = (body: object | string, at: Hono = desk): Promise<Response> =>
  Promise.resolve(
    at.request(`${ORIGIN}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

async function startSession(launch: string): Promise<string> {
  const started = await start({ ticket: 'ticket-1', launch_id: launch })
  assert.equal(started.status, 200)
  const { session } = (await started.json()) as { session: { token: string } }
  return session.token
}

async function read(path: string, bearer: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${bearer}` }
  const response = await desk.request(`${ORIGIN}${path}`, { headers })
  return (await response.json()) as Record<string, unknown>
}

async function refusalOf(response: Response) {
  const { error, cause, fix } = (await response.json()) as Record<string, string>
  assert.ok(cause && fix)
  assert.ok(response.headers.has('content-security-policy'))
  return { status: response.status, error, cause }
}

test('hands the page the access token, and the ID token only when it asks for both', async () => {
  const token = await startSession('lnch_1')
  const me = await read('/api/me', token)
  assert.deepEqual([me.name, me.practice], ['Dr. Amara Okafor', 'Lakeside Family Practice'])
  const path = '/api/platform-tokens'
  assert.deepEqual(await read(path, token), { accessToken: 'at_1' })
  const both = { accessToken: 'at_1', idToken: 'e.y.J' }
  assert.deepEqual(await read(`${path}?with=id_token`, token), both)
})

test('starts no session for a ticket that somebody else’s launch brought [L03]', async () => {
  for (const launch of ['lnch_of_the_victim', '', null, undefined]) {
    const response = await start({ ticket: 'ticket-1', launch_id: launch })
    assert.equal(response.status, 409)
    assert.equal(response.headers.get('set-cookie'), null)
  }
})

test('gives the session of one launch no tokens of another that has signed in since [X09]', async () => {
  const first = await startSession('lnch_1')
  last = '2'
  const second = await startSession('lnch_2')
  for (const path of ['/api/platform-tokens', '/api/platform-tokens?with=id_token']) {
    const answer = await read(path, first)
    assert.equal(answer.error, 'launch_mismatch')
    assert.doesNotMatch(JSON.stringify(answer), /at_|e\.y/)
  }
  const headers = { authorization: `Bearer ${first}` }
  const refused = await desk.request(`${ORIGIN}/api/platform-tokens`, { headers })
  assert.equal(refused.status, 409)
  assert.deepEqual(await read('/api/platform-tokens', second), { accessToken: 'at_2' })
})

test('says what is wrong with a body that holds no text for a ticket, and never 500', async () => {
  const odd = ['null', '[]', '7', '"text"', '{', '', '{}', '{"ticket":{"toString":1}}']
  for (const body of odd) {
    const { status, error } = await refusalOf(await start(body))
    assert.deepEqual([status, error], [400, 'invalid_request'], body)
  }
})

test('names the provider when it is away, or the service, and no mistake of its own', async () => {
  const body = { ticket: 'ticket-1', launch_id: 'lnch_1' }
  const nobody = 'http://127.0.0.1:1'
  const token = await startSession('lnch_1')
  const away = await refusalOf(await start(body, openDesk(url, nobody)))
  assert.deepEqual([away.status, away.error], [503, 'provider_unreachable'])
  assert.match(away.cause ?? '', /identity provider/)
  const service = await refusalOf(await start(body, openDesk(nobody, url)))
  assert.deepEqual([service.status, service.error], [503, 'service_unreachable'])
  last = 'away'
  const failing = await refusalOf(await start(body))
  assert.deepEqual([failing.status, failing.error], [503, 'provider_unreachable'])
  const later = await read('/api/platform-tokens', token)
  assert.equal(later.error, 'management_failed')
})

test('takes no ticket that the provider does not know', async () => {
  assert.equal((await start({ ticket: 'guessed', launch_id: 'lnch_1' })).status, 401)
})

test('gives no token to a page without a session, and its management token to nobody', async () => {
  for (const path of ['/api/me', '/api/platform-tokens', '/api/platform-tokens?with=id_token']) {
    const { error } = await read(path, 'guessed')
    assert.equal(error, 'session_ended')
  }
  for (const path of ['/', '/launch', '/callback', '/referral-desk.js']) {
    const text = await (await desk.request(`${ORIGIN}${path}`)).text()
    assert.doesNotMatch(text, /management-secret/)
  }
  assert.doesNotMatch(lines.join('\n'), /management-secret|at_1|e\.y\.J/)
})
