// The Launch URLs that a frame may load, as a table, and the sandbox of the frame.
// Contract §4 (registered URLs); security L06, V15.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenedLaunch } from '@chartside/protocol/launch'
import { createFrameElement, replaceFrameElement, requireLaunchUrl } from './frame-element.ts'

const launch = (launchUrl: string): OpenedLaunch => ({
  id: 'lau_1',
  launchId: 'lnch_1',
  kind: 'ui',
  launchUrl,
  expiresAt: '2026-01-01T00:00:00Z',
  app: {
    id: 'app_1',
    name: 'Visit Notes',
    origins: ['https://notes.example', 'http://notes.localhost:4702', 'http://notes.example'],
  },
  seed: {
    userId: 'usr_1',
    account: { id: 'acc_1', name: 'Lakeside' },
    ehrType: 'meadow',
    sessionId: 'ses_1',
    deviceId: 'dev_1',
  },
})

for (const url of [
  'https://notes.example/launch?launch_id=lnch_1',
  'http://notes.localhost:4702/launch?keep=1&launch_id=lnch_1',
]) {
  test(`opens ${url} [L06]`, () => {
    assert.equal(requireLaunchUrl(launch(url)), url)
  })
}

for (const url of [
  'http://notes.example/launch',
  'https://notes.example:8443/launch',
  'https://notes.example.evil/launch',
  'https://notes.example@evil.example/launch',
  'https://user:secret@notes.example/launch',
  'javascript:alert(1)',
  'data:text/html,hello',
  '/launch',
  '',
]) {
  test(`does not open ${url || 'an empty URL'} [L06]`, () => {
    assert.throws(() => requireLaunchUrl(launch(url)), { code: 'launch_url_refused' })
  })
}

/** An element that records its attributes; `cloneNode` copies them, as in a browser. */
function createElement(attributes = new Map<string, string>()): object {
  return {
    setAttribute: (name: string, value: string) => attributes.set(name, value),
    getAttribute: (name: string) => attributes.get(name) ?? null,
    cloneNode: () => createElement(new Map(attributes)),
    replaceWith: () => {},
  }
}

test('sandboxes each frame of an app without top navigation [V15]', () => {
  const document = { createElement: () => createElement() } as unknown as Document
  const { app, launchUrl } = launch('https://notes.example/launch')
  const first = createFrameElement(document, app)
  for (const element of [first, replaceFrameElement(first, launchUrl)]) {
    assert.deepEqual(element.getAttribute('sandbox')?.split(' ').sort(), [
      'allow-downloads',
      'allow-forms',
      'allow-modals',
      'allow-popups',
      'allow-popups-to-escape-sandbox',
      'allow-same-origin',
      'allow-scripts',
    ])
    assert.equal(element.getAttribute('referrerpolicy'), 'no-referrer')
    assert.equal(element.getAttribute('allow'), 'clipboard-write')
  }
})
