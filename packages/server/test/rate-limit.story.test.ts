// Limits on what goes wrong, on two nodes with one database: exact under parallel requests, and of no
// use for locking other callers out. Client secrets, authorize and polling; passwords have a file
// of their own. Security T16, K03, C08.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { DatabaseUnavailable } from '../src/db/database.ts'
import { sql } from '../src/db/sql.ts'
import { LIMITS } from '../src/http/admission/rate-limit-rules.ts'
import { deleteEnded } from '../src/http/admission/rate-limit-store.ts'
import { checkAnswer } from './answer-check.ts'
import {
  authorize,
  authorizeParameters,
  exchange,
  freshCode,
  type Served,
  type Story,
  startStory,
  untilServed,
} from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

let story: Story
let second: TestService
before(async () => {
  story = await startStory()
  second = await startTestService({}, { beside: story.service })
})
/** Every test begins with nothing counted and all windows over. */
beforeEach(async () => {
  story.service.clock.advance(61)
  await story.service.service.db.write(sql`DELETE FROM rate_limits`)
})
after(async () => {
  await second.close()
  await story.close()
})

const HERE = '10.0.0.1'

async function introspect(
  node: TestService,
  remoteAddress: string,
  client: { client_id?: string; client_secret?: string } = {},
) {
  const url = '/app-auth/introspect'
  const payload = { token: 'x', client_id: story.app.clientId, client_secret: 'wrong', ...client }
  const answer = await node.server.inject({ method: 'POST', url, payload, remoteAddress })
  checkAnswer('POST', url, answer)
  return answer
}

/** So many at once, every other one at the second node. */
const atOnce = <A extends Served>(
  count: number,
  call: (node: TestService, index: number) => Promise<A>,
) =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      untilServed(() => call(i % 2 ? second : story.service, i)),
    ),
  )

