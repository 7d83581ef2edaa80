// The options that createAppKit refuses at start, with the name of the cause. Spec §4.2, §5.4;
// security H03, R03, R11.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AppKitOptions, parseOptions } from './settings.ts'

const options: AppKitOptions = {
  baseUrl: 'https://chartside.example/',
  clientId: 'cli_1',
  clientSecret: 'cs_1',
}

test('derives the addresses of spec §4 from the base address', () => {
  const { baseUrl, issuer, tokenUrl, jwksUri, toleranceSeconds } = parseOptions(options)
  assert.deepEqual(
    [baseUrl, issuer, tokenUrl, jwksUri, toleranceSeconds],
    [
      'https://chartside.example',
      'https://chartside.example/app-auth',
      'https://chartside.example/app-auth/token',
      'https://chartside.example/app-auth/.well-known/jwks.json',
      30,
    ],
  )
})

for (const [what, changes, message] of [
  ['a missing secret', { clientSecret: '' }, /clientSecret is missing/],
  ['a secret with a line break', { clientSecret: 'cs_1\n' }, /a space or a line break/],
  ['a secret and a key', { clientKey: { privateKey: {} as never, kid: 'one' } }, /Use one/],
  ["the app's id in place of its client ID", { clientId: 'app_1' }, /begins with cli_/],
  ['a base address that is none', { baseUrl: 'chartside.example' }, /not an absolute URL/],
  ['http to another machine [H03]', { baseUrl: 'http://chartside.example' }, /must be https/],
  [
    'a token address by http [H03]',
    { tokenUrl: 'http://10.0.0.1/token' },
    /tokenUrl must be https/,
  ],
  ['another scheme', { jwksUri: 'file:///etc/jwks.json' }, /jwksUri must be https/],
  ['a tolerance above 60 s [R11]', { clockToleranceSeconds: 61 }, /from 0 to 60/],
  ['a tolerance below 0 s [R11]', { clockToleranceSeconds: -1 }, /from 0 to 60/],
  ['a tolerance that is no number', { clockToleranceSeconds: Number.NaN }, /from 0 to 60/],
  ['a longer time for the exchange [R09]', { exchangeTimeoutMs: 10_001 }, /from 0 to 10000/],
  ['an allowed origin with a path', { allowedOrigins: ['https://a.example/x'] }, /allowedOrigins/],
] as const) {
  test(`refuses ${what}`, () => {
    assert.throws(() => parseOptions({ ...options, ...changes }), message)
  })
}

test('accepts http for loopback, and elsewhere only with dangerouslyAllowHttp', () => {
  for (const host of ['localhost:4700', 'app.localhost', '127.0.0.1:1', '[::1]:4700']) {
    parseOptions({ ...options, baseUrl: `http://${host}` })
  }
  assert.throws(() => parseOptions({ ...options, baseUrl: 'http://127.0.0.1.evil.example' }))
  parseOptions({ ...options, baseUrl: 'http://chartside:4700', dangerouslyAllowHttp: true })
})

test('pins one algorithm, RS256 by default, and takes no other than ES256 [R03]', () => {
  assert.equal(parseOptions(options).alg, 'RS256')
  assert.equal(parseOptions({ ...options, idTokenSignedResponseAlg: 'ES256' }).alg, 'ES256')
  for (const alg of ['none', 'HS256', 'RS512', '', ['RS256', 'ES256']]) {
    const sneaky = { ...options, idTokenSignedResponseAlg: alg } as AppKitOptions
    assert.throws(() => parseOptions(sneaky), /idTokenSignedResponseAlg must be RS256 or ES256/)
  }
  const sneaky = { ...options, algorithms: ['HS256', 'none'], algorithm: 'none' }
  assert.doesNotMatch(JSON.stringify(parseOptions(sneaky as AppKitOptions)), /HS256|none/)
})
