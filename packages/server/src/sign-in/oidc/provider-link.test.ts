// Whom an account of the provider may stand for, case by case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideLink } from './provider-link.ts'

const email = 'a@x.example'

test('an address binds an account only when it is verified and its person has no way to sign in', () => {
  const verified = { email, isEmailVerified: true }
  assert.equal(decideLink(verified, 0), 'link')
  assert.equal(decideLink(verified, 1), 'has_other_methods')
  assert.equal(decideLink(verified, undefined), 'not_invited')
  for (const methods of [undefined, 0, 1]) {
    assert.equal(decideLink({ email, isEmailVerified: false }, methods), 'address_not_verified')
    const silent = { email: undefined, isEmailVerified: true }
    assert.equal(decideLink(silent, methods), 'address_not_verified')
  }
})
