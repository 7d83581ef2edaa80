// A caller over a limit who goes on: hundreds of connections with requests that fail. The others must
// find their slots free, the log must stay short. Security V01, V05, V11.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../src/http/admission/rate-limit-rules.ts'
import { type Story, startStory } from './story.ts'

const ATTACKER = '198.51.100.7'
const VICTIM = '203.0.113.9'

let story: Story
before(async () => {
  story = await startStory({ CHARTSIDE_ALLOWED_REGIONS: '*' })
})
after(() => story.close())

const linesOf = (code: string) =>
  story.service
    .logText()
    .split('\n')
    .filter((line) => line.includes(`"code":"${code}"`))

const authorizeAs = (remoteAddress: string, launch: string) =>
  story.service.server.inject({
    url: `/app-auth/authorize?client_id=cli_none&launch=${launch}`,
    remoteAddress,
  })

const FLOOD = 2000
const MAX_WAIT_MS = 20_000

async function until(isTrue: () => boolean): Promise<void> {
  for (const end = performance.now() + MAX_WAIT_MS; !isTrue() && performance.now() < end; ) {
    await sleep(5)
  }
}

const launchOf = (i: number) => `lnch_${String(i).padStart(22, '0')}${'x'.repeat(43)}`

test('keeps the slots of others free while one caller floods authorize [V05]', async () => {
  const { limits, db } = story.service.service
  for (let i = 0; i <= LIMITS.authorize.most; i++) {
    await limits.count({ address: ATTACKER }, story.service.clock(), 'authorize').catch(() => {})
  }
  // A slow database: every request that takes a slot keeps it until the others are answered.
  const { read } = db
  const { findClient } = story.service.service.apps
  const others = Promise.withResolvers<void>()
  let looked = 0
  Object.assign(story.service.service.apps, {
    findClient: async (id: string) => {
      looked += 1
      await others.promise
      return findClient(id)
    },
  })
  try {
    let answered = 0
    const flood = Promise.all(
      Array.from({ length: FLOOD }, async (_, i) => {
        const answer = await authorizeAs(ATTACKER, i % 2 === 0 ? launchOf(i) : 'none')
        answered += 1
        return answer
      }),
    )
    await until(() => looked > 0)
    const victims = await Promise.all(
      Array.from({ length: 15 }, () =>
        story.service.server.inject({
          url: '/api/users/me',
          remoteAddress: VICTIM,
          headers: { authorization: `Bearer ${story.adminToken}` },
        }),
      ),
    )
    assert.deepEqual(
      victims.map(({ statusCode }) => statusCode),
      victims.map(() => 200),
    )
    await until(() => answered >= FLOOD - looked)
    others.resolve()
    const statuses = new Set((await flood).map(({ statusCode }) => statusCode))
    assert.deepEqual([...statuses], [429])
    assert.ok(looked > 0 && looked < 10, `${looked} of ${FLOOD} requests were looked at`)
  } finally {
    others.resolve()
    Object.assign(story.service.service.apps, { findClient })
    assert.equal(db.read, read)
  }
  assert.equal(linesOf('rate_limited').length, 1)
})

test('looks up nothing for a caller over a limit whose request names no launch [V05]', async () => {
  const { apps } = story.service.service
  const { findClient } = apps
  let looked = 0
  Object.assign(apps, {
    findClient: (id: string) => {
      looked += 1
      return findClient(id)
    },
  })
  try {
    assert.equal((await authorizeAs(ATTACKER, 'none')).statusCode, 429)
    assert.equal(looked, 0)
    assert.equal((await authorizeAs(ATTACKER, launchOf(1))).statusCode, 429)
    assert.equal(looked, 1)
  } finally {
    Object.assign(apps, { findClient })
  }
})

test('writes one log line a minute for a caller over a limit, with a count [V05]', async () => {
  story.service.clock.advance(59)
  const before = linesOf('rate_limited').length
  for (let i = 0; i < 20; i++) await authorizeAs(ATTACKER, 'none')
  assert.equal(linesOf('rate_limited').length, before)
  for (let i = 0; i <= LIMITS.authorize.most; i++) {
    const { limits } = story.service.service
    const now = story.service.clock() + 2000
    await limits.count({ address: ATTACKER }, now, 'authorize').catch(() => {})
  }
  story.service.clock.advance(2)
  await authorizeAs(ATTACKER, 'none')
  const lines = linesOf('rate_limited')
  assert.equal(lines.length, before + 1)
  assert.ok(JSON.parse(lines.at(-1) ?? '').leftOut > 1000)
})

test('refuses bodies without a sign-in before they are read, beyond a number [V01]', async () => {
  const send = (remoteAddress: string, payload: string) =>
    story.service.server.inject({
      method: 'POST',
      url: '/auth/sign-in',
      remoteAddress,
      headers: { 'content-type': 'application/json' },
      payload,
    })
  // Malformed bodies: none of them reaches the limits of passwords.
  const statuses: number[] = []
  for (let i = 0; i < 1300; i++) statuses.push((await send(ATTACKER, '{"a":1')).statusCode)
  assert.equal(statuses.filter((status) => status === 429).length, 100)
  assert.equal((await send(VICTIM, '{}')).statusCode, 400)
  story.service.clock.advance(60)
  assert.equal((await send(ATTACKER, '{}')).statusCode, 400)
})

test('logs no name that a caller typed, and no long one [V11]', async () => {
  const secret = 'my-secret-password-hunter2'
  const long = 'n'.repeat(3000)
  const answer = await story.service.server.inject({
    method: 'POST',
    url: '/auth/sign-in',
    payload: { [secret]: 1, [long]: 1 },
  })
  assert.equal(answer.statusCode, 400)
  const { errors } = answer.json()
  assert.ok(
    errors.some(({ field }: { field: string }) => field === `/${secret}`),
    answer.body,
  )
  for (const { field } of errors) assert.ok(field.length <= 101, 'a shown name is cut')
  const log = story.service.logText()
  assert.equal(log.includes('hunter2'), false)
  assert.equal(log.includes('nnnnnnnn'), false)
  assert.match(log, /\(unknown name\)/)
  assert.ok(Math.max(...log.split('\n').map((line) => line.length)) < 5000)
})

test('counts the open bodies of an IPv6 network as those of one caller [V01]', async () => {
  const send = (address: string) =>
    story.service.server.inject({
      method: 'POST',
      url: '/auth/sign-in',
      headers: { 'content-type': 'application/json' },
      payload: '{"a":1',
      remoteAddress: address,
    })
  let refused = 0
  for (let i = 0; i < 1250; i++) {
    if ((await send(`2001:db8:1:2::${i.toString(16)}`)).statusCode === 429) refused += 1
  }
  assert.equal(refused, 50)
  assert.equal((await send('2001:db8:1:3::1')).statusCode, 400)
})

test('logs sixty refusals of a kind of a network in a minute, then how many more [V05]', async () => {
  const refuse = () =>
    story.service.server.inject({ url: '/api/accounts', remoteAddress: '198.51.100.200' })
  const linesNow = () =>
    linesOf('not_signed_in').filter((line) => line.includes('"path":"/api/accounts"'))
  for (let i = 0; i < 100; i++) assert.equal((await refuse()).statusCode, 401)
  assert.equal(linesNow().length, 60)
  story.service.clock.advance(60)
  await refuse()
  assert.match(linesNow().at(-1) ?? '', /"leftOut":40/)
})
