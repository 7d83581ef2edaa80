// Addresses against match patterns. test/browser/match-pattern.browser.ts asks Chromium itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesPattern, widenToHost } from './match-pattern.ts'

test('matches scheme, host, port and path as a browser does', () => {
  const cases: [string, string, boolean][] = [
    ['https://ehr.example/*', 'https://ehr.example/chart?id=1', true],
    ['https://ehr.example/*', 'https://EHR.example/', true],
    ['https://ehr.example/*', 'http://ehr.example/', false],
    ['*://ehr.example/*', 'http://ehr.example:8080/', true],
    ['*://ehr.example/*', 'ftp://ehr.example/', false],
    ['https://*.ehr.example/*', 'https://a.b.ehr.example/', true],
    ['https://*.ehr.example/*', 'https://ehr.example/', true],
    ['https://*.ehr.example/*', 'https://evilehr.example/', false],
    ['https://ehr.example:8443/*', 'https://ehr.example/', false],
    ['https://ehr.example:443/*', 'https://ehr.example/', true],
    ['https://ehr.example/chart/*', 'https://ehr.example/login', false],
    ['https://ehr.example/*/chart', 'https://ehr.example/a/b/chart', true],
    ['https://ehr.example/a*a', 'https://ehr.example/a', false],
    ['https://ehr.example/chart', 'https://ehr.example/chart?id=1', false],
    ['https://ehr.example/chart', 'https://ehr.example/chart#notes', true],
    ['https://ehr.example/*', 'https://ehr.example@evil.example/', false],
    ['https://ehr.example/*', 'not an address', false],
    ['<all_urls>', 'https://ehr.example/', false],
    ['https://*/*', 'https://ehr.example/', false],
  ]
  for (const [pattern, address, expected] of cases) {
    assert.equal(matchesPattern(pattern, address), expected, `${pattern} ${address}`)
  }
})

test('widens a pattern to its host, and gives none for a pattern that is none', () => {
  assert.equal(widenToHost('https://ehr.example/chart/*'), 'https://ehr.example/*')
  assert.equal(widenToHost('http://*.ehr.localhost:4701/*'), 'http://*.ehr.localhost/*')
  assert.equal(widenToHost('*://ehr.example/chart'), '*://ehr.example/*')
  assert.equal(widenToHost('*://*.ehr.example/chart', 'https'), 'https://*.ehr.example/*')
  assert.equal(widenToHost('http://ehr.example/*', 'https'), 'http://ehr.example/*')
  assert.equal(widenToHost('https://*/*'), null)
  assert.equal(widenToHost('ehr.example'), null)
})
