// The cookie of a browser that signs in: made by the server only, host-bound, and read strictly.
// Security H04, U06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandomness } from '../../kernel/randomness.ts'
import { createPreAuthSession, findPreAuthSession } from './pre-auth-session.ts'

const HTTPS = 'https://chartside.example'

test('makes a cookie for this host, without script, and a new one each time [H04]', () => {
  const made = [1, 2].map(() => createPreAuthSession(HTTPS, systemRandomness()))
  assert.notEqual(made[0]?.secret, made[1]?.secret)
  for (const { secret, setCookie } of made) {
    const attributes = 'Path=/; HttpOnly; SameSite=Lax; Secure'
    assert.equal(setCookie, `__Host-chartside=${secret}; ${attributes}`)
    assert.deepEqual(findPreAuthSession(HTTPS, `a=b; __Host-chartside=${secret}`), { secret })
  }
})

test('reads no cookie that a caller has made up, and none that stands twice [U06]', () => {
  const good = 'A'.repeat(43)
  for (const cookies of [
    '',
    '__Host-chartside=',
    '__Host-chartside=short',
    `__Host-chartside=${'A'.repeat(44)}`,
    `__Host-chartside=${'A'.repeat(42)}!`,
    `chartside=${good}`,
    `x__Host-chartside=${good}`,
    `__Host-chartside=${good}; __Host-chartside=${'B'.repeat(43)}`,
  ]) {
    assert.equal(findPreAuthSession(HTTPS, cookies), undefined, cookies)
  }
})
