// Tests of when the session cookie counts, as a table of what browsers send.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildClearedCookie,
  buildSessionCookie,
  findCookieToken,
  isOfOwnOrigin,
} from './session-cookie.ts'

const BASE = 'https://chartside.test'
const LOOPBACK = 'http://localhost:4700'

test('sets the session cookie host-only, Secure, HttpOnly and Strict [H04]', () => {
  assert.equal(
    buildSessionCookie(BASE, 'st_x'),
    '__Host-chartside-session=st_x; Path=/; HttpOnly; SameSite=Strict; Secure',
  )
  assert.equal(
    buildSessionCookie(LOOPBACK, 'st_x'),
    'chartside-session-4700=st_x; Path=/; HttpOnly; SameSite=Strict',
  )
  assert.match(buildClearedCookie(BASE), /^__Host-chartside-session=; .*Secure; Max-Age=0$/)
})

test('finds one session cookie by its exact name, and chooses between none', () => {
  const found = (cookies: string | undefined) => findCookieToken(BASE, cookies)
  assert.equal(found('a=b; __Host-chartside-session=st_x; __Host-chartside=y'), 'st_x')
  assert.equal(found('__Host-chartside-session=st_x; __Host-chartside-session=st_y'), undefined)
  assert.equal(found('chartside-session=st_x'), undefined)
  assert.equal(found('x__Host-chartside-session=st_x'), undefined)
  assert.equal(found(undefined), undefined)
})

test('takes no session cookie of a service at another port of the machine [V29]', () => {
  const cookies = buildSessionCookie('http://localhost:4800', 'st_other').split(';')[0]
  assert.equal(findCookieToken(LOOPBACK, `${cookies}; chartside-session=st_old`), undefined)
  assert.equal(findCookieToken(LOOPBACK, `${cookies}; chartside-session-4700=st_x`), 'st_x')
  assert.equal(findCookieToken('http://localhost', 'chartside-session-80=st_x'), 'st_x')
})

const ROWS: readonly (readonly [string, string | undefined, string | undefined, boolean])[] = [
  ['GET', undefined, 'same-origin', true],
  ['GET', undefined, 'none', true],
  ['GET', undefined, undefined, true],
  ['GET', BASE, 'same-origin', true],
  ['GET', undefined, 'cross-site', false],
  ['GET', undefined, 'same-site', false],
  ['GET', 'https://evil.test', undefined, false],
  ['POST', BASE, 'same-origin', true],
  ['POST', BASE, undefined, true],
  ['POST', undefined, 'same-origin', true],
  ['POST', undefined, undefined, false],
  ['POST', undefined, 'none', false],
  ['POST', BASE, 'same-site', false],
  ['POST', BASE, 'cross-site', false],
  ['POST', 'null', 'same-origin', false],
  ['POST', 'https://chartside.test.evil', undefined, false],
  ['POST', 'http://chartside.test', 'same-origin', false],
  ['DELETE', `${BASE}:444`, 'same-origin', false],
  ['PATCH', 'chrome-extension://abcdefghijklmnopabcdefghijklmnop', 'cross-site', false],
]

for (const [method, origin, fetchSite, expected] of ROWS) {
  test(`${expected ? 'takes' : 'ignores'} the cookie of ${method} from ${origin}, ${fetchSite} [U06]`, () => {
    assert.equal(isOfOwnOrigin(BASE, { method, origin, fetchSite }), expected)
  })
}
