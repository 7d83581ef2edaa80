// The launch key's MAC is HMAC-SHA-256, to the bit. RFC 2104, RFC 4231.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { launchKeyFrom } from './launch-key.ts'

test('equals the platform’s HMAC for every length of key and text', () => {
  for (const keyLength of [0, 1, 20, 32, 64]) {
    const secret = Buffer.from(Array.from({ length: keyLength }, (_, i) => (i * 37) & 0xff))
    for (const text of ['', 'lau_01kjmmm5qrrgatssvy095k', 'é'.repeat(100)]) {
      const expected = createHmac('sha256', secret).update(text).digest()
      assert.deepEqual(launchKeyFrom(secret).mac(text), expected)
    }
  }
})

test('equals the test vectors of RFC 4231', () => {
  const mac = launchKeyFrom(Buffer.from('Jefe')).mac('what do ya want for nothing?')
  const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  assert.equal(mac.toString('hex'), expected)
})

test('refuses a key longer than a block', () => {
  assert.throws(() => launchKeyFrom(Buffer.alloc(65)), RangeError)
})
