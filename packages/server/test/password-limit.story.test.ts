// Password guesses on two nodes with one database: each guess is counted before it is verified, and
// the counters cannot lock out the owner of an account. Security T16, K04, U07.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { beginPasswordAttempt } from '../src/credentials/password-attempts.ts'
import { sql } from '../src/db/sql.ts'

import { LIMITS } from '../src/http/admission/rate-limit-rules.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

let first: TestService
let second: TestService
/** Verified passwords on both nodes. */
let verified = 0
/** Replaces argon2, whose time this file does not need. */
const hasher = {
  attempt: <T>(work: () => Promise<T>) => work(),
  hash: async () => '',
  isCorrect: async (password: string, stored: string | undefined) => {
    verified += 1
    await new Promise((done) => setTimeout(done, 1))
    return stored !== undefined && password === ADMIN.password
  },
}
before(async () => {
  first = await startTestService()
  second = await startTestService({}, { beside: first })
  for (const node of [first, second]) Object.assign(node.service, { passwords: hasher })
})
/** Every test begins with empty counters, in a new window, without a trusted network. */
beforeEach(async () => {
  first.clock.advance(2 * 3600)
  await first.service.db.write(sql`DELETE FROM rate_limits`)
  verified = 0
})
after(async () => {
  await second.close()
  await first.close()
})

const HOME = '10.1.0.1'
const ABROAD = '10.2.0.1'

function signIn(node: TestService, remoteAddress: string, changes: Partial<typeof ADMIN> = {}) {
  const payload = { ...ADMIN, ...changes }
  return node.server.inject({ method: 'POST', url: '/auth/sign-in', payload, remoteAddress })
}
const guess = (node: TestService, address: string, email = ADMIN.email) =>
  signIn(node, address, { email, password: 'a guess' })

const atOnce = (count: number, call: (node: TestService, i: number) => ReturnType<typeof signIn>) =>
  Promise.all(Array.from({ length: count }, (_, i) => call(i % 2 ? second : first, i)))

