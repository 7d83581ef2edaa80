// The rule of when and why a launch ended, and its state. Contract §3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { livenessCutoff } from '../liveness/liveness.ts'
import { decideLaunchEnd, decideLaunchState, type Launch } from './launch.ts'

const MINUTE = 60_000
const NONE = undefined
const BLANK: Launch = {
  ...{ id: 'lau_1', part: 1, launchHash: '', appId: 'app_1', clientId: 'cli_1', kind: 'ui' },
  ...{ sessionId: 'ses_1', signInId: 'sgn_1', createdAt: 0, expiresAt: 5 * MINUTE },
  ...{ authorizedAt: NONE, codeSpentAt: NONE, tokenExpiresAt: NONE, tokenRevokedAt: NONE },
  ...{ openedAt: NONE, handshakeAt: NONE, contextAt: NONE, endedAt: NONE, endedReason: NONE },
  ...{ authorizeReceivedAt: NONE, authorizeAnsweredAt: NONE },
  ...{ exchangeReceivedAt: NONE, exchangeAnsweredAt: NONE },
  redirectUri: undefined,
  exchangeClient: undefined,
  page: undefined,
  chartChanges: [],
  logoutNotice: undefined,
  failureCount: 0,
  context: {
    ...{ sub: 'usr_1', name: 'N', email: 'e', sid: 'ses_1', ehr_type: 'm', device_id: 'd' },
    auth_time: 0,
    account: { id: 'acc_1', name: 'Lakeside' },
  },
  signIn: { endedAt: NONE, endedReason: NONE, expiresAt: 720 * MINUTE, lastSeenAt: 0 },
}
const AUTHORIZED = { ...BLANK, authorizedAt: 1 }
const EXCHANGED = { ...AUTHORIZED, codeSpentAt: 2, tokenExpiresAt: 60 * MINUTE }
const awake = { ...BLANK.signIn, lastSeenAt: 100 * MINUTE }

const shown = (launch: Launch, now: number) => {
  const cutoff = livenessCutoff(now, 30 * 60)
  const end = decideLaunchEnd(launch, cutoff)
  return [decideLaunchState(launch, cutoff), end && `${end.reason} ${end.at / MINUTE}`]
}

test('has no end while a launch is live', () => {
  assert.deepEqual(shown(BLANK, MINUTE), ['opened', NONE])
  assert.deepEqual(shown(AUTHORIZED, MINUTE), ['authorized', NONE])
  assert.deepEqual(shown(EXCHANGED, 20 * MINUTE), ['exchanged', NONE])
})

test('expires before any token at the time of the launch, then with its token', () => {
  assert.deepEqual(shown(BLANK, 5 * MINUTE), ['expired', 'expired 5'])
  assert.deepEqual(shown(AUTHORIZED, 5 * MINUTE), ['expired', 'expired 5'])
  assert.deepEqual(shown({ ...EXCHANGED, signIn: awake }, 60 * MINUTE), ['expired', 'expired 60'])
})

test('ends with its sign-in, for the reason of that', () => {
  assert.deepEqual(shown(EXCHANGED, 31 * MINUTE), ['ended', 'idle 30'])
  const over = { ...BLANK.signIn, expiresAt: 20 * MINUTE }
  assert.deepEqual(shown({ ...EXCHANGED, signIn: over }, 20 * MINUTE), ['ended', 'expired 20'])
})

test('ends by the reason that is stored, and by a revoked token or code', () => {
  const end = { endedAt: 3 * MINUTE, endedReason: 'app_disabled' } as const
  assert.deepEqual(shown({ ...EXCHANGED, ...end }, 4 * MINUTE), ['ended', 'app_disabled 3'])
  const old = { ...EXCHANGED, endedAt: 3 * MINUTE }
  assert.deepEqual(shown(old, 4 * MINUTE), ['ended', 'closed 3'])
  const revoked = { ...EXCHANGED, tokenRevokedAt: 3 * MINUTE }
  assert.deepEqual(shown(revoked, 4 * MINUTE), ['ended', 'revoked 3'])
  const invalidated = { ...AUTHORIZED, codeSpentAt: 3 * MINUTE }
  assert.deepEqual(shown(invalidated, 10 * MINUTE), ['ended', 'revoked 3'])
})

test('keeps the first end: a sign-out later changes none', () => {
  const later = { endedAt: 10 * MINUTE, endedReason: 'signed_out' } as const
  assert.deepEqual(shown({ ...BLANK, ...later }, 11 * MINUTE), ['expired', 'expired 5'])
  const revoked = { ...EXCHANGED, ...later, tokenRevokedAt: 3 * MINUTE }
  assert.deepEqual(shown(revoked, 11 * MINUTE), ['ended', 'revoked 3'])
})
