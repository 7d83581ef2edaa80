// Match patterns of EHR pages: Chrome's grammar, every host refused, and properties over generated
// patterns. test/browser/match-pattern.browser.ts asks Chromium itself. Contract §4.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findMatchPatternProblem } from './match-pattern.ts'

const GOOD = [
  'https://ehr.example/*',
  'https://*.ehr.example/*',
  '*://ehr.example/chart*',
  'http://ehr.chartside.localhost:4701/meadow/*',
  'http://*.localhost/*',
  'http://*.x.org:80/a?b=*',
  'http://localhost:*/*',
  'https://10.1.2.3/*',
  'http://[::1]:8080/*',
  'https://EHR.Example/',
]

/** Each with a word of the reason. */
const BAD: readonly (readonly [pattern: string, reason: RegExp])[] = [
  ['<all_urls>', /every host/],
  ['*://*/*', /every host/],
  ['https://*/*', /every host/],
  ['https://*:443/*', /every host/],
  ['https://*./*', /every host/],
  ['https://*.com/*', /every host under .com/],
  ['https://*.1/*', /no subdomains/],
  ['https://*.10.1.2.3/*', /no subdomains/],
  ['https://10.1.2/*', /address is not valid/],
  ['https://0x7f000001/*', /address is not valid/],
  ['https://256.1.1.1/*', /address is not valid/],
  ['https://[::g]/*', /address is not valid/],
  ['https://*ehr.example/*', /whole host part/],
  ['https://ehr.*/*', /whole host part/],
  ['https://ehr.*.example/*', /whole host part/],
  ['https://*.*.example/*', /whole host part/],
  ['https://ehr.example', /path must follow/],
  ['https:///*', /host is missing/],
  ['ehr.example/*', /match pattern such as/],
  ['', /match pattern such as/],
  ['https:/ehr.example/*', /match pattern such as/],
  ['ftp://ehr.example/*', /scheme/],
  ['file:///*', /scheme/],
  ['HTTPS://ehr.example/*', /scheme/],
  ['javascript://ehr.example/*', /scheme/],
  ['https://user:pass@ehr.example/*', /no password/],
  ['https://ehr.example:99999/*', /port/],
  ['https://ehr.example:/*', /port/],
  ['*://ehr.example:443/*', /needs a scheme/],
  ['https://ehr.example:8*/*', /port/],
  ['https://ehr..example/*', /a–z, digits/],
  ['https://ehr。example/*', /a–z, digits/],
  ['https://ehr.example/#/chart', /fragment/],
  ['https://ehr.example/a b', /space/],
  [' https://ehr.example/*', /scheme/],
  [`https://${'a.'.repeat(200)}example/*`, /a–z, digits/],
]

test('accepts patterns of named hosts, and names what is wrong with each other one', () => {
  for (const pattern of GOOD) assert.equal(findMatchPatternProblem(pattern), undefined, pattern)
  for (const [pattern, reason] of BAD) {
    assert.match(findMatchPatternProblem(pattern) ?? 'accepted', reason, pattern)
  }
})

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/)
const named = fc.tuple(label, label).map((labels) => labels.join('.'))
const parts = fc.record({
  scheme: fc.constantFrom('https', 'http', '*'),
  prefix: fc.constantFrom('', '*.'),
  host: named,
  port: fc.oneof(
    fc.constant(''),
    fc.constant(':*'),
    fc.nat(65_535).map((port) => `:${port}`),
  ),
  path: fc.stringMatching(/^\/[a-z0-9*?=&/-]{0,20}$/),
})

test('accepts every pattern of the grammar with a named host', () => {
  fc.assert(
    fc.property(parts, ({ scheme, prefix, host, port, path }) => {
      fc.pre(scheme !== '*' || !/\d/.test(port))
      assert.equal(findMatchPatternProblem(`${scheme}://${prefix}${host}${port}${path}`), undefined)
    }),
  )
})

test('refuses every pattern without a host, whatever its other parts', () => {
  fc.assert(
    fc.property(parts, ({ scheme, port, path }) => {
      assert.match(findMatchPatternProblem(`${scheme}://*${port}${path}`) ?? '', /every host/)
    }),
  )
})

test('accepts no text that matches an unrelated host', () => {
  // Of an accepted pattern the host is the fixed end of every host that it matches.
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), named, (noise, host) => {
      for (const pattern of [
        noise,
        `https://${noise}`,
        `https://${noise}/*`,
        `https://${host}${noise}`,
      ]) {
        if (findMatchPatternProblem(pattern) !== undefined) continue
        const found = /^[a-z*]+:\/\/(?:\*\.)?([^/:*]+|\[[^\]]+\])/.exec(pattern)?.[1] ?? ''
        assert.ok(found.length > 0 && URL.canParse(`http://${found}/`), pattern)
      }
    }),
    { numRuns: 2000 },
  )
})
