// Tests of how a user agent is shown, as a table of what browsers and programs send.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeClient } from './describe-client.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)'

const ROWS: readonly (readonly [string | null, string])[] = [
  [`${MAC} Chrome/156.0.0.0 Safari/537.36`, 'Chrome 156 on macOS'],
  [`${MAC} Chrome/156.0.0.0 Safari/537.36 Edg/156.0`, 'Edge 156 on macOS'],
  [
    'Mozilla/5.0 (Wayland; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox 140 on Linux',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 19_0) AppleWebKit/605 Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari 19 on iOS',
  ],
  ['curl/8.9.1', 'curl/8.9.1'],
  [null, 'Unknown program'],
  ['x'.repeat(100), `${'x'.repeat(60)}…`],
]

test('names browser and system, and a program as it names itself', () => {
  for (const [sent, shown] of ROWS) assert.equal(describeClient(sent), shown)
})
