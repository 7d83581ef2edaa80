// The match code that page and client derive, against values computed by hand.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { buildMatchCode, buildSignInUrl, CHALLENGE, SESSION_ID, VERIFIER } from './sign-in.ts'

test('builds the match code from the first eight characters of the challenge', () => {
  assert.equal(buildMatchCode(`ABCDEFGH${'A'.repeat(35)}`), '2345-6789')
  // g is the 32nd character and counts as the first again.
  assert.equal(buildMatchCode(`ghijklm_${'A'.repeat(35)}`), '2345-678Z')
  // RFC 7636 appendix B.
  assert.equal(buildMatchCode('E9Melhoa2OwvFrEMTJguCHaoeKE8EAWxpvCkFRSQVA4'), '6XEY-73AU')
})

test('uses each character of the match code equally often', () => {
  const seen = new Map<string, number>()
  for (let i = 0; i < 4000; i++) {
    const code = buildMatchCode(createHash('sha256').update(randomBytes(32)).digest('base64url'))
    assert.match(code, /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/)
    for (const sign of code.replace('-', '')) seen.set(sign, (seen.get(sign) ?? 0) + 1)
  }
  assert.equal(seen.size, 32)
  // 1,000 each are expected; six standard deviations are 190.
  for (const [sign, count] of seen) assert.ok(Math.abs(count - 1000) < 190, `${sign}: ${count}`)
})

test('builds a sign-in address from valid values of a client', () => {
  const verifier = randomBytes(32).toString('base64url')
  const sessionId = randomBytes(16).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  assert.match(verifier, VERIFIER)
  assert.match(sessionId, SESSION_ID)
  assert.match(challenge, CHALLENGE)
  assert.doesNotMatch(randomBytes(15).toString('base64url'), SESSION_ID)
  assert.equal(
    buildSignInUrl('https://chartside.test/auth/sign-in', sessionId, challenge),
    `https://chartside.test/auth/sign-in?session_id=${sessionId}&challenge=${challenge}`,
  )
})
