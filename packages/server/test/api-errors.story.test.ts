// Every error code of the backend API, provoked, and its row in docs/build/errors.md. A code that is new
// does not compile until it is provoked here. Contract §4, RFC 9457.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { DatabaseUnavailable } from '../src/db/database.ts'
import { sql } from '../src/db/sql.ts'
import { API_ERRORS, type ApiErrorCode } from '../src/kernel/errors.ts'
import { MAX_LIVE_SECRETS } from '../src/kernel/record-limits.ts'
import { insertMemberStatement } from '../src/members/member-store.ts'
import { type Actor, createFixture, type Fixture } from './account-fixture.ts'
import { codeAt, readSecret } from './authenticator.ts'
import { testBrowser, testClient } from './sign-in-browser.ts'
import { type Story, signIn, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
let fixture: Fixture
before(async () => {
  story = await startStory()
  fixture = await createFixture(story.service)
})
after(() => story.close())

interface Answer {
  readonly status: number
  readonly code: string | undefined
}

async function ask(options: InjectOptions): Promise<Answer> {
  const answer = await story.request(options)
  return { status: answer.statusCode, code: answer.json().code }
}

const as = (
  actor: Actor,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
) =>
  ask({
    method,
    url,
    headers: { authorization: `Bearer ${actor.token}` },
    ...(body ? { payload: body } : {}),
  })

const admin = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
  as({ id: '', methodId: '', signInId: '', token: story.adminToken }, method, url, body)

const account = () => `/api/accounts/${story.accountId}`

/** A request of the administrator whose body is this text. */
const raw = (payload: string, contentType = 'application/json') =>
  ask({
    method: 'POST',
    url: '/api/accounts',
    headers: { authorization: `Bearer ${story.adminToken}`, 'content-type': contentType },
    payload,
  })

/** While a read of the database fails in this way. */
async function whileReading(error: Error): Promise<Answer> {
  const { db } = story.service.service
  const { read } = db
  Object.assign(db, { read: () => Promise.reject(error) })
  return admin('GET', '/api/accounts').finally(() => Object.assign(db, { read }))
}

/** To a server of its own, which gives up waiting for a request after `timeoutMs`. */
async function sendBytes(bytes: string, timeoutMs = 0): Promise<Answer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const [refuse] = story.service.server.server.listeners('clientError')
  if (refuse) server.on('clientError', refuse as () => void)
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  if (timeoutMs > 0) {
    // Node.js looks for late requests every half a minute.
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    server.on('connection', (incoming) =>
      setTimeout(() => server.emit('clientError', late, incoming), timeoutMs),
    )
  }
  socket.write(bytes)
  let text = ''
  for await (const chunk of socket) text += chunk
  server.close()
  return {
    status: Number(text.slice(9, 12)),
    code: JSON.parse(text.split('\r\n\r\n')[1] ?? '').code,
  }
}

const guess = (email = 'unknown@test.example', password = 'wrong') =>
  ask({ method: 'POST', url: '/auth/sign-in', payload: { email, password } })

/** A page has no JSON: its code stands in it. */
function codeOn(html: string): string {
  return /^code: (\w+)$/m.exec(html)?.[1] ?? html
}

async function inAnother(
  settings: Record<string, string>,
  headers: Record<string, string>,
): Promise<Answer> {
  const another = await startStory(settings)
  try {
    const answer = await another.request({ url: '/api/accounts', headers })
    return { status: answer.statusCode, code: answer.json().code }
  } finally {
    await another.close()
  }
}

const elsewhere = () =>
  inAnother(
    { CHARTSIDE_ALLOWED_REGIONS: 'US', CHARTSIDE_TRUSTED_PROXIES: '127.0.0.1' },
    { 'x-forwarded-for': '193.0.6.139' },
  )

