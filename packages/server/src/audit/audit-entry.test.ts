// Events and texts come back from their bytes exactly as they were, whatever a caller sent; a hash is over them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newClientId, newId, newIdIn, newTraceId } from '../kernel/identifiers.ts'
import { systemRandomness } from '../kernel/randomness.ts'
import type { AuditEvent } from './audit.ts'
import {
  completeEntry,
  identify,
  type LaunchEvent,
  packEntry,
  packLaunchEvent,
  unpackEntry,
} from './audit-entry.ts'
import { buildLink, packHash, packLink, unpackLink } from './audit-link.ts'
import { ByteReader, ByteWriter } from './audit-value.ts'
import { buildLaunchEvent } from './launch-event.ts'

const randomness = systemRandomness()
const AT = Date.parse('2026-03-01T12:00:00Z')
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

const TEXTS = [
  ...[
    '',
    'a',
    'launch',
    'trace',
    'local',
    'Zoë 💊',
    'x'.repeat(127),
    'x'.repeat(128),
    'y'.repeat(70_000),
  ],
  ...['\0', '\ud800', 'a\udfff\ud800', '\r\n', 'usr_', 'cli_', 'usr_0'],
  ...['usr_01kjmmma2g0pbjjwtyn6mj', 'usr_01kjmmma2g0pbjjwtyn6mi', 'usr_01kjmmma2g0pbjjwtyn6mj0'],
  ...['xyz_01kjmmma2g0pbjjwtyn6mj', 'USR_01kjmmma2g0pbjjwtyn6mj', 'lau_zzzzzzzzzzzzzzzzzzzzzz'],
  ...['0.0.0.0', '255.255.255.255', '256.1.1.1', '1.2.3', '1.2.3.4.', '01.2.3.4', '1.2.3.4.5'],
  TRACE,
  ...['0123456789abcdef', '0123456789ABCDEF', '0123456789abcdef0', `cli_${'0f'.repeat(16)}`],
  ...[
    '::',
    '::1',
    '1::',
    'fe80::1',
    '2001:db8::8:800:200c:417a',
    '2001:db8:0:0:1:0:0:1',
    '1:2:3:4:5:6:7:8',
  ],
  ...[
    '2001:db8::1:0:0:1',
    '::ffff:1.2.3.4',
    '2001:DB8::1',
    '2001:0db8::1',
    '1:2:3:4:5:6:7',
    ':::',
    '1::2::3',
  ],
  ...[
    '0:0:0:0:0:0:0:0',
    '10:0:0:10::',
    '1:0:0:2:0:0:0:3',
    '1:0:0:2::3',
    '100:0:0:0:1::',
    '::2:3:4:5:6:7:8',
  ],
]

test('gives back a text that begins anywhere in the memory of the writer', () => {
  const texts = [TRACE, `cli_${'0f'.repeat(16)}`, 'usr_01kjmmma2g0pbjjwtyn6mj', '::1', '1.2.3.4']
  for (const text of texts) {
    for (let before = 220; before <= 256; before++) {
      const writer = new ByteWriter()
      writer.bytes(new Uint8Array(before))
      writer.text(text)
      const reader = new ByteReader(writer.finish().subarray(before))
      assert.equal(reader.text(), text, `after ${before} bytes`)
      assert.ok(reader.isAtEnd)
    }
  }
})

test('gives back every text', () => {
  const writer = new ByteWriter()
  for (const text of TEXTS) writer.text(text)
  const reader = new ByteReader(writer.finish())
  for (const text of TEXTS) assert.equal(reader.text(), text)
  assert.ok(reader.isAtEnd)
  const sizeOf = (text: string) => {
    const one = new ByteWriter()
    one.text(text)
    return one.finish().length
  }
  assert.deepEqual(
    ['usr_01kjmmma2g0pbjjwtyn6mj', '203.0.113.7', '2001:db8::8:800:200c:417a', 'launch'].map(
      sizeOf,
    ),
    [15, 5, 17, 1],
  )
})