function tally(answers: readonly { statusCode: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

const { most } = LIMITS.clientSecret

test('checks the allowed number of 200 parallel wrong secrets on two nodes [T16]', async () => {
  const answers = await atOnce(200, (node) => introspect(node, HERE))
  assert.deepEqual(tally(answers), { 401: most, 429: 200 - most })
  for (const { statusCode, headers, body } of answers) {
    if (statusCode !== 429) continue
    const seconds = Number(headers['retry-after'])
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60)
    assert.equal(JSON.parse(body).error, 'slow_down')
  }
  // What is refused now needs no statement any more.
  const { db } = story.service.service
  const counted = () => db.read(sql`SELECT count FROM rate_limits WHERE key LIKE 'clientSecret:%'`)
  const before = await counted()
  assert.equal((await introspect(story.service, HERE)).statusCode, 429)
  assert.deepEqual(await counted(), before)
  story.service.clock.advance(61)
  assert.equal((await introspect(second, HERE)).statusCode, 401)
})

test('counts an unregistered client like a registered one [K03]', async () => {
  const stranger = { client_id: `cli_${'0'.repeat(32)}` }
  const answers = await atOnce(60, (node) => introspect(node, HERE, stranger))
  assert.deepEqual(tally(answers), { 401: most, 429: 60 - most })
})

test('accepts the right secret at any time, from anywhere, despite failures [T16]', async () => {
  await atOnce(100, (node) => introspect(node, HERE))
  const right = { client_secret: story.app.secret }
  for (const node of [story.service, second]) {
    assert.equal((await introspect(node, HERE)).statusCode, 429)
    assert.equal((await introspect(node, HERE, right)).statusCode, 200)
    assert.equal((await introspect(node, '10.0.0.2', right)).statusCode, 200)
  }
  // A wrong secret from another network is refused as wrong.
  assert.equal((await introspect(second, '10.0.0.2')).statusCode, 401)
})

test('counts an IPv6 network as one caller, the next network as another [T16]', async () => {
  const answers = await atOnce(60, (node, i) => introspect(node, `fd00:1:2:3::${i + 1}`))
  assert.deepEqual(tally(answers), { 401: most, 429: 60 - most })
  assert.equal((await introspect(second, 'fd00:1:2:4::1')).statusCode, 401)
})

test('limits a network that tries one client after the other [T16]', async () => {
  const { most: all } = LIMITS.clientSecretsOfNetwork
  const answers = await atOnce(all + 50, (node, i) =>
    introspect(node, HERE, { client_id: `cli_${String(i).padStart(32, '0')}` }),
  )
  assert.deepEqual(tally(answers), { 401: all, 429: 50 })
})

test('an exchange refused by the rate limit leaves the code valid [C08]', async () => {
  await atOnce(100, (node) => introspect(node, '127.0.0.1'))
  const code = await freshCode(story)
  assert.equal((await exchange(story, code, { client_secret: 'wrong' })).statusCode, 429)
  assert.equal((await exchange(story, code)).statusCode, 200)
})

test('answers 503 while failures cannot be counted, and accepts the right secret', async () => {
  const { db } = story.service.service as { db: { write: unknown } }
  const { write } = db
  db.write = () => Promise.reject(new DatabaseUnavailable(new Error('gone')))
  assert.equal((await introspect(story.service, HERE)).statusCode, 503)
  const right = { client_secret: story.app.secret }
  assert.equal((await introspect(story.service, HERE, right)).statusCode, 200)
  db.write = write
  assert.equal((await introspect(story.service, HERE)).statusCode, 401)
})

test('limits failing authorize requests of one address, and serves a live launch', async () => {
  const parameters = authorizeParameters(story.app, 'lnch_none', { client_id: 'cli_none' })
  const url = `/app-auth/authorize?${parameters}`
  const ask = (node: TestService, headers = {}) =>
    node.server.inject({ url, remoteAddress: '127.0.0.1', headers })
  const { most: all } = LIMITS.authorize
  const answers = await atOnce(all + 20, (node) => ask(node))
  assert.deepEqual(tally(answers), { 400: all, 429: 20 })
  const page = await ask(story.service, { accept: 'text/html' })
  assert.equal(page.statusCode, 429)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(page.body, /Wait \d+ seconds/)
  assert.ok(Number(page.headers['retry-after']) > 0)
  const { launchId } = await story.launch()
  assert.ok((await authorize(story, launchId)).searchParams.get('code'))
  // A launch that is none is refused without a redirect now, and leaves nothing behind.
  const dead = authorizeParameters(story.app, 'lnch_none')
  const refused = await story.request({ url: `/app-auth/authorize?${dead}` })
  assert.equal(refused.statusCode, 429)
})

test('limits polling for an unknown sign-in after one minute of requests', async () => {
  const url = `/auth/token/${randomBytes(32).toString('base64url')}`
  const authorization = `Bearer ${randomBytes(32).toString('base64url')}`
  const { most: all } = LIMITS.poll
  const answers = await atOnce(all + 20, (node) =>
    node.server.inject({ url, headers: { authorization } }),
  )
  assert.deepEqual(tally(answers), { 404: all, 429: 20 })
  assert.equal(answers.find(({ statusCode }) => statusCode === 429)?.json().code, 'rate_limited')
})

const keys = async () =>
  (await story.service.service.db.read(sql`SELECT key FROM rate_limits ORDER BY key`)).map(
    ({ key }) => String(key),
  )

test('counts nothing without failures, and stores no address or name', async () => {
  assert.equal((await exchange(story, await freshCode(story))).statusCode, 200)
  assert.deepEqual(await keys(), [])
  await introspect(story.service, HERE)
  for (const key of await keys()) assert.match(key, /^[a-zA-Z]+:[\w-]{43}$/)
})

test('deletes counters in batches after their window has ended, not earlier', async () => {
  const { db, clock } = story.service.service
  await atOnce(12, (node, i) => introspect(node, `10.0.1.${i}`))
  assert.equal((await keys()).length, 24)
  assert.equal(await deleteEnded(db, clock(), 100), 0)
  story.service.clock.advance(61)
  assert.equal(await deleteEnded(db, clock(), 10), 10)
  assert.equal(await deleteEnded(db, clock(), 100), 14)
  assert.equal((await keys()).length, 0)
})

test('ignores a window that a clock far ahead began [F04]', async () => {
  await atOnce(30, (node) => introspect(node, HERE))
  story.service.clock.advance(-3600)
  assert.equal((await introspect(second, HERE)).statusCode, 401)
  assert.equal((await introspect(story.service, HERE)).statusCode, 401)
})

test('begins a new window when the first one is over, however late the last failure', async () => {
  for (let i = 1; i < most; i++) await introspect(story.service, HERE)
  story.service.clock.advance(50)
  assert.equal((await introspect(story.service, HERE)).statusCode, 401)
  story.service.clock.advance(11)
  assert.equal((await introspect(story.service, HERE)).statusCode, 401)
})

test('bounds the bodies that a network sends without a sign-in, unread [V01]', async () => {
  const url = '/auth/sign-in'
  const headers = { 'content-type': 'application/json' }
  const send = (remoteAddress: string) =>
    second.server.inject({ method: 'POST', url, headers, payload: '{', remoteAddress })
  for (let i = 0; i < 1200; i++) assert.equal((await send(HERE)).statusCode, 400)
  const refused = await send(HERE)
  assert.deepEqual([refused.statusCode, refused.json().code], [429, 'rate_limited'])
  assert.equal((await send('10.0.0.2')).statusCode, 400)
})
