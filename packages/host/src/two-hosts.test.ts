// Several hosts in one window, one for each EHR session. Contract §5 step 2.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHello } from '@chartside/protocol/handshake'
import type { AppFrame } from './app-frame.ts'
import { APP } from './host-fixture.ts'
import { answerMessages } from './window-messages.ts'

type Receive = (event: { data: unknown; source: unknown; origin: string }) => void

function startWindow() {
  const listeners = new Set<Receive>()
  const window = {
    addEventListener: (_: string, listener: Receive) => listeners.add(listener),
    removeEventListener: (_: string, listener: Receive) => listeners.delete(listener),
  } as unknown as Window
  const startHost = () => {
    const contentWindow = {}
    const answered: string[] = []
    const ignored: string[] = []
    const frame = {
      element: { contentWindow },
      launch: { id: 'lau_1', app: { id: 'app_1', name: 'Notes', origins: [APP] } },
      ended: null,
      hellos: { has: () => false, recentCount: 0 },
      welcome: ({ nonce }: { nonce: string }) => answered.push(nonce),
    } as unknown as AppFrame
    const stop = answerMessages(window, new Set([frame]), (event) => {
      if (event.type === 'ignored') ignored.push(event.reason)
    })
    return { contentWindow, answered, ignored, stop }
  }
  const sendHello = (source: unknown, nonce: string) => {
    const data = buildHello({ versions: [1], nonce, sdkVersion: '1.0.0' })
    for (const receive of [...listeners]) receive({ data, source, origin: APP })
  }
  return { startHost, sendHello }
}

test('answers only its own frames and reports no hello of another host [X01]', () => {
  const { startHost, sendHello } = startWindow()
  const [first, second] = [startHost(), startHost()]
  sendHello(first.contentWindow, 'nonce_of_the_first_host')
  sendHello(second.contentWindow, 'nonce_of_the_second_host')
  assert.deepEqual(first.answered, ['nonce_of_the_first_host'])
  assert.deepEqual(second.answered, ['nonce_of_the_second_host'])
  assert.deepEqual([...first.ignored, ...second.ignored], [])
})

test('reports a hello of a window that no host opened, also after a host closed [X01]', () => {
  const { startHost, sendHello } = startWindow()
  const [first, second] = [startHost(), startHost()]
  sendHello({}, 'nonce_of_a_foreign_window')
  assert.deepEqual(first.ignored, ['unknown_source'])
  second.stop()
  sendHello(second.contentWindow, 'nonce_of_a_closed_host')
  assert.deepEqual(first.ignored, ['unknown_source', 'unknown_source'])
  assert.deepEqual(second.answered, [])
})
