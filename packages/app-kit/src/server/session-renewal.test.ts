// The renewal of the app's own sessions: rotation, reuse, parallel requests, lost answers, guesses.
// Spec §5.6; RFC 9700 4.14; security H04.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  buildBearerRequest,
  buildIdentity,
  buildRenewal,
  cookieOf,
  createFixture,
  OWN_PAGE,
  renew,
} from './session-fixture.ts'
import { createMemorySessionStore, type SessionStore } from './session-store.ts'
import { createSessions } from './sessions.ts'

async function openSession(options: Parameters<typeof createFixture>[0] = {}) {
  const fixture = createFixture(options)
  const { id, bearer, setCookie } = await fixture.sessions.start(buildIdentity(), OWN_PAGE)
  return {
    ...fixture,
    id,
    bearer,
    /** The first refresh credential, as the browser sends it. */
    cookie: cookieOf(setCookie),
    renew: (cookie: string) => renew(fixture, id, [cookie]),
    authenticate: (token: string) => fixture.sessions.authenticate(buildBearerRequest(token)),
  }
}

test('renews with new credentials and refuses the bearer before them', async () => {
  const session = await openSession()
  const renewed = await session.renew(session.cookie)
  assert.equal(renewed.status, 200)
  assert.equal(await session.authenticate(session.bearer), undefined)
  assert.equal((await session.authenticate(renewed.bearer))?.launchId, 'lnch_1')
  assert.equal((await session.renew(renewed.cookie)).status, 200)
})

test('ends the session when a refresh credential is reused after ten seconds', async () => {
  const session = await openSession()
  const owner = await session.renew(session.cookie)
  session.advance(10)
  assert.equal((await session.renew(session.cookie)).status, 401)
  assert.equal(await session.authenticate(owner.bearer), undefined)
  assert.equal((await session.renew(owner.cookie)).status, 401)
})

test('ends the session when the credential before the previous one is reused at once', async () => {
  const session = await openSession()
  const first = await session.renew(session.cookie)
  const second = await session.renew(first.cookie)
  assert.equal((await session.renew(session.cookie)).status, 401)
  assert.equal(await session.authenticate(second.bearer), undefined)
})

test('leaves a session alone when its id is known and its credential guessed', async () => {
  const session = await openSession()
  const { id } = session
  const genuine = session.cookie.split('=')[1] ?? ''
  const other = await session.sessions.start(buildIdentity(), OWN_PAGE)
  const foreign = cookieOf(other.setCookie).split('=')[1] ?? ''
  for (const value of ['garbage', foreign, `${foreign.slice(0, 22)}${genuine.slice(22)}`, id]) {
    const request = buildRenewal(id, [`__Host-session-${id}=${value}`])
    const response = await session.sessions.renew(request)
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('set-cookie'), null)
  }
  assert.ok(await session.authenticate(session.bearer))
  assert.equal((await session.renew(session.cookie)).status, 200)
})

/** A store over a network: each call takes a while, and others come in between. */
function createSlowStore(): SessionStore {
  const memory = createMemorySessionStore()
  let calls = 0
  const delay = async () => {
    calls += 1
    await sleep(calls % 4)
  }
  return {
    ...memory,
    find: async (id) => {
      await delay()
      const found = await memory.find(id)
      await delay()
      return found
    },
    replace: async (session) => {
      await delay()
      return memory.replace(session)
    },
  }
}

test('serves 20 parallel renewals with one credential, on two processes with one store', async () => {
  const store = createSlowStore()
  const session = await openSession({ store })
  const { id, cookie } = session
  const other = { sessions: createSessions({ store, now: session.now }) }
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) => renew(n % 2 ? session : other, id, [cookie])),
  )
  for (const { status, bearer } of all) {
    assert.equal(status, 200)
    const identity = await other.sessions.authenticate(buildBearerRequest(bearer))
    assert.equal(identity?.launchId, 'lnch_1')
  }
  assert.equal(new Set(all.map((renewed) => renewed.cookie)).size, 20)

  // One family stays: whichever cookie the browser kept renews it, and the others end with that.
  session.advance(600)
  const next = await session.renew(all[7]?.cookie ?? '')
  assert.equal(next.status, 200)
  assert.equal((await store.find(id))?.credentials.length, 1)
  for (const { bearer } of all) assert.equal(await session.authenticate(bearer), undefined)
  assert.ok(await session.authenticate(next.bearer))
})

