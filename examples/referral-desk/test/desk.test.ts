// The desk's server against a provider that is a function here: whose launch it takes, what it hands to
// its page, and what it keeps to itself. Spec §5.3 rules 3 and 4, §5.6.
import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createDesk } from '../src/desk/desk.ts'

const ORIGIN = 'http://referral-desk.localhost:4705'
const MANAGEMENT_TOKEN = 'management-secret'

/** The provider and, under /app-auth, the service; `ticket-1` belongs to usr_p, who launched lnch_1. */
const others = new Hono()
others.post('/api/auth/one-time-token/verify', async ({ req, json }) => {
  const { token } = await req.json<{ token: string }>()
  return token === 'ticket-1' ? json({ user: { id: 'usr_p' } }) : json({}, 400)
})
others.get('/api/v2/users/usr_p', ({ req, json }) => {
  if (req.header('authorization') !== `Bearer ${MANAGEMENT_TOKEN}`) return json({}, 401)
  const identity = { connection: 'chartside', access_token: 'at_1', id_token: 'e.y.J' }
  return json({ user_id: 'usr_p', identities: [identity] })
})
others.get('/app-auth/userinfo', ({ req, json }) => {
  if (req.header('authorization') !== 'Bearer at_1') return json({}, 401)
  const account = { id: 'acc_1', name: 'Lakeside Family Practice' }
  return json({ sub: 'usr_1', name: 'Dr. Amara Okafor', account, launch_id: 'lnch_1' })
})

let server: Server
let desk: Hono
const lines: string[] = []
before(async () => {
  await new Promise<void>((resolve) => {
    server = serve({ fetch: others.fetch, port: 0, hostname: '127.0.0.1' }, () =>
      resolve(),
    ) as Server
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  desk = createDesk({
    baseUrl: url,
    publicUrl: ORIGIN,
    providerUrl: url,
    providerApi: url,
    managementToken: MANAGEMENT_TOKEN,
    frameAncestors: [],
    log: (line) => lines.push(line),
  })
})
after(() => server.close())

const start = (body: object): Promise<Response> =>
  Promise.resolve(
    desk.request(`${ORIGIN}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

async function read(path: string, bearer: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${bearer}` }
  const response = await desk.request(`${ORIGIN}${path}`, { headers })
  return (await response.json()) as Record<string, unknown>
}

test('hands the page the access token, and the ID token only when it asks for both', async () => {
  const started = await start({ ticket: 'ticket-1', launch_id: 'lnch_1' })
  assert.equal(started.status, 200)
  const { session } = (await started.json()) as { session: { token: string } }
  const me = await read('/api/me', session.token)
  assert.deepEqual([me.name, me.practice], ['Dr. Amara Okafor', 'Lakeside Family Practice'])
  const path = '/api/platform-tokens'
  assert.deepEqual(await read(path, session.token), { accessToken: 'at_1' })
  const both = { accessToken: 'at_1', idToken: 'e.y.J' }
  assert.deepEqual(await read(`${path}?with=id_token`, session.token), both)
})

test('starts no session for a ticket that somebody else’s launch brought [L03]', async () => {
  for (const launch of ['lnch_of_the_victim', '', null, undefined]) {
    const response = await start({ ticket: 'ticket-1', launch_id: launch })
    assert.equal(response.status, 409)
    assert.equal(response.headers.get('set-cookie'), null)
  }
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
