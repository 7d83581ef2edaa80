// The renewal of the app's own sessions: rotation, theft, races, lost answers, guesses.
// Spec §5.6; RFC 9700 4.14; security H04.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deriveCredentials, mintCredentials } from './session-credentials.ts'
import { bearing, identity, pair, type Renewed, renew, renewal, stage } from './session-stage.ts'
import { createMemorySessionStore, type SessionStore } from './session-store.ts'
import { createSessions } from './sessions.ts'

let asked = 0

async function soon<T>(verb: () => Promise<T>): Promise<T> {
  asked += 1
  await sleep(asked % 4)
  return verb()
}

test('renews with a new pair, and the old bearer is dead', async () => {
  const scene = stage()
  const { id, bearer, setCookie } = await scene.sessions.start(identity())
  const renewed = await renew(scene, id, [pair(setCookie)])
  assert.equal(renewed.status, 200)
  assert.equal(await scene.sessions.authenticate(bearing(bearer)), undefined)
  assert.equal((await scene.sessions.authenticate(bearing(renewed.bearer)))?.launchId, 'lnch_1')
  assert.equal((await renew(scene, id, [renewed.cookie])).status, 200)
})

test('a refresh credential that comes back spent ends the session for its thief and its owner', async () => {
  const scene = stage()
  const { id, setCookie } = await scene.sessions.start(identity())
  const owner = await renew(scene, id, [pair(setCookie)])
  scene.pass(10)
  assert.equal((await renew(scene, id, [pair(setCookie)])).status, 401)
  assert.equal(await scene.sessions.authenticate(bearing(owner.bearer)), undefined)
  assert.equal((await renew(scene, id, [owner.cookie])).status, 401)
})

test('a thief who renews twice at once is found out by the owner, who comes with an older credential', async () => {
  const scene = stage()
  const { id, setCookie } = await scene.sessions.start(identity())
  const first = await renew(scene, id, [pair(setCookie)])
  const second = await renew(scene, id, [first.cookie])
  assert.equal((await renew(scene, id, [pair(setCookie)])).status, 401)
  assert.equal(await scene.sessions.authenticate(bearing(second.bearer)), undefined)
})

test('a made-up refresh credential for an id that somebody knows costs the owner nothing', async () => {
  const scene = stage()
  const { id, bearer, setCookie } = await scene.sessions.start(identity())
  const genuine = pair(setCookie).split('=')[1] ?? ''
  const foreign = pair((await scene.sessions.start(identity())).setCookie).split('=')[1] ?? ''
  for (const value of ['garbage', foreign, `${foreign.slice(0, 22)}${genuine.slice(22)}`, id]) {
    const request = renewal(id, [`__Host-session-${id}=${value}`])
    const response = await scene.sessions.renew(request)
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('set-cookie'), null)
  }
  assert.ok(await scene.sessions.authenticate(bearing(bearer)))
  assert.equal((await renew(scene, id, [pair(setCookie)])).status, 200)
})

test('20 renewals with one credential at the same time are one, on two processes with one store', async () => {
  const memory = createMemorySessionStore()
  // As over a network: every verb takes a while, and another one may come in between.
  const store: SessionStore = {
    ...memory,
    find: (id) => soon(() => memory.find(id)),
    replace: (session, spent) => soon(() => memory.replace(session, spent)),
  }
  const scene = stage({ store })
  const other = { ...scene, sessions: createSessions({ store, now: scene.now }) }
  const { id, setCookie } = await scene.sessions.start(identity())
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) => renew(n % 2 ? scene : other, id, [pair(setCookie)])),
  )
  for (const renewed of all) assert.deepEqual(renewed, all[0])
  const { status, bearer, cookie } = all[0] as Renewed
  assert.equal(status, 200)
  assert.equal((await other.sessions.authenticate(bearing(bearer)))?.launchId, 'lnch_1')
  assert.equal((await renew(scene, id, [cookie])).status, 200)
})

test('a renewal whose answer was lost is given again for ten seconds, and no longer', async () => {
  for (const [seconds, status] of [
    [9, 200],
    [10, 401],
  ] as const) {
    const scene = stage()
    const { id, setCookie } = await scene.sessions.start(identity())
    const lost = await renew(scene, id, [pair(setCookie)])
    scene.pass(seconds)
    const again = await renew(scene, id, [pair(setCookie)])
    assert.equal(again.status, status, `after ${seconds} s`)
    if (status === 200) assert.deepEqual([again.bearer, again.cookie], [lost.bearer, lost.cookie])
  }
})

test('a renewal that is given again gives nobody a second chain of credentials', async () => {
  const scene = stage()
  const { id, setCookie } = await scene.sessions.start(identity())
  const owner = await renew(scene, id, [pair(setCookie)])
  const thief = await renew(scene, id, [pair(setCookie)])
  assert.equal(thief.cookie, owner.cookie)
  scene.pass(600)
  assert.equal((await renew(scene, id, [thief.cookie])).status, 200)
  scene.pass(10)
  assert.equal((await renew(scene, id, [owner.cookie])).status, 401)
  assert.equal(await scene.store.find(id), undefined)
})

test('what a store holds makes no credential for somebody who holds none', async () => {
  const { sessions, store } = stage()
  const { id } = await sessions.start(identity())
  const { refreshHash, familyHash, rotationKey, bearerHash } =
    (await store.find(id)) ?? assert.fail()
  for (const value of [refreshHash, familyHash, rotationKey, bearerHash]) {
    const response = await sessions.renew(renewal(id, [`__Host-session-${id}=${value}`]))
    assert.equal(response.status, 401)
    assert.equal(await sessions.authenticate(bearing(`${id}.${value}`)), undefined)
  }
})

test('nobody works the next credentials out without the key of the session, or one from the other', async () => {
  const { refresh } = mintCredentials()
  const [next, again, elsewhere] = await Promise.all([
    deriveCredentials(refresh, 'key one'),
    deriveCredentials(refresh, 'key one'),
    deriveCredentials(refresh, 'key two'),
  ])
  assert.deepEqual(next, again)
  assert.notEqual(next.bearer, elsewhere.bearer)
  assert.notEqual(next.refresh, elsewhere.refresh)
  assert.ok(!next.refresh.includes(next.bearer))
  assert.match(next.bearer, /^[\w-]{43}$/)
  assert.match(next.refresh, /^[\w-]{65}$/)
})
