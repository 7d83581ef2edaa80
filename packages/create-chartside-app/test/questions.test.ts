// The questions in a terminal, key by key: what is asked, what is not, Ctrl-C.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Cancelled } from '../src/choices.ts'
import type { Flags } from '../src/command-line.ts'
import { askForMissing } from '../src/questions.ts'

const ENTER = '\r'
const DOWN = '\x1b[B'
const CTRL_C = '\x03'

/** Presses the keys, one group per question, and gives the answers and all that was shown. */
async function answer(flags: Flags, keys: readonly (readonly string[])[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  const output = Object.assign(new PassThrough(), { columns: 100, rows: 40 })
  let shown = ''
  output.on('data', (text) => {
    shown += text
  })
  const asking = askForMissing(flags, { cwd: '/nowhere', input, output })
  for (const group of keys) {
    for (const key of group) {
      // A person is slower; a prompt that is not there yet would miss the key.
      await wait(30)
      input.write(key)
    }
  }
  return { answers: await asking, shown }
}

test('gives the defaults for Enter at every question', async () => {
  const { answers, shown } = await answer({}, [[ENTER], [ENTER], [ENTER], [ENTER], [ENTER]])
  assert.deepEqual(answers, {
    directory: 'my-app',
    name: 'My App',
    option: '1',
    framework: 'express',
    kind: 'ui',
  })
  assert.match(shown, /Where shall it go\?/)
  assert.match(shown, /your server exchanges the code/)
})

test('uses what is typed and selected', async () => {
  const keys = [
    ['ward', ENTER],
    ['Ward Watch', ENTER],
    [DOWN, DOWN, ENTER],
    [DOWN, ENTER],
    [DOWN, ENTER],
  ]
  const { answers } = await answer({}, keys)
  assert.deepEqual(answers, {
    directory: 'ward',
    name: 'Ward Watch',
    option: '3',
    framework: 'fastify',
    kind: 'worker',
  })
})

test('does not ask what a flag answers', async () => {
  const flags = { directory: 'ward', name: 'Ward', option: '2', kind: 'worker' } as const
  const { answers, shown } = await answer(flags, [[ENTER]])
  assert.deepEqual(answers, { ...flags, framework: 'express' })
  assert.doesNotMatch(shown, /Where shall it go|What is it called|tokens|kind of app/)
})

test('offers React for an app with a page, and not for a Worker app', async () => {
  const known = { directory: 'ward', name: 'Ward', option: '1' } as const
  const page = await answer({ ...known, kind: 'ui' }, [[ENTER]])
  assert.match(page.shown, /React with Vite[\s\S]*Next\.js/)
  const worker = await answer({ ...known, kind: 'worker' }, [[ENTER]])
  assert.doesNotMatch(worker.shown, /React|Next\.js/)
})

test('refuses an invalid name at once, and asks again', async () => {
  const flags = { directory: 'ward', option: '2', framework: 'hono', kind: 'ui' } as const
  const { answers, shown } = await answer(flags, [
    ['{', ENTER],
    ['\x7f', 'Ward', ENTER],
  ])
  assert.match(shown, /cannot be the name of an app/)
  assert.equal(answers.name, 'Ward')
})

test('treats Ctrl-C at any question as a cancellation', async () => {
  for (const before of [0, 1, 2, 3, 4]) {
    const keys = [...Array.from({ length: before }, () => [ENTER]), [CTRL_C]]
    await assert.rejects(answer({}, keys), Cancelled)
  }
})
