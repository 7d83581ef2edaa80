// One cause over apps: what is one, and what stays apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LaunchCause } from '../list/launch-list-store.ts'
import { groupCauses } from './launch-causes.ts'

const cause = (appId: string, count: number, other: Partial<LaunchCause> = {}): LaunchCause => ({
  ...{ reason: 'host_reported', code: 'TOKEN_UNAVAILABLE', step: 'context', appId, count },
  ...{ firstAt: 100 - count, lastAt: 200 + count, exampleLaunchId: `lau_of_${appId}`, ...other },
})

test('makes one cause of what failed for one reason at one step, with its apps', () => {
  const [first, ...others] = groupCauses([cause('notes', 2), cause('gaps', 5), cause('desk', 1)])
  assert.deepEqual(others, [])
  assert.deepEqual(
    [first?.count, first?.firstAt, first?.lastAt, first?.exampleLaunchId],
    [8, 95, 205, 'lau_of_gaps'],
  )
  assert.deepEqual(
    first?.apps.map(({ appId, count }) => [appId, count]),
    [
      ['gaps', 5],
      ['notes', 2],
      ['desk', 1],
    ],
  )
})

test('keeps another reason, step or code apart, the most frequent first', () => {
  const groups = groupCauses([
    cause('notes', 3),
    cause('notes', 4, { code: 'HANDSHAKE_TIMEOUT' }),
    cause('notes', 2, { step: 'handshake' }),
    cause('notes', 9, { reason: 'secret_retired', code: undefined, step: 'exchange' }),
    cause('gaps', 2),
  ])
  assert.deepEqual(
    groups.map(({ count, apps }) => [count, apps.length]),
    [
      [9, 1],
      [5, 2],
      [4, 1],
      [2, 1],
    ],
  )
})