test('renews with whichever of two parallel answers reached the browser last', async () => {
  for (const last of [0, 1]) {
    const session = await openSession()
    const answers = [await session.renew(session.cookie), await session.renew(session.cookie)]
    session.advance(600)
    assert.equal((await session.renew(answers[last]?.cookie ?? '')).status, 200)
  }
})

test('renews again for ten seconds when the answer was lost, and no longer', async () => {
  for (const [seconds, status] of [
    [9, 200],
    [10, 401],
  ] as const) {
    const session = await openSession()
    await session.renew(session.cookie)
    session.advance(seconds)
    const again = await session.renew(session.cookie)
    assert.equal(again.status, status, `after ${seconds} s`)
    if (status === 200) assert.ok(await session.authenticate(again.bearer))
  }
})

test('does not extend the ten seconds with each repeat', async () => {
  const session = await openSession()
  for (const status of [200, 200, 200, 401]) {
    assert.equal((await session.renew(session.cookie)).status, status)
    session.advance(4)
  }
})

test('renews again after a crash between the write and the answer', async () => {
  const memory = createMemorySessionStore()
  let isCrashing = true
  const store: SessionStore = {
    ...memory,
    replace: async (renewed) => {
      await memory.replace(renewed)
      if (isCrashing) throw new Error('the process was killed')
      return true
    },
  }
  const session = await openSession({ store })
  await assert.rejects(session.renew(session.cookie), /was killed/)
  isCrashing = false
  const again = await session.renew(session.cookie)
  assert.equal(again.status, 200)
  assert.ok(await session.authenticate(again.bearer))
  assert.equal((await session.renew(again.cookie)).status, 200)
})

test('ends the session at the later renewal of two holders of one credential', async () => {
  const session = await openSession()
  const owner = await session.renew(session.cookie)
  const thief = await session.renew(session.cookie)
  session.advance(600)
  assert.equal((await session.renew(thief.cookie)).status, 200)
  session.advance(10)
  assert.equal((await session.renew(owner.cookie)).status, 401)
  assert.equal(await session.store.find(session.id), undefined)
})

test('ends the session after 32 live credentials, so that no loop fills the store', async () => {
  const session = await openSession()
  for (let count = 1; count <= 32; count += 1) {
    assert.equal((await session.renew(session.cookie)).status, 200, `renewal ${count}`)
  }
  assert.equal((await session.renew(session.cookie)).status, 401)
  assert.equal(await session.store.find(session.id), undefined)
})

test('does not bring a session back that ends during its renewal', async () => {
  const memory = createMemorySessionStore()
  const store: SessionStore = {
    ...memory,
    replace: async (renewed) => {
      await memory.delete(renewed.id)
      return memory.replace(renewed)
    },
  }
  const session = await openSession({ store })
  assert.equal((await session.renew(session.cookie)).status, 401)
  assert.equal(await memory.find(session.id), undefined)
})

test('accepts nothing that a store holds as a credential', async () => {
  const { sessions, store, id, cookie } = await openSession()
  await renew({ sessions }, id, [cookie])
  const { familyHash, credentials, previousRefreshHashes } = (await store.find(id)) ?? assert.fail()
  const [{ refreshHash, bearerHash } = assert.fail()] = credentials
  for (const value of [refreshHash, familyHash, bearerHash, ...previousRefreshHashes]) {
    const response = await sessions.renew(buildRenewal(id, [`__Host-session-${id}=${value}`]))
    assert.equal(response.status, 401)
    assert.equal(await sessions.authenticate(buildBearerRequest(`${id}.${value}`)), undefined)
  }
})
