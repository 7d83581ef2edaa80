// Drafts on the app's server: whose they are, which of two texts stays, and how long. Spec §2.5, §5.6.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryDraftStore } from './draft-store.ts'
import { createDrafts } from './drafts.ts'
import type { LaunchIdentity } from './launch-identity.ts'
import { buildIdentity } from './session-fixture.ts'

function createFixture() {
  let identity: LaunchIdentity | undefined = buildIdentity()
  let now = 1_800_000_000_000
  const drafts = createDrafts({
    sessions: { authenticate: async () => identity },
    maxBytes: 100,
    now: () => now,
  })
  const url = 'https://app.example/api/drafts'
  const save = async (body: unknown, name = 'note') => {
    const fields = typeof body === 'string' ? { name, text: body, written_at: now } : body
    const init = { method: 'PUT', body: JSON.stringify(fields) }
    return (await drafts.save(new Request(url, init))).status
  }
  const load = async (name = 'note', chart = '') => {
    const response = await drafts.load(new Request(`${url}?name=${name}&chart=${chart}`))
    return response.status === 200
      ? ((await response.json()) as { text: string }).text
      : response.status
  }
  return {
    save,
    load,
    now: () => now,
    advance: (seconds: number) => {
      now += seconds * 1000
    },
    become: (changes: Partial<LaunchIdentity> | null) => {
      identity = changes ? { ...buildIdentity(), ...changes } : undefined
    },
  }
}

test('keeps a text for its person in its practice, and for no other', async () => {
  const { save, load, become } = createFixture()
  assert.equal(await load(), '')
  assert.equal(await save('BP 128/82'), 200)
  assert.equal(await load(), 'BP 128/82')
  assert.equal(await load('other-field'), '')
  become({ userId: 'usr_2' })
  assert.equal(await load(), '')
  become({ account: { id: 'acc_2', name: 'Other' } })
  assert.equal(await load(), '')
  become({ account: { id: 'acc_1/usr_1', name: 'Other' }, userId: '' })
  assert.equal(await load(), '')
  become({ launchId: 'lnch_of_the_next_launch', sessionId: 'ses_2' })
  assert.equal(await load(), 'BP 128/82')
})

test('keeps the texts of two charts apart, and refuses another form of reference [V40]', async () => {
  const { save, load, now } = createFixture()
  const saveAt = (chart: unknown, text: string) =>
    save({ name: 'note', text, written_at: now(), chart })
  assert.equal(await saveAt('refOfA_-1', 'at A'), 200)
  assert.equal(await saveAt('refOfB', 'at B'), 200)
  assert.equal(await load('note', 'refOfA_-1'), 'at A')
  assert.equal(await load('note', 'refOfB'), 'at B')
  assert.equal(await load('note'), '')
  for (const chart of ['a/b', 'x'.repeat(65), 7, null]) assert.equal(await saveAt(chart, 'x'), 400)
  assert.equal(await load('note', '../other'), 400)
})

test('shows and changes nothing without a session', async () => {
  const { save, load, become } = createFixture()
  await save('kept')
  become(null)
  assert.deepEqual([await load(), await save('changed')], [401, 401])
  become({})
  assert.equal(await load(), 'kept')
})

test('keeps the text that was typed last, in whatever order requests arrive', async () => {
  const { save, load, now } = createFixture()
  const write = (text: string, at: number) => save({ name: 'note', text, written_at: now() + at })
  await write('second', 2)
  await write('first', 1)
  assert.equal(await load(), 'second')
  await write('', 3)
  await write('second', 2)
  assert.equal(await load(), '', 'a deleted draft stays deleted')
})

test('lets no clock of a page that is ahead keep out what is typed later', async () => {
  const { save, load, now, advance } = createFixture()
  await save({ name: 'note', text: 'from the future', written_at: now() + 1e12 })
  advance(120)
  await save('now')
  assert.equal(await load(), 'now')
})

test('forgets a draft after a day', async () => {
  const { save, load, advance } = createFixture()
  await save('kept')
  advance(86_399)
  assert.equal(await load(), 'kept')
  advance(1)
  assert.equal(await load(), '')
})

test('answers 400 to a draft without a name, a text or a time, and to a long one', async () => {
  const { save, load, now } = createFixture()
  const good = { name: 'note', text: 'x', written_at: now() }
  for (const body of [
    null,
    [],
    {},
    { ...good, name: '../x' },
    { ...good, name: '' },
    { ...good, text: 7 },
    { ...good, text: 'x'.repeat(101) },
    { ...good, text: 'é'.repeat(51) },
    { ...good, written_at: '1' },
    { ...good, written_at: 1.5 },
  ]) {
    assert.equal(await save(body), 400, JSON.stringify(body)?.slice(0, 60))
  }
  assert.equal(await load('../x'), 400)
  assert.equal(await save({ ...good, text: 'é'.repeat(50) }), 200)
})

test('takes what an earlier clock has typed when the stored draft has expired', async () => {
  let now = 100
  const store = createMemoryDraftStore(() => now)
  const typed = { key: 'note', text: 'yesterday', writtenAt: 90, expiresAt: 200 }
  await store.replace(typed)
  const later = { ...typed, text: 'today', writtenAt: 80, expiresAt: 300 }
  await store.replace(later)
  assert.deepEqual(await store.find('note'), typed)
  now = 200
  await store.replace(later)
  assert.deepEqual(await store.find('note'), later)
})

test('holds a bounded number of drafts in memory, the newest', async () => {
  const store = createMemoryDraftStore(() => 0)
  for (let index = 0; index <= 10_000; index += 1) {
    await store.replace({ key: `key-${index}`, text: 'x', writtenAt: 0, expiresAt: 1 })
  }
  assert.equal(await store.find('key-0'), undefined)
  assert.ok(await store.find('key-10000'))
})
