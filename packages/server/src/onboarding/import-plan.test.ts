// What an import decides for a practice and for a person, from what is stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account } from '../accounts/account.ts'
import { type Practice, planAccount, planPerson, type Standing } from './import-plan.ts'

const PRACTICE: Practice = { externalId: 'NPI-1', name: 'Lakeside' }
const STORED: Account = {
  id: 'acc_1',
  externalId: 'NPI-1',
  name: 'Lakeside',
  collection: { id: 'col_1', version: 3 },
  requireSecondFactor: true,
  joinByDomain: 'off',
  createdAt: 1,
  updatedAt: 1,
}

test('creates what is missing, changes what differs, and leaves the rest', () => {
  assert.equal(planAccount(PRACTICE, undefined, true).outcome, 'created')
  assert.equal(planAccount(PRACTICE, STORED, true).outcome, 'unchanged')
  const renamed = planAccount({ ...PRACTICE, name: 'Lakeside Clinic' }, STORED, true)
  assert.deepEqual(renamed, {
    outcome: 'changed',
    // A practice that names no collection keeps the one it has.
    fields: { name: 'Lakeside Clinic', collection: { id: 'col_1', version: 3 } },
  })
  const latest = { ...PRACTICE, collection: { id: 'col_1', version: 'latest' as const } }
  assert.equal(planAccount(latest, STORED, true).outcome, 'changed')
  assert.equal(planAccount(latest, STORED, false).outcome, 'refused')
})

const PERSON = { email: 'mei@lakeside.example', name: 'Mei', role: 'provider' as const }
const standing = (fields: Partial<Standing>): Standing => ({
  role: undefined,
  state: 'none',
  hasOpenInvitation: false,
  isDisabled: false,
  ...fields,
})

test('invites once, and again only on request or after the invitation expired', () => {
  assert.equal(planPerson(PERSON, standing({}), false).outcome, 'invited')
  const open = standing({ state: 'invited', role: 'provider', hasOpenInvitation: true })
  assert.equal(planPerson(PERSON, open, false).outcome, 'waiting')
  assert.equal(planPerson(PERSON, open, true).outcome, 'invited')
  const expired = { ...open, hasOpenInvitation: false }
  assert.equal(planPerson(PERSON, expired, false).outcome, 'invited')
})

test('never changes the role of a member, nor takes a disabled user back', () => {
  const member = standing({ state: 'member', role: 'admin' })
  const kept = planPerson(PERSON, member, true)
  assert.equal(kept.outcome, 'member')
  assert.match('problem' in kept ? (kept.problem ?? '') : '', /is admin and stays so/)
  assert.equal(planPerson(PERSON, { ...member, isDisabled: true }, true).outcome, 'refused')
  assert.equal(planPerson(PERSON, standing({ isDisabled: true }), false).outcome, 'refused')
})
