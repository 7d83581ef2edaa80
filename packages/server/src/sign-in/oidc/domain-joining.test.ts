// Who joins by the domain of an address, each refusal by the one thing that differs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideJoining, type KnownOfAddress } from './domain-joining.ts'

const CLAIMS = {
  email: 'amy@lakeside.example',
  isEmailRefuted: false,
  hostedDomain: undefined as string | undefined,
}
const AT = { issuer: 'https://login.lakeside.example', accountId: 'acc_1' }
const KNOWN: KnownOfAddress = {
  verified: { accountId: 'acc_1', isJoinable: true },
  user: undefined,
  invitedRole: undefined,
}
const USER = { isDisabled: false, role: 'member', methods: 0 } as const

test('lets a new person of a proved domain join, and one who is only invited', () => {
  assert.equal(decideJoining(CLAIMS, AT, KNOWN), 'join')
  for (const invitedRole of ['provider', 'viewer', undefined] as const)
    assert.equal(decideJoining(CLAIMS, AT, { ...KNOWN, user: USER, invitedRole }), 'join')
})

test('lets none join whom the account does not let in', () => {
  for (const verified of [
    undefined,
    { accountId: 'acc_1', isJoinable: false },
    { accountId: 'acc_2', isJoinable: true },
  ])
    assert.equal(decideJoining(CLAIMS, AT, { ...KNOWN, verified }), 'not_allowed')
})

test('takes no address that the provider does not vouch for', () => {
  assert.equal(decideJoining({ ...CLAIMS, isEmailRefuted: true }, AT, KNOWN), 'not_vouched')
  const google = { ...AT, issuer: 'https://accounts.google.com' }
  for (const hostedDomain of [undefined, 'northgate.example', 'sub.lakeside.example'])
    assert.equal(decideJoining({ ...CLAIMS, hostedDomain }, google, KNOWN), 'not_vouched')
  const own = { ...CLAIMS, hostedDomain: 'lakeside.example' }
  assert.equal(decideJoining(own, google, KNOWN), 'join')
})

test('binds no person who is known here by the address [U06]', () => {
  const people = [
    { user: { ...USER, methods: 1 } },
    { user: { ...USER, isDisabled: true } },
    { user: { ...USER, role: 'admin' as const } },
    { user: USER, invitedRole: 'admin' as const },
  ]
  for (const known of people)
    assert.equal(decideJoining(CLAIMS, AT, { ...KNOWN, ...known }), 'known_here')
})
