// Drafts of a page: when they are saved, and that nothing typed is lost before an end, after a failed
// request, or in a request that arrives late. SDK and server are functions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDraft } from './draft.ts'
import { openPage } from './page-fixture.ts'

interface Saved {
  readonly text: string
  readonly keepalive: boolean
  /** Absent where no chart is named. */
  readonly chart?: string
}

interface Expiring {
  waitUntil(work: PromiseLike<unknown>): void
}

/** `typed` writes text; `answer` decides how the server answers a save. */
function openDraft({
  kept = '',
  keptAt = {} as Readonly<Record<string, string>>,
  answer = async (_saved: Saved) => 200,
} = {}) {
  const saved: Saved[] = []
  const unsaved: boolean[] = []
  const states: string[] = []
  const held: PromiseLike<unknown>[] = []
  const listeners = new Map<string, (event: Event) => void>()
  const texts: string[] = []
  let expiring = (_event: Expiring) => {}
  let chart = (_event: Expiring & { readonly ref: string | null }) => {}
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
        request: async <Reply>(_method: string, path: string) => {
          const at = new URLSearchParams(path.split('?')[1]).get('chart')
          return { text: at === null ? kept : (keptAt[at] ?? '') } as Reply
        },
        fetch: async (_path, init = {}) => {
          const { text, chart } = JSON.parse(String(init.body)) as Saved
          const one = { text, keepalive: init.keepalive === true, ...(chart ? { chart } : {}) }
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
        on: (name: string, listener: (event: never) => void) => {
          if (name === 'chart') chart = listener as typeof chart
          else expiring = listener as typeof expiring
          return () => undefined
        },
        supports: () => true,
        setUnsavedWork: (isUnsaved) => void unsaved.push(isUnsaved),
      },
      name: 'note',
      onState: (state) => void states.push(state),
    },
    page,
  )
  draft.onText((text) => void texts.push(text))
  return {
    ...{ draft, saved, unsaved, states, held, listeners, texts },
    /** Opens a chart beside the app; gives what the app shows at once, and waits until it has switched. */
    async open(ref: string | null) {
      const work: PromiseLike<unknown>[] = []
      chart({ ref, waitUntil: (one) => void work.push(one) })
      const atOnce = texts.at(-1)
      await Promise.all(work)
      return [atOnce, texts.at(-1)]
    },
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

test('shows the text of a chart at that chart only, and saves each at its own [V40]', async () => {
  const { draft, saved, open, end } = openDraft({ keptAt: { B: 'of B' } })
  await open('A')
  draft.write('typed at A')
  assert.deepEqual(await open('B'), ['', 'of B'], 'the text of A is gone at once')
  draft.write('of B, longer')
  assert.deepEqual(await open('A'), ['typed at A', 'typed at A'])
  assert.deepEqual(await open(null), ['', ''])
  await end()
  assert.deepEqual(
    saved.map(({ chart, text }) => [chart, text]),
    [
      ['A', 'typed at A'],
      ['B', 'of B, longer'],
    ],
  )
  draft.stop()
})

test('keeps the text of an earlier chart until the server takes it', async () => {
  let isDown = true
  const { draft, saved, open, unsaved } = openDraft({ answer: async () => (isDown ? 503 : 200) })
  await open('A')
  draft.write('typed at A')
  await open('B')
  draft.write('typed at B')
  await assert.rejects(draft.flush())
  assert.equal(unsaved.at(-1), true)
  isDown = false
  await draft.flush()
  assert.deepEqual(
    new Set(saved.map(({ chart, text }) => `${chart} ${text}`)),
    new Set(['A typed at A', 'B typed at B']),
  )
  assert.equal(unsaved.at(-1), false)
  draft.stop()
})

test('gives what was typed before the first chart was named to that chart', async () => {
  const { draft, saved, open, end } = openDraft({ kept: 'of no chart', keptAt: { A: 'of A' } })
  assert.equal(await draft.load(), 'of no chart')
  draft.write('typed early')
  assert.deepEqual(await open('A'), ['typed early', 'typed early'])
  await end()
  assert.deepEqual(
    saved.map(({ chart, text }) => [chart, text]),
    [['A', 'typed early']],
  )
  assert.deepEqual(await open('B'), ['', ''])
  draft.stop()
})

test('loads the text of a chart named meanwhile, and gives it to a late listener [V40]', async () => {
  const { draft, open } = openDraft({ kept: 'of no chart', keptAt: { A: 'of A', B: 'of B' } })
  const loading = draft.load()
  const opening = open('A')
  assert.equal(await loading, 'of A')
  await opening
  await open('B')
  const late: string[] = []
  draft.onText((text) => void late.push(text))
  assert.deepEqual(late, ['of B'])
  draft.stop()
})
