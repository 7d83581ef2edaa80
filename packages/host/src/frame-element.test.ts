// Where a frame may be sent, as a table of Launch URLs taken and refused.
// Contract §4 (registered URLs); security L06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenedLaunch } from '@chartside/protocol/launch'
import { requireLaunchUrl } from './frame-element.ts'

const launch = (launchUrl: string): OpenedLaunch => ({
  id: 'lau_1',
  launchId: 'lnch_1',
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
