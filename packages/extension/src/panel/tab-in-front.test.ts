// The tab in front of the window of a panel, whatever the browser says first: a wrong one would show the apps
// of another chart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BrowserTabs, followTabInFront } from './tab-in-front.ts'

const WINDOW = 1

/** A browser whose answer to the first question comes when the test says so. */
function follow(answer: { id: number; active: boolean }[]) {
  const seen: (number | null | string)[] = []
  const fire: Record<string, (...args: never[]) => void> = {}
  const on = (name: string) => ({
    addListener: (listener: (...args: never[]) => void) => {
      fire[name] = listener
    },
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  const tabs = {
    onActivated: on('activated'),
    onRemoved: on('removed'),
    onDetached: on('detached'),
    onReplaced: on('replaced'),
    findWindow: async () => {
      await promise
      return { id: WINDOW, tabs: answer }
    },
  } as unknown as BrowserTabs
  const done = followTabInFront(tabs, {
    onFront: (tabId) => seen.push(tabId),
    onGone: (tabId) => seen.push(`gone ${tabId}`),
  })
  const call = (name: string, ...args: unknown[]) => fire[name]?.(...(args as never[]))
  return {
    seen,
    activate: (tabId: number, windowId = WINDOW) => call('activated', { tabId, windowId }),
    call,
    answer: async () => {
      resolve()
      await done
    },
  }
}

const TABS = [
  { id: 7, active: true },
  { id: 8, active: false },
]

test('begins with the tab that the browser names', async () => {
  const tabs = follow(TABS)
  await tabs.answer()
  assert.deepEqual(tabs.seen, [7])
})

test('takes a tab that came to the front before the answer, which is older [V40]', async () => {
  const tabs = follow(TABS)
  tabs.activate(8)
  await tabs.answer()
  assert.deepEqual(tabs.seen, [8])
})

test('follows its own window and no other one', async () => {
  const tabs = follow(TABS)
  tabs.activate(99, 2)
  await tabs.answer()
  tabs.activate(98, 2)
  tabs.activate(8)
  assert.deepEqual(tabs.seen, [7, 8])
})

test('lets go of a tab that is closed or moved, and follows one that is swapped', async () => {
  const tabs = follow(TABS)
  await tabs.answer()
  tabs.call('replaced', 17, 7)
  tabs.call('replaced', 18, 8)
  tabs.call('detached', 17, { oldWindowId: WINDOW })
  assert.deepEqual(tabs.seen, [7, 'gone 7', 17, 'gone 8', 'gone 17'])
})
