// The steps of a vendor with its first app: which there are in each environment, and which record ticks each.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import type { App, LaunchSpan } from '@chartside/protocol/payloads'
import { type FirstApp, listFirstAppSteps, registerStep } from './app-steps.ts'

const launch = (outcome: LaunchSpan['outcome']) => ({
  spans: [
    { span: 'open', party: 'host', outcome: 'ok' } as const,
    { span: 'context', party: 'host', outcome } as const,
  ],
})
const first = (fields: Partial<FirstApp>, app: object = {}): FirstApp => ({
  app: { id: 'app_1', name: 'Notes', stagingAccess: false, ...app } as App,
  secrets: 0,
  preflight: null,
  launches: [],
  ...fields,
})
const tick = (facts: FirstApp, environment: 'staging' | 'production') =>
  listFirstAppSteps(facts, environment, '/apps/app_1').map(({ title, isDone }) => [title, isDone])

test('has the steps from the server to the first launch, none ticked at first', () => {
  assert.deepEqual(tick(first({}), 'staging'), [
    ['Set its server up', false],
    ['Have its launches allowed', false],
    ['Pass the pre-flight', false],
    ['Launch it', false],
    ['Hand in a fault run', false],
  ])
  assert.deepEqual(tick(first({}), 'production'), [
    ['Set its server up', false],
    ['Pass the pre-flight', false],
    ['Go live', false],
  ])
})

test('ticks each step by its record: secret or key, permission, a ready launch', () => {
  const failed = [launch('failed'), launch('did_not_happen')]
  assert.deepEqual(
    tick(first({ secrets: 1, launches: failed }, { stagingAccess: true }), 'staging'),
    [
      ['Set its server up', true],
      ['Have its launches allowed', true],
      ['Pass the pre-flight', false],
      ['Launch it', false],
      ['Hand in a fault run', false],
    ],
  )
  const ready = [...failed, launch('ok')]
  assert.deepEqual(tick(first({ launches: ready }, { jwks: { keys: [] } }), 'production'), [
    ['Set its server up', true],
    ['Pass the pre-flight', false],
    ['Go live', true],
  ])
})

test('ticks the pre-flight by one that did not fail and is of the present addresses', () => {
  const step = (preflight: FirstApp['preflight']) => {
    const found = listFirstAppSteps(first({ preflight }), 'production', '/apps/app_1')[1]
    return [found?.title, found?.isDone, found?.text, found?.address]
  }
  const checkedAt = '2026-03-01T12:00:00Z'
  const address = '/apps/app_1#pre-flight'
  for (const outcome of ['passed', 'warning'] as const) {
    assert.deepEqual(step({ checkedAt, outcome, isCurrent: true }), [
      'Pre-flight passed',
      true,
      'Notes: The panel can open its pages.',
      address,
    ])
  }
  const left = [
    [null, /“Check the pages” says/],
    [{ checkedAt, outcome: 'failed', isCurrent: true }, /found what keeps them out/],
    [{ checkedAt, outcome: 'passed', isCurrent: false }, /have changed since the last one/],
  ] as const
  for (const [last, text] of left) {
    const [title, isDone, shown, at] = step(last)
    assert.deepEqual([title, isDone, at], ['Pass the pre-flight', false, address])
    assert.match(String(shown), text)
  }
})

test('says ready to publish in staging once everything is done, with grade A or B', () => {
  const checkedAt = '2026-03-01T12:00:00Z'
  const done = {
    secrets: 1,
    preflight: { checkedAt, outcome: 'passed', isCurrent: true },
    launches: [launch('ok')],
  } as const
  const last = (facts: Partial<FirstApp>, environment: 'staging' | 'production' = 'staging') => {
    const app = { stagingAccess: true }
    const step = listFirstAppSteps(first({ ...done, ...facts }, app), environment, '/a').at(-1)
    return [step?.title, step?.isDone, step?.isLasting]
  }
  for (const level of ['A', 'B'] as const) {
    assert.deepEqual(last({ faultRun: { level } }), ['Ready to publish', true, true])
    assert.deepEqual(last({ faultRun: { level }, launches: [] }), [
      'Fault run passed',
      true,
      undefined,
    ])
  }
  const handIn = ['Hand in a fault run', false, undefined]
  assert.deepEqual(last({}), handIn)
  assert.deepEqual(last({ faultRun: { level: 'C' } }), handIn)
  assert.deepEqual(last({ faultRun: { level: 'A' } }, 'production'), ['Go live', true, undefined])
})

test('leads to a guide that the documentation has', () => {
  const { guide } = registerStep(false, '/apps')
  const page = new URL(`../../../../../docs/${guide?.page}.md`, import.meta.url)
  assert.ok(existsSync(page), page.href)
})
