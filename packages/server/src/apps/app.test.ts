// Registration of URLs and the exact match of redirect URIs. Contract §2 and §4, A02, A03, A05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildUrlWithQuery, findUrlProblem } from '@chartside/protocol/oauth'
import { systemRandomness } from '../kernel/randomness.ts'
import {
  decideRedirectUri,
  EXCHANGES,
  listExchangeProblems,
  listOrigins,
  listUrlProblems,
  newApp,
} from './app.ts'

test('allows https everywhere and http on loopback only', () => {
  const good = [
    'https://app.example/cb',
    'https://app.example:8443/cb?x=1',
    'http://localhost:3000/cb',
    'http://visit-notes.chartside.localhost:4702/cb',
    'http://127.0.0.1:3000/cb',
    'http://[::1]:3000/cb',
  ]
  for (const url of good) assert.equal(findUrlProblem(url), undefined, url)
})

test('refuses URLs that could be used against a user [A05]', () => {
  const bad = [
    'http://app.example/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'https://app.example/cb#fragment',
    'https://*.example/cb',
    'https://app.example/*',
    'https://user:pass@app.example/cb',
    'https://app.example\\@evil.example',
    'https://app.example/a b',
    'https://app。example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://app.example/cb',
    '//app.example/cb',
    'app.example/cb',
    '',
  ]
  for (const url of bad) assert.ok(findUrlProblem(url), url)
})

test('names each bad field of a registration', () => {
  const problems = listUrlProblems({
    launchUrl: 'http://app.example',
    redirectUris: ['https://ok.example', 'https://x.example/#'],
    allowedIframeUrls: ['*'],
  })
  assert.deepEqual(
    problems.map(({ field }) => field),
    ['/launchUrl', '/redirectUris/1', '/allowedIframeUrls/0'],
  )
})

test('pairs a token endpoint with its exchange', () => {
  for (const exchange of EXCHANGES) {
    for (const tokenEndpoint of [undefined, 'https://a.example/token']) {
      const app = { exchange, tokenEndpoint }
      const agrees = (exchange === 'token_endpoint') === (tokenEndpoint !== undefined)
      assert.equal(listExchangeProblems(app).length, agrees ? 0 : 1)
    }
  }
})

test('matches a redirect URI as an exact string only [A02]', () => {
  const app = { redirectUris: ['https://app.example/cb'] }
  assert.equal(decideRedirectUri(app, 'https://app.example/cb'), 'https://app.example/cb')
  for (const near of [
    'https://app.example/cb/',
    'https://APP.example/cb',
    'https://app.example/c',
  ]) {
    assert.equal(decideRedirectUri(app, near), undefined)
  }
})

test('adds parameters to a URL and leaves every byte of it as it is', () => {
  assert.equal(
    buildUrlWithQuery('https://a.example', { x: 'a b&c' }),
    'https://a.example?x=a%20b%26c',
  )
  assert.equal(buildUrlWithQuery('https://a.example/?', { x: '1' }), 'https://a.example/?x=1')
  assert.equal(
    buildUrlWithQuery('https://a.example/p?q=%7e&', { x: '1' }),
    'https://a.example/p?q=%7e&x=1',
  )
  assert.equal(
    buildUrlWithQuery('https://a.example/p?q', { x: { encoded: '%41' } }),
    'https://a.example/p?q&x=%41',
  )
})

test('refuses a redirect URI with a parameter that the response adds [A04]', () => {
  for (const name of ['code', 'state', 'iss', 'error', 'error_description']) {
    const [problem] = listUrlProblems({ redirectUris: [`https://app.example/cb?${name}=x`] })
    assert.match(problem?.message ?? '', new RegExp(`has the parameter ${name},`))
  }
  assert.deepEqual(listUrlProblems({ redirectUris: ['https://app.example/cb?codes=x'] }), [])
})

test('refuses a Launch URL that has a launch_id: apps would read it, not the real one', () => {
  for (const field of ['launchUrl', 'workerLaunchUrl'] as const) {
    const [problem] = listUrlProblems({ [field]: 'https://app.example/launch?x=1&launch_id=y' })
    assert.deepEqual([problem?.field], [`/${field}`])
    assert.match(problem?.message ?? '', /has the parameter launch_id,/)
    assert.deepEqual(listUrlProblems({ [field]: 'https://app.example/launch?launch=1' }), [])
    const stored = { [field]: 'https://app.example/launch?launch_id=y' }
    assert.deepEqual(listUrlProblems(stored, stored), [], 'it can still be disabled')
  }
})

test('lists the origins of an app without path, each once [L06]', () => {
  const lifetimes = { accessTokenLifetimeSeconds: 60, idTokenLifetimeSeconds: 60 }
  const origins = listOrigins({
    ...newApp(lifetimes, 'acc_1', 0, systemRandomness()),
    launchUrl: 'https://app.example/launch?x=1',
    redirectUris: ['https://app.example/cb', 'https://login.example:8443/cb'],
    allowedIframeUrls: ['https://frame.example/a/b'],
  })
  assert.deepEqual(origins, [
    'https://app.example',
    'https://login.example:8443',
    'https://frame.example',
  ])
})
