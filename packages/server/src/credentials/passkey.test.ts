// Where passkeys are offered: browsers give them to names only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPasskeys } from './passkey.ts'

test('offers passkeys at a name and at no IP address', () => {
  for (const name of ['https://connect.example', 'http://localhost:4700']) {
    assert.equal(hasPasskeys(name), true, name)
  }
  for (const address of ['http://127.0.0.1:4700', 'https://[2001:db8::1]:4700']) {
    assert.equal(hasPasskeys(address), false, address)
  }
})
