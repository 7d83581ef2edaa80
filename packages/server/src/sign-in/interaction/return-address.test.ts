// Tests of the address to which a sign-in returns, as a table of what an attacker may put there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReturnAddress } from './return-address.ts'

test('returns to an address of the console with query and fragment', () => {
  for (const address of ['/console', '/console/launches?state=failed#row', '/console/acc_1/people'])
    assert.equal(parseReturnAddress(address), address)
})

const HOSTILE = [
  undefined,
  '',
  '//evil.test/console',
  '/\\evil.test/console',
  'https://evil.test/console',
  'javascript:alert(1)//console',
  '/console.evil.test',
  '/consoles',
  '/console/../auth/sign-out',
  '/console/%2e%2e/api/users/me',
  '/console\\..\\..\\evil',
  '/console\n//evil.test',
  '/console/\u2028',
  `/console/${'x'.repeat(600)}`,
  '/api/users/me',
]
for (const address of HOSTILE) {
  test(`returns home for ${JSON.stringify(address)?.slice(0, 40)} [U06]`, () => {
    assert.equal(parseReturnAddress(address), '/console')
  })
}
