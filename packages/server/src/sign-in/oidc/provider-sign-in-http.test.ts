// When a provider account is bound to a user by its e-mail address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideLink } from './provider-sign-in-http.ts'

const email = 'a@x.example'

test('binds an account by a verified address of a user without login methods', () => {
  const verified = { email, isEmailVerified: true }
  assert.equal(decideLink(verified, 0), 'link')
  assert.equal(decideLink(verified, 1), 'has_other_methods')
  assert.equal(decideLink(verified, undefined), 'not_invited')
  for (const count of [undefined, 0, 1]) {
    assert.equal(decideLink({ email, isEmailVerified: false }, count), 'address_not_verified')
    const unnamed = { email: undefined, isEmailVerified: true }
    assert.equal(decideLink(unnamed, count), 'address_not_verified')
  }
})
