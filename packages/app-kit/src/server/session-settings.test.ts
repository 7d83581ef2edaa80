// The options that createSessions refuses at start, above all unlimited lifetimes. Spec §5.6;
// security H04.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSessionsOptions, type SessionsOptions } from './session-settings.ts'

for (const name of ['bearerSeconds', 'idleSeconds', 'totalSeconds'] as const) {
  test(`refuses a session with a ${name} that is unlimited or no duration`, () => {
    for (const value of [Number.NaN, Infinity, 400 * 86_400 + 1, 0, -1, '600', null]) {
      const lifetimes = { [name]: value } as SessionsOptions['lifetimes']
      assert.throws(() => parseSessionsOptions({ ...(lifetimes && { lifetimes }) }), {
        name: 'TypeError',
        message: new RegExp(`^createSessions: lifetimes.${name} must be a number above 0`),
      })
    }
  })
}

test('uses the default for undefined', () => {
  const lifetimes = { bearerSeconds: undefined, idleSeconds: undefined, totalSeconds: undefined }
  const { lifetimesMs } = parseSessionsOptions({ lifetimes })
  assert.deepEqual(lifetimesMs, { bearer: 600_000, idle: 3_600_000, total: 28_800_000 })
})

for (const [what, options, message] of [
  ['a cookie name that ends the name', { cookieName: 'a=b' }, /cookieName/],
  ['a cookie name with a line break', { cookieName: 'a\r\nSet-Cookie: x' }, /cookieName/],
  ['an empty cookie name', { cookieName: '' }, /cookieName/],
  ['a cookie path that adds an attribute', { cookiePath: '/; Domain=example' }, /cookiePath/],
  ['a cookie path without its slash', { cookiePath: 'api' }, /cookiePath/],
  ['an allowed origin with a slash', { allowedOrigins: ['https://a.example/'] }, /allowedOrigins/],
  ['the origin of every sandboxed page', { allowedOrigins: ['null'] }, /allowedOrigins/],
] as const) {
  test(`refuses ${what}`, () => {
    assert.throws(() => parseSessionsOptions(options), message)
  })
}
