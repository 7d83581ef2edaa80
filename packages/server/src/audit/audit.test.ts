// A trail that was changed, cut, reordered, added to or taken from does not verify. Security P06, P07.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainText, formatHead, formatLine } from '@chartside/protocol/audit-trail'
import { type AuditEvent, buildChain, chainRoot } from './audit.ts'
import { verifyExport } from './audit-export.ts'

const event = (n: number, fields: Partial<AuditEvent> = {}): AuditEvent => ({
  id: `evt_${n}`,
  at: 1000 + n,
  accountId: 'acc_1',
  actor: 'usr_1',
  action: 'openLaunch',
  target: 'app_1',
  launchId: n % 2 ? 'lau_1' : undefined,
  ip: '192.0.2.1',
  outcome: 'ok',
  detail: { b: '2', a: '1' },
  ...fields,
})

const root = { seq: 0, hash: chainRoot('acc_1') }
const chain = buildChain(
  root,
  [1, 2, 3, 4].map((n) => event(n)),
)
const end = chain.at(-1)
assert.ok(end)
const lines = [...chain.map(formatLine), formatHead('acc_1', end)]
const without = (index: number) => lines.filter((_, i) => i !== index)
const changed = (index: number, from: string, to: string) =>
  lines.map((line, i) => (i === index ? line.replace(from, to) : line))

test('a complete trail verifies and shows its end', () => {
  const result = verifyExport(lines)
  assert.deepEqual(result.problems, [])
  assert.equal(result.events, 4)
  assert.deepEqual(result.head, { seq: 4, hash: end.hash })
})

test('writes times as RFC 3339 in UTC, and accepts no other form of the same moment', () => {
  assert.match(lines[0] ?? '', /"at":"1970-01-01T00:00:01\.001Z"/)
  const other = verifyExport(changed(0, '01.001Z', '01.001+00:00'))
  assert.match(other.problems.join(), /line 1: has the time 1970-01-01T00:00:01\.001\+00:00/)
  const first = lines.map((line) =>
    line.replace(/"at":"([^"]+)"/, (_, at) => `"at":${Date.parse(at)}`),
  )
  assert.match(verifyExport(first).problems.join(), /line 1: has the time 1001, which is not/)
})

test('an event has one canonical form, whatever the order of its details', () => {
  const text = (fields: Partial<AuditEvent>) => chainText('', 1, event(1, fields))
  const one = text({ detail: { a: '1', b: '2' } })
  assert.equal(one, text({ detail: { b: '2', a: '1' } }))
  assert.notEqual(one, text({ launchId: undefined }))
})

test('detects a change of any field of an event [P07]', () => {
  for (const field of [
    'evt_2',
    '.002Z',
    'acc_1',
    'usr_1',
    'openLaunch',
    '192.0.2.1',
    '"ok"',
    '"1"',
  ]) {
    const result = verifyExport(changed(1, field, field === '"ok"' ? '"refused"' : '9'))
    assert.notEqual(result.problems.length, 0, field)
  }
})

test('detects removed, repeated, moved and inserted events [P07]', () => {
  for (let i = 0; i < 4; i++) assert.notEqual(verifyExport(without(i)).problems.length, 0)
  const [a = '', b = '', c = '', ...rest] = lines
  for (const wrong of [
    [a, b, b, c, ...rest],
    [b, a, c, ...rest],
    [a, formatLine({ event: event(9), seq: 2, hash: 'x' }), b, c, ...rest],
    ['not json', ...lines],
    ['{}', ...lines],
    [...lines, a],
  ]) {
    assert.notEqual(verifyExport(wrong).problems.length, 0)
  }
})

test('detects a cut tail, by the missing end and by the known end', () => {
  assert.match(verifyExport(lines.slice(0, -1)).problems.join(), /was cut/)
  const [first, second] = chain
  assert.ok(first && second)
  const shortened = [formatLine(first), formatLine(second), formatHead('acc_1', second)]
  assert.deepEqual(verifyExport(shortened).problems, [])
  assert.match(verifyExport(shortened, end).problems.join(), /does not reach number 4/)
  assert.deepEqual(verifyExport(lines, second).problems, [])
})

test('detects a rewritten trail by the known end', () => {
  const forged = buildChain(
    root,
    [1, 2, 3, 4].map((n) => event(n, { actor: 'usr_2' })),
  )
  const forgedEnd = forged.at(-1)
  assert.ok(forgedEnd)
  const text = [...forged.map(formatLine), formatHead('acc_1', forgedEnd)]
  assert.deepEqual(verifyExport(text).problems, [])
  assert.match(verifyExport(text, end).problems.join(), /differs from the end that was known/)
})

test('refuses an event of another account', () => {
  const foreign = buildChain(root, [event(1), event(2, { accountId: 'acc_2' })])
  assert.match(verifyExport(foreign.map(formatLine)).problems.join(), /belongs to acc_2/)
})

test('detects added members, doubled names and the head of another account [V09]', () => {
  const added = (index: number, from: string, to: string) =>
    assert.match(verifyExport(changed(index, from, to)).problems.join(), /not byte for byte/, to)
  // Other readers, and people, take the first of two names.
  added(0, '{"id"', '{"actor":"usr_other","id"')
  added(0, '"detail":{', '"detail":{"a":"9",')
  added(0, '"hash"', '"note":"approved by the privacy officer","hash"')
  added(4, '"hash"', '"note":"x","hash"')
  added(1, ':', ': ')
  added(1, 'usr_1', 'usr\\u005f1')
  const carriageReturn = verifyExport(lines.map((line) => `${line}\r`)).problems
  assert.equal(carriageReturn.length, 5)
  const foreignHead = [...lines.slice(0, -1), formatHead('acc_2', end)]
  assert.match(verifyExport(foreignHead).problems.join(), /is the end of acc_2/)
  assert.notEqual(verifyExport(['', ...lines]).problems.length, 0)
})

test('an empty trail is the one of the account in its end', () => {
  const empty = verifyExport([formatHead('acc_1', root)])
  assert.deepEqual([empty.problems, empty.accountId, empty.events], [[], 'acc_1', 0])
})

test('detects a changed event whose own hash was made anew [P07]', () => {
  const [first, second] = chain
  assert.ok(first && second)
  // Who can write the database can hash, too; the line after it gives the change away.
  const [forged] = buildChain(first, [event(2, { actor: 'usr_other' })])
  assert.ok(forged)
  const text = lines.map((line, i) => (i === 1 ? formatLine(forged) : line))
  assert.deepEqual(verifyExport(text).problems, ['line 3: was changed, or the line before it was'])
})

test('detects what stands after the end of the trail [V09]', () => {
  const [next] = buildChain(end, [event(5)])
  assert.ok(next)
  assert.match(verifyExport([...lines, formatLine(next)]).problems.join(), /stands after the end/)
})
