// Tests of what the palette recognises: a table of what people paste, with and without noise.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recognize, recognizeLaunch } from './lookups.ts'

const ID = '01jnye6xw8q2v5n0m4r7ta'
const ROWS: readonly (readonly [string, string | undefined])[] = [
  ['4bf92f3577b34da6cf58c034575e6470', 'trace'],
  [' 4BF92F3577B34DA6CF58C034575E6470\n', 'trace'],
  [`lnch_${ID}${'A'.repeat(43)}`, 'launchId'],
  [`cli_${'0f'.repeat(16)}`, 'client'],
  ['amara@lakeside.example', 'email'],
  [`lau_${ID}`, 'launch'],
  [`app_${ID}`, 'app'],
  [`acc_${ID}`, 'account'],
  ['people', undefined],
  ['4bf92f3577b34da6cf58c034575e647', undefined],
  ['cf58c034575e6470', undefined],
  ['', undefined],
]

test('recognises ids by their shape, and nothing in other words', () => {
  for (const [text, kind] of ROWS) assert.equal(recognize(text)?.kind, kind, text)
})

test('shows no launch_id in full', () => {
  assert.doesNotMatch(recognize(`lnch_${ID}${'A'.repeat(43)}`)?.label ?? '', /AAAA/)
})

test('finds the launch in a line of a report, of a log or of a header', () => {
  const trace = '4bf92f3577b34da6cf58c034575e6470'
  const launchId = `lnch_${ID}${'-A'.repeat(21)}_`
  for (const [text, value] of [
    [`Trace ${trace.toUpperCase()}.`, trace.toUpperCase()],
    [`00-${trace}-00f067aa0ba902b7-01`, trace],
    [`{"traceId":"${trace}"}`, trace],
    [`https://notes.example/launch?launch_id=${launchId}&x=1`, launchId],
    [`failed Visit Notes lau_${ID}`, `lau_${ID}`],
    ['00f067aa0ba902b7', undefined],
    [`app_${ID}, amara@lakeside.example`, undefined],
  ] as const) {
    assert.equal(recognizeLaunch(text)?.value, value, text)
  }
})