function tally(answers: readonly { statusCode: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

const { most } = LIMITS.password

test('verifies as many of 200 parallel guesses on two nodes as the limit [T16]', async () => {
  const answers = await atOnce(200, (node) => guess(node, HOME))
  assert.deepEqual(tally(answers), { 401: most, 429: 200 - most })
  assert.equal(verified, most)
  const refused = answers.find(({ statusCode }) => statusCode === 429)
  assert.equal(refused?.json().code, 'rate_limited')
  const seconds = Number(refused?.headers['retry-after'])
  assert.ok(seconds > 0 && seconds <= LIMITS.password.windowSeconds)
})

test('refuses a right guess beyond the limit, on both nodes, in the window [T16]', async () => {
  await atOnce(40, (node) => guess(node, HOME))
  for (const node of [first, second]) assert.equal((await signIn(node, HOME)).statusCode, 429)
  assert.equal(verified, most)
  first.clock.advance(LIMITS.password.windowSeconds + 1)
  for (const node of [second, first]) assert.equal((await signIn(node, HOME)).statusCode, 200)
})

test('limits an unknown address like a known one [U07]', async () => {
  const known = await atOnce(30, (node) => guess(node, HOME))
  const unknown = await atOnce(30, (node) => guess(node, ABROAD, 'unknown@test.example'))
  assert.deepEqual(tally(unknown), tally(known))
  const [one, other] = [known, unknown].map(
    (answers) => answers.find(({ statusCode }) => statusCode === 429)?.json() as object,
  )
  assert.deepEqual({ ...one, traceId: '' }, { ...other, traceId: '' })
})

test('accepts thirty right passwords of one account in a row', async () => {
  for (let i = 0; i < 30; i += 1) {
    assert.equal((await signIn(i % 2 ? second : first, HOME)).statusCode, 200)
  }
})

test('lets the owner sign in from a trusted network during an attack [U07]', async () => {
  assert.equal((await signIn(first, HOME)).statusCode, 200)
  const { most: all } = LIMITS.passwordsOfAccount
  const attack = await atOnce(200, (node, i) => guess(node, `10.66.${i}.1`))
  assert.deepEqual(tally(attack), { 401: all, 429: 200 - all })
  for (const node of [first, second]) assert.equal((await signIn(node, HOME)).statusCode, 200)
  // From a new network the owner waits until the attack is an hour old, or uses a passkey.
  assert.equal((await signIn(second, ABROAD)).statusCode, 429)
  first.clock.advance(LIMITS.passwordsOfAccount.windowSeconds + 1)
  assert.equal((await signIn(second, ABROAD)).statusCode, 200)
})

test('keeps an account open to other networks while one network guesses [U07]', async () => {
  for (let quarter = 0; quarter < 4; quarter += 1) {
    await atOnce(60, (node) => guess(node, ABROAD))
    first.clock.advance(LIMITS.password.windowSeconds)
    assert.equal((await signIn(second, `10.3.${quarter}.1`)).statusCode, 200)
  }
})

test('limits guesses from a trusted network to ten [T16]', async () => {
  assert.equal((await signIn(first, HOME)).statusCode, 200)
  verified = 0
  const answers = await atOnce(100, (node) => guess(node, HOME))
  assert.deepEqual(tally(answers), { 401: most, 429: 100 - most })
  assert.equal(verified, most)
})

test('stops password spraying from a network, and admits its trusted users [T16]', async () => {
  assert.equal((await signIn(second, HOME)).statusCode, 200)
  const { most: all } = LIMITS.passwordsOfNetwork
  const spray = await atOnce(200, (node, i) => guess(node, HOME, `person${i}@test.example`))
  assert.deepEqual(tally(spray), { 401: all, 429: 200 - all })
  assert.equal((await signIn(first, HOME)).statusCode, 200)
  assert.equal((await guess(first, ABROAD, 'person1@test.example')).statusCode, 401)
  // A flood of addresses adds no rows, once a node has met the limit.
  for (const node of [first, second]) await guess(node, HOME, 'another@test.example')
  const { db } = first.service
  const rows = async () => (await db.read(sql`SELECT key FROM rate_limits`)).length
  const before = await rows()
  await atOnce(50, (node, i) => guess(node, HOME, `flood${i}@test.example`))
  assert.equal(await rows(), before)
})

test('restores the counters after a right password', async () => {
  const counts = async () => {
    const rows = await first.service.db.read(
      sql`SELECT key, count FROM rate_limits WHERE key NOT LIKE 'familiar:%' ORDER BY key`,
    )
    return rows.map(({ key, count }) => `${String(key).split(':')[0]} ${count}`)
  }
  await guess(first, HOME, 'other@test.example')
  await guess(first, HOME)
  const before = ['password 1', 'password 1', 'passwordsOfAccount 1', 'passwordsOfAccount 1']
  assert.deepEqual(await counts(), [...before, 'passwordsOfNetwork 2'])
  await signIn(second, HOME)
  assert.deepEqual(await counts(), [
    'password 1',
    'passwordsOfAccount 1',
    'passwordsOfAccount 1',
    'passwordsOfNetwork 2',
  ])
})

test('trusts a network for a month after the last sign-in from it [U07]', async () => {
  const day = 24 * 3600
  for (let n = 0; n < 2; n++) {
    assert.equal((await signIn(first, HOME)).statusCode, 200)
    first.clock.advance(29 * day)
  }
  await atOnce(80, (node, i) => guess(node, `10.66.${i}.1`))
  assert.equal((await signIn(first, HOME)).statusCode, 200, 'the second sign-in has prolonged it')
  first.clock.advance(30 * day + 1)
  await atOnce(80, (node, i) => guess(node, `10.66.${i}.1`))
  assert.equal((await signIn(first, HOME)).statusCode, 429)
})

test('a right password that ends in the next window lowers none of its counts [T16]', async () => {
  const now = first.clock()
  const slow = await beginPasswordAttempt(
    first.service,
    { email: ADMIN.email, address: HOME, isGuessable: true },
    now,
  )
  first.clock.advance(LIMITS.passwordsOfNetwork.windowSeconds + 1)
  await guess(second, HOME, 'other@test.example')
  await slow.succeed()
  const rows = await first.service.db.read(
    sql`SELECT count FROM rate_limits WHERE key LIKE 'passwordsOfNetwork:%'`,
  )
  assert.deepEqual(
    rows.map(({ count }) => count),
    [1],
  )
})

test('limits the sign-in page by the counters of POST /auth/sign-in', async () => {
  await atOnce(40, (node) => guess(node, HOME))
  const { service } = first
  const { authenticateByPassword } = await import('../src/sign-in/password/password-check.ts')
  const now = service.clock()
  await assert.rejects(authenticateByPassword(service, ADMIN, { address: HOME, now }), {
    code: 'rate_limited',
  })
})

test('a flood raises no counter that is known to be full [K04]', async () => {
  const rounds = LIMITS.password.most + 20
  for (let n = 0; n < rounds; n++) await guess(first, HOME)
  const [row] = await first.service.db.read(
    sql`SELECT MAX(count) AS most FROM rate_limits WHERE key LIKE 'password:%'`,
  )
  assert.ok(Number(row?.most) <= LIMITS.password.most + 1, String(row?.most))
})