const PROVOKED: Readonly<Record<ApiErrorCode, () => Promise<Answer>>> = {
  invalid_request: () => admin('POST', '/api/accounts', { name: '' }),
  invalid_json: () => raw('{"name":'),
  not_signed_in: () => ask({ url: '/api/accounts' }),
  wrong_credentials: () => guess(),
  sign_in_failed: async () => {
    const browser = testBrowser(story.service)
    const page = await browser.open(testClient(story.service).url)
    const { status, html } = await browser.send(page, '/auth/sign-in/passkey', { response: '{}' })
    return { status, code: codeOn(html) }
  },
  second_factor_required: async () => {
    const headers = { authorization: `Bearer ${story.adminToken}` }
    const url = '/api/users/me/second-factor'
    const made = await story.request({ method: 'POST', url, headers })
    const code = codeAt(readSecret(made.json().secret), story.service.clock())
    assert.equal((await story.api('POST', `${url}/confirm`, { code })).statusCode, 200)
    const { db } = story.service.service
    return guess(ADMIN.email, ADMIN.password).finally(() =>
      db.write(sql`DELETE FROM second_factors`),
    )
  },
  second_factor_setup_required: async () => {
    const patch = (requireSecondFactor: boolean) =>
      admin('PATCH', account(), { requireSecondFactor })
    const { db } = story.service.service
    const { id } = (await story.api('GET', '/api/users/me')).json()
    const now = story.service.clock()
    await db.write(insertMemberStatement(story.accountId, id, 'admin', now))
    await patch(true)
    try {
      return await guess(ADMIN.email, ADMIN.password)
    } finally {
      await patch(false)
      await db.write(sql`DELETE FROM members WHERE user_id = ${id}`)
    }
  },
  app_disabled_by_platform: async () => {
    const url = `/api/apps/${fixture.app.id}`
    assert.equal((await admin('PATCH', url, { enabled: false })).status, 200)
    return as(fixture.people.accountAdmin, 'PATCH', url, { enabled: true })
  },
  sign_in_again: async () => {
    story.service.clock.advance(20 * 60)
    return admin('POST', '/api/users/me/second-factor')
  },
  region_not_allowed: elsewhere,
  not_allowed: () =>
    as(fixture.people.provider, 'PATCH', `/api/accounts/${fixture.accountId}`, { name: 'Mine' }),
  not_found: () => admin('GET', '/api/accounts/acc_nope'),
  method_not_allowed: () => admin('DELETE', '/api/accounts'),
  request_timeout: () => sendBytes('POST /api/accounts HTTP/1.1\r\nhost: x\r\n', 20),
  headers_too_large: () =>
    sendBytes(`GET /api/apps HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`),
  conflict: async () => {
    const { collection } = (await story.api('GET', account())).json()
    return admin('DELETE', `/api/collections/${collection.id}`)
  },
  staging_only: () => admin('GET', `/api/apps/${fixture.app.id}/fault-runs`),
  limit_reached: async () => {
    const url = `/api/apps/${fixture.app.id}/secrets`
    const token = await signIn(story.service, ADMIN)
    const create = () => as({ id: '', methodId: '', signInId: '', token }, 'POST', url, {})
    for (let i = 0; i < MAX_LIVE_SECRETS; i++) await create()
    return create()
  },
  session_ended: async () => {
    const id = await story.openSession()
    await story.api('DELETE', `/api/sessions/${id}`)
    return admin('POST', `/api/sessions/${id}/launches`, { appId: story.app.id, kind: 'ui' })
  },
  app_not_available: async () => {
    const id = await story.openSession()
    return admin('POST', `/api/sessions/${id}/launches`, { appId: fixture.app.id, kind: 'ui' })
  },
  used_already: async () => {
    const browser = testBrowser(story.service)
    const { status, html } = await browser.open('/auth/callback?code=x&state=x')
    return { status, code: codeOn(html) }
  },
  precondition_failed: () =>
    ask({
      method: 'PATCH',
      url: account(),
      headers: { authorization: `Bearer ${story.adminToken}`, 'if-match': '"old"' },
      payload: { name: 'New' },
    }),
  body_too_large: () => raw(JSON.stringify({ name: 'x'.repeat(300_000) })),
  unsupported_media_type: () => raw('name=x', 'text/plain'),
  wrong_host: () =>
    inAnother({ CHARTSIDE_BASE_URL: 'http://localhost:4700' }, { host: 'evil.example' }),
  rate_limited: async () => {
    for (let i = 0; i < 10; i++) await guess(ADMIN.email)
    return guess(ADMIN.email)
  },
  server_error: () => whileReading(new Error('a mistake of ours')),
  temporarily_unavailable: () => whileReading(new DatabaseUnavailable(new Error('away'))),
}

const page = readFileSync(new URL('../../../docs/build/errors.md', import.meta.url), 'utf8')

for (const [code, provoke] of Object.entries(PROVOKED) as [ApiErrorCode, () => Promise<Answer>][]) {
  const { status, title } = API_ERRORS[code]
  test(`documents ${code} and answers it with ${status}`, async () => {
    assert.deepEqual(await provoke(), { status, code })
    const row = `| \`${code}\` | ${status} | ${title} |`
    assert.ok(page.includes(row), `docs/build/errors.md needs the row\n${row}`)
  })
}
