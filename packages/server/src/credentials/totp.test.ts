// Codes of an authenticator app against the vectors of RFC 6238 appendix B and RFC 4648.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTotpUri, findTotpStep, toBase32, totpAt } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test('computes the codes of RFC 6238', () => {
  const vectors: [number, string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, code] of vectors) {
    assert.equal(totpAt(secret, Math.floor(seconds / 30), 8), code)
  }
})

test('finds the step of a code within one step, with or without a space', () => {
  const now = 1_234_567_890_000
  const step = Math.floor(now / 30_000)
  for (const near of [-1, 0, 1]) {
    assert.equal(findTotpStep(secret, totpAt(secret, step + near), now), step + near)
  }
  assert.equal(findTotpStep(secret, '005 924', now), step)
  for (const far of [-2, 2]) {
    assert.equal(findTotpStep(secret, totpAt(secret, step + far), now), undefined)
  }
  for (const wrong of ['', '00592', '0059240', 'abcdef']) {
    assert.equal(findTotpStep(secret, wrong, now), undefined)
  }
})

test('shows the secret in base32 and in the otpauth URI', () => {
  assert.equal(toBase32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  assert.equal(
    buildTotpUri(secret, 'a b@x.example', 'Chartside'),
    'otpauth://totp/Chartside%3Aa%20b%40x.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Chartside',
  )
})
