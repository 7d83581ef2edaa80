// Which launch a frame of the panel gets: one of the grant at first, a new one from the host afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Host } from '@chartside/host'
import type { HostGrant } from '../messages.ts'
import { createHosting } from './hosting.ts'

const APP = { id: 'app_1', name: 'Visit Notes', kinds: ['ui'], autoLaunch: true }

test('opens an app with the launch of the grant once, and afterwards with a new one', () => {
  const opened: unknown[] = []
  const host = {
    open: async (options: object) => {
      opened.push('launch' in options ? options.launch : 'a new one')
      return { launch: { id: 'lau_1', app: APP }, close: () => {} }
    },
  }
  const place = { dataset: {}, remove: () => {} }
  const root = { append: () => {}, ownerDocument: { createElement: () => place } }
  const hosting = createHosting(root as unknown as HTMLElement, {
    createHost: () => host as unknown as Host,
    onSlots: () => {},
    onLaunches: () => {},
    onSignInEnds: () => {},
    now: () => 0,
  })
  const launch = { id: 'lau_1', app: APP }
  const grant = { session: { id: 'ses_1', apps: [APP] }, launches: [launch] }
  hosting.start(grant as unknown as HostGrant, null)
  hosting.close('app_1')
  hosting.launch('app_1')
  assert.deepEqual(opened, [launch, 'a new one'])
})
