// The sentence of the overview: what it says when an app does not open now, when it is over, and when all is well.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HealthOverview } from '@chartside/protocol/payloads'
import { describeHealth, describeTaken } from './health-words.ts'

const figure = (value: number | null, usual: number | null = null) => ({ value, usual })
const figures = {
  ...{ readyShare: figure(0.5, 0.996), launches: figure(40, 60), failed: figure(20) },
  ...{ mostWithinMs: figure(1400), practices: figure(40), apps: figure(8) },
  refusedSignIns: figure(3),
}
const incident = {
  app: { id: 'app_1', name: 'Visit Notes' },
  ...{ isNow: true, since: '2026-11-27T17:46:00Z', until: '2026-11-27T18:00:00Z' },
  ...{ launches: 20, failed: 18, practices: 3, cause: 'The secret was retired.' },
}
const service: HealthOverview['service'] = []
const apps: HealthOverview['apps'] = []
const formatTime = (at: number) => new Date(at).toISOString().slice(11, 16)

test('says what does not open, where, since when and why', () => {
  assert.deepEqual(describeHealth({ figures, incidents: [incident], apps, service }, formatTime), {
    tone: 'bad',
    title: 'Visit Notes does not open in 3 of 40 practices',
    text: 'Since 17:46. 18 of 20 launches of Visit Notes failed. The secret was retired.',
  })
})

test('names the one practice in which an app does not open', () => {
  const worstPractice = { id: 'acc_1', name: 'Lakeside' }
  const counts = { launches: 20, failed: 18, readyShare: 0.1, readyShares: [] }
  const { title } = describeHealth(
    {
      ...{ figures, service, incidents: [{ ...incident, practices: 1 }] },
      apps: [{ app: incident.app, worstPractice, ...counts }],
    },
    formatTime,
  )
  assert.equal(title, 'Visit Notes does not open in 1 of 40 practices: Lakeside')
})

test('says that it is well again, and what was', () => {
  const { tone, title, text } = describeHealth(
    { figures, incidents: [{ ...incident, isNow: false }], apps, service },
    formatTime,
  )
  assert.deepEqual([tone, title], ['good', 'It is well now'])
  assert.match(
    text,
    /^Visit Notes did not open from 17:46 to 18:00\. The secret was retired\. 50 %/,
  )
})

test('is not well while a part of the service is not, whatever the launches say', () => {
  const part = { state: 'bad', at: null, nextAt: null, tookMs: null } as const
  const broken = [
    { ...part, name: 'keys' as const },
    { ...part, name: 'jobs' as const },
    { ...part, name: 'mail' as const, state: 'unknown' as const },
  ]
  const well = { ...figures, readyShare: figure(0.996, 0.996) }
  assert.deepEqual(
    describeHealth({ figures: well, incidents: [], apps, service: broken }, formatTime),
    {
      tone: 'warn',
      title: 'Look at signing keys and background jobs',
      text: '99.6 % of 40 launches became ready.',
    },
  )
  const { title, text } = describeHealth(
    { figures, incidents: [incident], apps, service: broken.slice(0, 1) },
    formatTime,
  )
  assert.match(title, /^Visit Notes does not open/)
  assert.match(text, /Look at signing keys too\.$/)
})

test('says when fewer become ready, and when nothing was opened', () => {
  assert.equal(describeHealth({ figures, incidents: [], apps, service }, formatTime).tone, 'warn')
  const none = { ...figures, launches: figure(0), readyShare: figure(null) }
  assert.equal(
    describeHealth({ figures: none, incidents: [], apps, service }, formatTime).tone,
    'quiet',
  )
})

test('says who has taken a version, and of one practice what it runs', () => {
  const older = (version: number) => [{ practice: { id: 'acc_1', name: 'Lakeside' }, version }]
  const said = [
    describeTaken({ taken: { by: 32, of: 40, older: older(1) } }),
    describeTaken({ taken: { by: 40, of: 40, older: [] } }),
    describeTaken({ taken: { by: 0, of: 1, older: older(7) } }),
    describeTaken({ taken: { by: 0, of: 1, older: older(0) } }),
    describeTaken({ taken: { by: 1, of: 1, older: [] } }),
    describeTaken({ taken: { by: 0, of: 0, older: [] } }),
    describeTaken({ taken: null }),
  ]
  assert.deepEqual(said, [
    '32 of 40 practices run it.',
    'All 40 practices run it.',
    'One practice runs the collection, in version 7.',
    'One practice chose the collection, and runs no version yet.',
    'The one practice that chose the collection runs it.',
    '',
    '',
  ])
})
