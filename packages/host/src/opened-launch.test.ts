// A launch that was opened together with its EHR session is shown without another call. Contract §3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenedLaunch } from '@chartside/protocol/launch'
import { APP, SEED, startHost } from './host-fixture.ts'

const LAUNCH: OpenedLaunch = {
  id: 'lau_9',
  launchId: 'lnch_9',
  kind: 'ui',
  launchUrl: `${APP}/launch?launch_id=lnch_9`,
  expiresAt: '2026-01-01T00:05:00Z',
  app: { id: 'app_1', name: 'Visit Notes', origins: [APP] },
  seed: SEED,
}
const mount = { append: () => {} } as unknown as HTMLElement

test('shows a launch that came with the EHR session, without asking for one', async (t) => {
  const { host, calls } = startHost(t)
  const frame = await host.open({ appId: 'app_1', kind: 'ui', mount, launch: LAUNCH })
  assert.equal(frame.element.src, LAUNCH.launchUrl)
  assert.deepEqual(
    calls.filter(({ route }) => route === 'launches'),
    [],
  )
})

test('refuses a launch of another app or of another EHR session [X03]', async (t) => {
  const { host } = startHost(t)
  const open = (appId: string, launch: OpenedLaunch) =>
    host.open({ appId, kind: 'ui', mount, launch })
  const foreign = { ...LAUNCH, seed: { ...SEED, sessionId: 'ses_2' } }
  await assert.rejects(open('app_1', foreign), { code: 'foreign_launch' })
  await assert.rejects(open('app_2', LAUNCH), { code: 'foreign_launch' })
  const elsewhere = { ...LAUNCH, launchUrl: 'https://evil.example/launch?launch_id=lnch_9' }
  await assert.rejects(open('app_1', elsewhere), { code: 'launch_url_refused' })
})

test('reports that an app is opened before its frame loads anything', async (t) => {
  const order: string[] = []
  const steps = () => order.push('report') && 204
  const fixture = startHost(t, { steps })
  const mount = { append: () => order.push('frame') } as never
  await fixture.host.open({ appId: 'app_1', kind: 'ui', mount })
  assert.deepEqual(order, ['report', 'frame'])
})
