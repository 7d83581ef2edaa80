// The decision on a hello as a table, with frames as plain data.
// Contract §5 step 2; security X01, X02, X07.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHello } from '@chartside/protocol/handshake'
import { decideHello, type MessageSource } from './handshake.ts'

const ORIGIN = 'https://notes.example'

const frame = (changes: Partial<MessageSource> = {}): MessageSource => ({
  element: {} as HTMLIFrameElement,
  launch: { id: 'lau_1', app: { id: 'app_1', name: 'Visit Notes', origins: [ORIGIN] } },
  ended: null,
  hellos: { recentCount: 0, has: () => false },
  ...changes,
})

const hello = buildHello({ versions: [1], nonce: 'nonce_1', sdkVersion: '1.0.0' })
const from = (origin: string, data: unknown = hello) => ({ data, origin, source: null })

test('welcomes a hello of the right frame and origin', () => {
  const source = frame()
  assert.deepEqual(decideHello(from(ORIGIN), source), {
    kind: 'welcome',
    frame: source,
    hello,
    version: 1,
  })
})

for (const [attack, event, source, reason] of [
  ['a window that is no frame of this host', from(ORIGIN), null, 'unknown_source'],
  ['another origin in the right frame', from('https://evil.example'), frame(), 'wrong_origin'],
  ['a subdomain of the app', from('https://a.notes.example'), frame(), 'wrong_origin'],
  ['a longer name', from('https://notes.example.evil'), frame(), 'wrong_origin'],
  ['the app by http', from('http://notes.example'), frame(), 'wrong_origin'],
  ['a sandboxed document', from('null'), frame(), 'wrong_origin'],
  [
    'the right frame with a used nonce',
    from(ORIGIN),
    frame({ hellos: { recentCount: 1, has: () => true } }),
    'replayed_nonce',
  ],
  [
    'the right frame for the 21st time in a minute',
    from(ORIGIN),
    frame({ hellos: { recentCount: 20, has: () => false } }),
    'too_many_hellos',
  ],
  [
    'a frame for the 21st time, its launch ended',
    from(ORIGIN),
    frame({ hellos: { recentCount: 20, has: () => false }, ended: 'signed_out' }),
    'too_many_hellos',
  ],
  ['the right frame without a nonce', from(ORIGIN, { ...hello, nonce: 1 }), frame(), 'malformed'],
  [
    'the right frame with 10 MB',
    from(ORIGIN, { ...hello, nonce: 'n'.repeat(1e7) }),
    frame(),
    'malformed',
  ],
] as const) {
  test(`drops a hello from ${attack} [X01] [X02]`, () => {
    const decision = decideHello(event, source)
    assert.equal(decision.kind === 'ignore' && decision.reason, reason)
  })
}

test('ignores messages that are not of the handshake', () => {
  for (const data of [null, 'hello', { type: 'webpackHotUpdate' }, { type: 'chartside:welcome' }]) {
    assert.equal(decideHello(from(ORIGIN, data), frame()).kind, 'none')
  }
})

test('refuses unknown versions, and names those of both ends [X07]', () => {
  const decision = decideHello(from(ORIGIN, { ...hello, versions: [7, 8] }), frame())
  assert.ok(decision.kind === 'refuse')
  assert.equal(decision.code, 'PROTOCOL_MISMATCH')
  assert.match(decision.message, /7, 8/)
})

test('refuses a hello of a later version that it cannot parse [X07]', () => {
  const later = { type: 'chartside:hello', nonce: 'nonce_1', speaks: { from: 2, to: 4 } }
  const decision = decideHello(from(ORIGIN, later), frame())
  assert.ok(decision.kind === 'refuse')
  assert.deepEqual([decision.code, decision.nonce], ['PROTOCOL_MISMATCH', 'nonce_1'])
})

test('refuses a launch that has ended', () => {
  const decision = decideHello(from(ORIGIN), frame({ ended: 'signed_out' }))
  assert.equal(decision.kind === 'refuse' && decision.code, 'LAUNCH_ENDED')
})