test('gives back events of any kind, and steps of a launch with their opening', () => {
  const part = 77
  const launchId = newIdIn(part, 'lau', AT, randomness)
  const accountId = newId('acc', AT, randomness)
  const [user, app] = [newId('usr', AT, randomness), newId('app', AT, randomness)]
  const stepOf = (
    action: 'launch' | 'authorize' | 'exchange' | 'revoke',
    actor: string,
    now: number,
  ) => {
    const call = { now, address: '203.0.113.7', traceId: newTraceId(randomness) }
    return buildLaunchEvent({ randomness }, call, { action, actor, target: app, launchId })
  }
  const client = newClientId(randomness)
  const store = (event: Omit<AuditEvent, 'accountId'>) =>
    unpackEntry({ ...packEntry(event, part), part, accountId })
  const storeStep = (event: LaunchEvent) => {
    const { leavesOut, ...packed } = packLaunchEvent(event, part)
    return unpackEntry({ ...packed, part, accountId: leavesOut ? null : accountId })
  }
  const opening = identify(stepOf('launch', user, AT))
  const opened = completeEntry(store(opening), undefined)
  assert.deepEqual(opened, { ...opening, accountId })
  const steps = [
    stepOf('authorize', user, AT + 1),
    stepOf('exchange', client, AT + 16_777_215),
    stepOf('revoke', client, AT + 5),
  ]
  for (const step of steps) {
    const event = identify(step)
    const stored = storeStep(step)
    assert.equal(stored.openedAt, AT, step.action)
    assert.equal(completeEntry(stored, undefined), undefined)
    assert.deepEqual(completeEntry(stored, opened), { ...event, accountId })
    assert.deepEqual(completeEntry(store(event), undefined), { ...event, accountId })
  }
  const oddSteps = [
    stepOf('exchange', client, AT + 16_777_216),
    stepOf('authorize', client, AT + 1),
    stepOf('authorize', user, AT - 1),
    { ...stepOf('exchange', client, AT), outcome: 'refused' as const },
  ]
  for (const step of oddSteps) {
    const stored = storeStep(step)
    assert.equal(stored.openedAt, undefined)
    assert.deepEqual(completeEntry(stored, undefined), { ...identify(step), accountId })
  }
  const odd: AuditEvent[] = [
    { ...opening, accountId, outcome: 'refused' },
    { ...opening, accountId, id: newId('evt', AT, randomness) },
    { ...opening, accountId, id: 'evt_1', at: 0, launchId: undefined },
    ...[
      { trace: TRACE, code: 'rate_limited' },
      { code: 'rate_limited', trace: TRACE },
      { trace: TRACE.slice(16), code: 'x' },
    ].map((detail) => ({ ...opening, accountId, action: 'patchApp', detail })),
    ...TEXTS.map((text) => ({
      ...opening,
      accountId,
      actor: text,
      detail: { [text]: text, a: '' },
    })),
  ]
  for (const event of odd) {
    const stored = store(event)
    assert.equal(stored.openedAt, undefined)
    assert.deepEqual(completeEntry(stored, undefined), event)
  }
})

test('gives back a link, whatever the order of its events', () => {
  const places = [5, 3, 9, 9, 2 ** 42, 0].map((at, n) => ({
    ...{ key: { at, n }, seq: n + 1 },
    hash: Buffer.alloc(32, n + 1).toString('base64url'),
  }))
  for (const newest of [undefined, { at: 2 ** 43, n: 7 }]) {
    const link = buildLink(places, newest)
    assert.ok(link)
    const row = { seq: link.seq, hash: packHash(link.hash), events: packLink(link) }
    assert.deepEqual(unpackLink(row), link)
    assert.deepEqual(link.newest, newest ?? { at: 2 ** 42, n: 4 })
  }
})

test('reads what was stored before trace ids had 32 digits', () => {
  const row = { part: 77, at: 1_772_366_400_005, n: 69_273_666, accountId: 'acc_1' }
  const read = (hex: string) => unpackEntry({ ...row, content: Buffer.from(hex, 'hex') }).event
  const trace = '0123456789abcdef'
  const client = `cli_${'0f'.repeat(16)}`
  const common = {
    ...{ id: 'evt_01kjmma2g52222220xa4vy', at: row.at, accountId: 'acc_1', actor: client },
    ...{ launchId: 'lau_01kjmma2g002d111111111', ip: '203.0.113.7', detail: { trace } },
  }
  const step = `820000050842108421080f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f${trace}81cb007107`
  const exchange = { ...common, action: 'exchange', outcome: 'ok', target: undefined }
  assert.deepEqual(read(step), exchange)
  const whole = `0707544df80870617463684170709600672a5142800026842108421084830f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f9200672a528a140165ca5cd7aa6a4881cb007107${trace}`
  const patch = { ...common, action: 'patchApp', outcome: 'refused' }
  assert.deepEqual(read(whole), { ...patch, target: 'app_01kjmmma2g0pbjjwtyn6mj' })
})
