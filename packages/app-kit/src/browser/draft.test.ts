// Drafts of a page: when they are saved, and that nothing typed is lost before an end, after a failed
// request, or in a request that arrives late. SDK and server are functions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDraft, type DraftSDK } from './draft.ts'
import { openPage } from './page-fixture.ts'

interface Saved {
  readonly text: string
  readonly keepalive: boolean
}

type Expiring = Parameters<Parameters<DraftSDK['on']>[1]>[0]

/** `typed` writes text; `answer` decides how the server answers a save. */
function openDraft({ kept = '', answer = async (_saved: Saved) => 200 } = {}) {
  const saved: Saved[] = []
  const unsaved: boolean[] = []
  const states: string[] = []
  const held: PromiseLike<unknown>[] = []
  const listeners = new Map<string, (event: Event) => void>()
  let expiring = (_event: Expiring) => {}
  let endTask = async (): Promise<unknown> => undefined
  const page = {
    ...openPage('https://app.example/callback'),
    addEventListener: (type: string, listener: (event: Event) => void) =>
      void listeners.set(type, listener),
    removeEventListener: (type: string) => void listeners.delete(type),
  }
  const draft = createDraft(
    {
      session: {
        request: async <Reply>() => ({ text: kept }) as Reply,
        fetch: async (_path, init = {}) => {
          const { text } = JSON.parse(String(init.body)) as { text: string }
          const one = { text, keepalive: init.keepalive === true }
          const status = await answer(one)
          if (status === 200) saved.push(one)
          return new Response('{}', { status })
        },
        beforeEnd: (task) => {
          endTask = task
          return () => undefined
        },
      },
      sdk: {
        on: (_name, listener) => {
          expiring = listener
          return () => undefined
        },
        setUnsavedWork: (isUnsaved) => void unsaved.push(isUnsaved),
      },
      name: 'note',
      onState: (state) => void states.push(state),
    },
    page,
  )
  return {
    ...{ draft, saved, unsaved, states, held, listeners },
    end: () => endTask(),
    expire: () => expiring({ waitUntil: (work) => void held.push(work) }),
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('loads the kept text, unless something was typed meanwhile', async () => {
  assert.equal(await openDraft({ kept: 'earlier' }).draft.load(), 'earlier')
  const { draft } = openDraft({ kept: 'earlier' })
  draft.write('newer')
  assert.equal(await draft.load(), 'newer')
  draft.stop()
})

test('saves once when typing pauses, and says what is unsaved until then', async () => {
  const { draft, saved, unsaved, states } = openDraft()
  for (const text of ['B', 'BP', 'BP 1']) draft.write(text)
  assert.deepEqual([saved, unsaved, states], [[], [true], ['unsaved']])
  await pause(600)
  assert.deepEqual(saved, [{ text: 'BP 1', keepalive: false }])
  assert.deepEqual(
    [unsaved, states],
    [
      [true, false],
      ['unsaved', 'saved'],
    ],
  )
})

test('holds the launch until all is saved and typing pauses', async () => {
  const { draft, saved, held, expire } = openDraft()
  expire()
  assert.equal(held.length, 0, 'nothing is unsaved')
  let isHeld = true
  draft.write('typed')
  void held[0]?.then(() => {
    isHeld = false
  })
  await pause(700)
  draft.write('typed in the last minute')
  await pause(700)
  assert.equal(saved.at(-1)?.text, 'typed in the last minute', 'saves at once')
  assert.equal(isHeld, true, 'the person is typing')
  await held[0]
  assert.equal(held.length, 1)
  draft.write('typed after a pause')
  await held[1]
  assert.equal(saved.at(-1)?.text, 'typed after a pause')
})

test('holds the launch until a failed save has succeeded', async (t) => {
  let status = 503
  const { draft, saved, held, expire } = openDraft({ answer: async () => status })
  expire()
  draft.write('kept')
  await pause(1_200)
  assert.equal(await Promise.race([held[0], pause(1).then(() => 'held')]), 'held')
  status = 200
  await held[0]
  assert.deepEqual(
    saved.map(({ text }) => text),
    ['kept'],
  )
  t.after(() => draft.stop())
})

test('saves at the warning what was typed before it', async () => {
  const { draft, saved, held, expire } = openDraft()
  draft.write('before')
  expire()
  await held[0]
  assert.deepEqual(saved, [{ text: 'before', keepalive: false }])
})

for (const event of ['pagehide', 'visibilitychange']) {
  test(`sends what is unsaved at ${event}, in a request that outlives the page`, async () => {
    const { draft, saved, listeners } = openDraft()
    listeners.get(event)?.(new Event(event))
    await pause(1)
    assert.deepEqual(saved, [], 'nothing to save')
    draft.write('half a sen')
    listeners.get(event)?.(new Event(event))
    await pause(1)
    assert.deepEqual(saved, [{ text: 'half a sen', keepalive: true }])
  })
}

test('saves before the session of the app ends', async () => {
  const { draft, saved, end } = openDraft()
  draft.write('before the sign-out')
  await end()
  assert.deepEqual(
    saved.map(({ text }) => text),
    ['before the sign-out'],
  )
})

test('stays unsaved after a failure, and tries again', async () => {
  let status = 503
  const { draft, saved, unsaved, states } = openDraft({ answer: async () => status })
  draft.write('kept')
  await assert.rejects(draft.flush(), /503/)
  assert.deepEqual([saved, unsaved.at(-1), states.at(-1)], [[], true, 'failed'])
  status = 200
  await draft.flush()
  assert.deepEqual([saved.at(-1)?.text, unsaved.at(-1), states.at(-1)], ['kept', false, 'saved'])
})

test('saves again what was typed while a save was under way', async () => {
  let release = () => {}
  const first = new Promise<void>((resolve) => {
    release = resolve
  })
  let count = 0
  const { draft, saved, unsaved } = openDraft({
    answer: async () => {
      count += 1
      if (count === 1) await first
      return 200
    },
  })
  draft.write('one')
  const flushed = draft.flush()
  draft.write('one two')
  release()
  await flushed
  assert.deepEqual(
    saved.map(({ text }) => text),
    ['one', 'one two'],
  )
  assert.equal(unsaved.at(-1), false)
})

test('sends a text that is too long to outlive the page in a plain request', async () => {
  const { draft, saved, listeners } = openDraft()
  draft.write('x'.repeat(15_000))
  listeners.get('pagehide')?.(new Event('pagehide'))
  await pause(1)
  assert.deepEqual(
    saved.map(({ keepalive }) => keepalive),
    [false],
  )
})

test('saves what is unsaved when it stops', async () => {
  const { draft, saved, listeners } = openDraft()
  draft.write('to the end')
  draft.stop()
  await pause(1)
  assert.deepEqual(saved, [{ text: 'to the end', keepalive: false }])
  assert.equal(listeners.size, 0)
})
