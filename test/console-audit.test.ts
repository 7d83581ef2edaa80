// The verification of an audit trail in the page: it accepts what the service exports, and finds what was
// changed, moved, removed, added or cut, as `chartside audit verify` does. Security P07, V09.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLines, verifyTrail } from '../packages/console/src/pages/audit/verify-trail.ts'
import { type AuditEvent, buildChain, chainRoot } from '../packages/server/src/audit/audit.ts'
import { formatHead, formatLine, verifyExport } from '../packages/server/src/audit/audit-export.ts'

const EVENTS = ['patchApp', 'launch', 'exchange', 'signIn'].map(
  (action, n): AuditEvent => ({
    ...{ id: `evt_${n}`, at: 1_772_366_400_000 + n, accountId: 'acc_1', actor: 'usr_1', action },
    ...{ target: 'app_1', launchId: n === 1 ? 'lau_1' : undefined, ip: '203.0.113.7' },
    ...{ outcome: 'ok', detail: { trace: 'ab', name: `“${n}” → <b>` } },
  }),
)
const CHAIN = buildChain({ seq: 0, hash: chainRoot('acc_1') }, EVENTS)
const HEAD = { seq: 4, hash: CHAIN.at(-1)?.hash ?? '' }
const LINES = [...CHAIN.map(formatLine), formatHead('acc_1', HEAD)]

async function* each(lines: readonly string[]) {
  yield* lines
}

test('accepts the export of the service, in pieces of any size [P07]', async () => {
  const bytes = new TextEncoder().encode(`${LINES.join('\n')}\n`)
  for (const size of [1, 7, 100_000]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.slice(at * size, (at + 1) * size),
    )
    const check = await verifyTrail(readLines(ReadableStream.from(pieces) as never))
    assert.deepEqual(check, { events: 4, problem: undefined, head: HEAD })
  }
  const empty = [formatHead('acc_2', { seq: 0, hash: chainRoot('acc_2') })]
  assert.equal((await verifyTrail(each(empty))).problem, undefined)
})

const swap = (lines: string[]) => [lines[1], lines[0], ...lines.slice(2)] as string[]

for (const [what, lines] of Object.entries({
  'a changed value': LINES.map((line) => line.replace('203.0.113.7', '203.0.113.8')),
  'a changed detail': LINES.map((line, at) => (at === 2 ? line.replace('“2”', '“3”') : line)),
  'a removed event': LINES.toSpliced(1, 1),
  'a removed last event': LINES.toSpliced(3, 1),
  'events that changed places': swap(LINES),
  'an event that stands twice': LINES.toSpliced(1, 0, LINES[0] ?? ''),
  'a cut end': LINES.slice(0, -1),
  'a line after the end': [...LINES, LINES[0] ?? ''],
  'a line that is no JSON': ['<html>', ...LINES],
})) {
  test(`finds ${what}, as the command line does [V09]`, async () => {
    assert.ok((await verifyTrail(each(lines))).problem)
    assert.ok(verifyExport(lines).problems.length > 0)
  })
}
