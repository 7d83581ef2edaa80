// An event stream ends with the sign-in of its reader and with the role that let them read, before the
// next event and at each tick. Contract §5, security V04.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Statement, sql } from '../src/db/sql.ts'
import { streamSubscribers } from '../src/streams/batched-lookup.ts'
import { openStream } from './event-stream.ts'
import { beginPeople, person } from './people.ts'
import { type Story, signIn, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

const TICK_MS = 15_000

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
  await story.service.server.listen({ port: 0, host: '127.0.0.1' })
})
after(() => story.close())

/** The EHR session of a provider, which an administrator of the platform reads by a sign-in of theirs. */
async function readByAdministrator() {
  const provider = await person()
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const sessionId = (await provider.api('POST', '/api/sessions', body)).json().id
  const token = await signIn(story.service, ADMIN)
  const stream = await openStream(story.service, sessionId, token)
  const own = await openStream(story.service, sessionId, provider.token)
  const open = async () => {
    const launch = { appId: story.app.id, kind: 'ui' }
    const made = await provider.api('POST', `/api/sessions/${sessionId}/launches`, launch)
    assert.equal(made.statusCode, 201, made.body)
    await own.next(({ event, data }) => event === 'launch' && data.id === made.json().id)
    return made.json().id
  }
  const signOut = () =>
    story.request({
      method: 'POST',
      url: '/auth/sign-out',
      headers: { authorization: `Bearer ${token}` },
    })
  const saw = (id: string) => stream.list().some(({ data }) => data.id === id)
  return { provider, sessionId, stream, own, open, signOut, saw }
}

const setRole = (role: string) =>
  story.service.service.db.write(sql`UPDATE users SET role = ${role} WHERE email = ${ADMIN.email}`)

test('shows a stream no event after the sign-out of its reader [V04]', async (t) => {
  const { stream, own, open, signOut, saw } = await readByAdministrator()
  t.after(() => own.close())
  const first = await open()
  await stream.next(({ data }) => data.id === first)
  assert.equal((await signOut()).statusCode, 204)
  const second = await open()
  await stream.closed
  assert.equal(saw(second), false)
  assert.equal(
    stream.list().some(({ event }) => event === 'ended'),
    false,
    'the EHR session goes on',
  )
})

test('shows a stream no event once its reader is no administrator any more [V04]', async (t) => {
  const { stream, own, open, saw } = await readByAdministrator()
  t.after(() => own.close())
  await setRole('member')
  t.after(() => setRole('admin'))
  const launch = await open()
  await stream.closed
  assert.equal(saw(launch), false)
})

test('does not show the end of a session to a reader who has signed out [V04]', async (t) => {
  const { provider, sessionId, stream, own, signOut } = await readByAdministrator()
  t.after(() => own.close())
  await signOut()
  assert.equal((await provider.api('DELETE', `/api/sessions/${sessionId}`)).statusCode, 204)
  await Promise.all([stream.closed, own.closed])
  const ends = (read: typeof stream) => read.list().filter(({ event }) => event === 'ended').length
  assert.deepEqual([ends(stream), ends(own)], [0, 1])
})

test('sends the end of a sign-in to the streams of its sessions in a second [V18]', async () => {
  const { provider, stream, own } = await readByAdministrator()
  const signedOut = await provider.api('POST', '/auth/sign-out', {})
  assert.equal(signedOut.statusCode, 204)
  for (const read of [stream, own]) {
    const { found, tookMs } = await read.next(({ event }) => event === 'ended')
    assert.equal(found.data.reason, 'signed_out')
    assert.ok(tookMs < 1000, `${tookMs} ms`)
    await read.closed
  }
})

test('closes a stream at the next tick after its reader has signed out [V04]', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { stream, own, open, signOut } = await readByAdministrator()
  t.after(() => own.close())
  await signOut()
  t.mock.timers.tick(TICK_MS)
  await stream.closed
  await open()
})

test('asks once for all readers of a node at a tick [V04]', async (t) => {
  const { db, config } = story.service.service
  let asked = 0
  const counting = {
    ...db,
    read: (statement: Statement) => {
      asked += 1
      return db.read(statement)
    },
  }
  const ids = (await db.read(sql`SELECT id FROM sign_ins WHERE ended_at IS NULL`)).map(({ id }) =>
    String(id),
  )
  assert.ok(ids.length > 2)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const subscribers = streamSubscribers(counting, story.service.clock, config)
  const found = await new Promise<(string | undefined)[]>((resolve) => {
    const seen: (string | undefined)[] = []
    for (const id of [...ids, 'sgn_of_no_one']) {
      subscribers.watch(async () => {
        const reader = await subscribers.find(id)
        if (seen.push(reader?.signInId) > ids.length) resolve(seen)
      })
    }
    t.mock.timers.tick(TICK_MS)
  })
  assert.deepEqual(found, [...ids, undefined])
  assert.equal(asked, 1)
})
