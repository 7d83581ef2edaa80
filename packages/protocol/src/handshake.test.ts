// The messages of the handshake as tables: accepted ones and a corpus of hostile ones.
// Contract §5; security X06, X07.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildHello,
  buildRefusal,
  buildWelcome,
  isAnswer,
  isHello,
  negotiateVersion,
  parseAnswer,
  parseAppMessage,
  parseHello,
  parseHostMessage,
  parseNonce,
} from './handshake.ts'

const seed = {
  userId: 'usr_1',
  account: { id: 'acc_1', name: 'Lakeside Family Practice' },
  ehrType: 'meadow',
  sessionId: 'ses_1',
  deviceId: 'dev_1',
}
const hello = buildHello({ versions: [1], nonce: 'n'.repeat(22), sdkVersion: '1.0.0' })
const welcome = buildWelcome({ version: 1, nonce: 'n'.repeat(22), launchId: 'lnch_1', seed })
const refusal = buildRefusal({ nonce: 'n', code: 'PROTOCOL_MISMATCH', message: 'too old' })

const parsers = { parseHello, parseAnswer, parseAppMessage, parseHostMessage }

test('parses back every message it builds', () => {
  assert.deepEqual(parseHello(structuredClone(hello)), hello)
  const withEndpoint = { ...welcome, tokenEndpoint: 'https://app.example/token' }
  for (const answer of [welcome, withEndpoint, refusal]) {
    assert.deepEqual(parseAnswer(structuredClone(answer)), answer)
  }
  for (const message of [
    { type: 'token', accessToken: 'at_1' },
    { type: 'failed', code: 'TOKEN_FETCH_ERROR', message: 'no access_token' },
    { type: 'chart_shown', seq: 2 },
  ]) {
    assert.deepEqual(parseAppMessage(message), message)
  }
  for (const message of [
    { type: 'ready' },
    { type: 'ready', tokenExpiresAt: 1_800_000_000_000 },
    { type: 'refused', code: 'TOKEN_REJECTED', message: 'dead' },
    { type: 'expiring', inSeconds: 60 },
    { type: 'chart', seq: 1, ref: 'r'.repeat(22) },
    { type: 'chart', seq: 2, ref: null },
    { type: 'ended', reason: 'chart_changed' },
  ]) {
    assert.deepEqual(parseHostMessage(message), message)
  }
})

test('drops unknown fields', () => {
  assert.deepEqual(parseHello({ ...hello, extra: 1 }), hello)
  assert.deepEqual(parseAnswer({ ...welcome, accessToken: 'at_1' }), welcome)
})

const timings = {
  ...{ responseStartMs: 81, responseEndMs: 90, domContentLoadedMs: 0, helloMs: 412 },
}

test('reads the times of a page from a hello, without what else they hold', () => {
  const sent = { ...hello, timings: { ...timings, extra: 'x'.repeat(1000) } }
  assert.deepEqual(parseHello(structuredClone(sent)), { ...hello, timings })
})

for (const [name, value] of Object.entries<unknown>({
  'times in words': 'fast',
  'a time below zero': { ...timings, helloMs: -1 },
  'a time that is no number': { ...timings, helloMs: Number.NaN },
  'a time without end': { ...timings, helloMs: Number.POSITIVE_INFINITY },
  'a time of an hour and more': { ...timings, helloMs: 3_600_001 },
  'a part of a millisecond': { ...timings, helloMs: 1.5 },
  'a time as text': { ...timings, helloMs: '412' },
  'a missing time': { ...timings, responseEndMs: undefined },
  'times that are only inherited': Object.create(timings),
  'a time behind a getter': Object.defineProperty({ ...timings }, 'helloMs', {
    get: () => assert.fail('the getter ran'),
  }),
})) {
  test(`keeps a hello and drops ${name} [X06]`, () => {
    assert.deepEqual(parseHello({ ...hello, timings: value }), hello)
  })
}

test('accepts a hello by the versions that it can parse [X07]', () => {
  const parsed = parseHello({ ...hello, versions: [0, 1, 2, '3', null] })
  assert.deepEqual(parsed, { ...hello, versions: [1, 2] })
})

test('reads type and nonce of a message of any version [X07]', () => {
  const later = { nonce: 'n', versions: 'two to four', seed: [] }
  for (const [type, claims] of [
    ['chartside:hello', [true, false]],
    ['chartside:welcome', [false, true]],
    ['chartside:refusal', [false, true]],
    ['toString', [false, false]],
  ] as const) {
    const message = { ...later, type }
    assert.deepEqual([isHello(message), isAnswer(message)], claims)
    assert.equal(parseHello(message) ?? parseAnswer(message), null)
    assert.equal(parseNonce(message), 'n')
  }
  assert.equal(parseNonce({ nonce: 'n'.repeat(129) }), null)
})

for (const [name, data] of Object.entries<unknown>({
  'no versions': { ...hello, versions: undefined },
  'an empty list of versions': { ...hello, versions: [] },
  'a version that is not a whole number': { ...hello, versions: [1.5] },
  'a version of zero': { ...hello, versions: [0] },
  'a version in words': { ...hello, versions: ['1'] },
  'a thousand versions': { ...hello, versions: Array.from({ length: 1000 }, () => 1) },
  'a sparse list of four billion': {
    ...hello,
    versions: Object.assign([], { length: 2 ** 32 - 1 }),
  },
  'something that only resembles a list': { ...hello, versions: { 0: 1, length: 1 } },
  'no nonce': { ...hello, nonce: undefined },
  'an empty nonce': { ...hello, nonce: '' },
  'a nonce of 10 MB': { ...hello, nonce: 'n'.repeat(10_000_000) },
  'another type': { ...hello, type: 'chartside:welcome' },
  'a type that is only inherited': Object.create(hello),
})) {
  test(`refuses a hello with ${name} [X06]`, () => {
    assert.equal(parseHello(data), null)
  })
}

for (const [name, data] of Object.entries<unknown>({
  'no seed': { ...welcome, seed: null },
  'a seed without an account': { ...welcome, seed: { ...seed, account: undefined } },
  'a seed whose account is a string': { ...welcome, seed: { ...seed, account: 'acc_1' } },
  'a seed whose user is only inherited': {
    ...welcome,
    seed: Object.assign(Object.create(seed), { account: seed.account }),
  },
  'a token endpoint that is not a string': { ...welcome, tokenEndpoint: {} },
  'a token endpoint of 10 MB': { ...welcome, tokenEndpoint: 'h'.repeat(10_000_000) },
  'a version that is not a number': { ...welcome, version: 'latest' },
  'no launch': { ...welcome, launchId: undefined },
})) {
  test(`refuses a welcome with ${name} [X06]`, () => {
    assert.equal(parseAnswer(data), null)
  })
}

test('takes an end for an end, whatever reason a later host gives [X06]', () => {
  const closed = { type: 'ended', reason: 'closed' }
  for (const reason of ['__proto__', 'a reason of later']) {
    assert.deepEqual(parseHostMessage({ type: 'ended', reason }), closed)
  }
  for (const reason of [null, 1, {}, '', 'x'.repeat(65)]) {
    assert.equal(parseHostMessage({ type: 'ended', reason }), null)
  }
})

test('refuses codes outside their lists [X06]', () => {
  assert.equal(parseAnswer({ ...refusal, code: 'TOKEN_REJECTED' }), null)
  assert.equal(parseHostMessage({ type: 'refused', code: 'toString', message: 'm' }), null)
  assert.equal(parseHostMessage({ type: 'expiring', inSeconds: -1 }), null)
  assert.equal(parseHostMessage({ type: 'ready', tokenExpiresAt: Number.NaN }), null)
})

test('parses hostile input without a throw, a getter call or a changed prototype [X06]', () => {
  const cyclic: Record<string, unknown> = { type: 'chartside:hello' }
  cyclic.self = cyclic
  const corpus: unknown[] = [
    undefined,
    null,
    true,
    0,
    Number.NaN,
    1n,
    'chartside:hello',
    'x'.repeat(10_000_000),
    Symbol('hello'),
    () => hello,
    [],
    [hello],
    new Date(Number.NaN),
    new Map([['type', 'chartside:hello']]),
    Object.defineProperty({}, 'type', { get: () => assert.fail('a parser ran a getter') }),
    Object.create(null),
    cyclic,
    JSON.parse('{"type":"chartside:hello","__proto__":{"versions":[1],"nonce":"n"}}'),
    JSON.parse('{"type":"chartside:welcome","nonce":"n","seed":{"__proto__":{"userId":"usr_1"}}}'),
    JSON.parse('{"type":"ended","reason":{"__proto__":{"polluted":true}}}'),
    { type: { toString: () => 'chartside:hello' } },
    { type: 'chartside:hello', versions: [Symbol('1')], nonce: 'n', sdkVersion: '1' },
  ]
  for (const data of corpus) {
    for (const parse of Object.values(parsers)) assert.equal(parse(data), null)
  }
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

test('negotiates the highest common version [X07]', () => {
  assert.equal(negotiateVersion([1], [1]), 1)
  assert.equal(negotiateVersion([1, 2, 3], [4, 2, 1]), 2)
  assert.equal(negotiateVersion([2], [1]), null)
  assert.equal(negotiateVersion([], [1]), null)
})

test('drops a chart message whose seq or reference cannot be read [X06]', () => {
  for (const fields of [
    { seq: 0, ref: 'r' },
    { seq: 1.5, ref: 'r' },
    { seq: '1', ref: 'r' },
    { seq: 1 },
    { seq: 1, ref: '' },
    { seq: 1, ref: 7 },
    { seq: 1, ref: 'r'.repeat(65) },
  ]) {
    assert.equal(parseHostMessage({ type: 'chart', ...fields }), null, JSON.stringify(fields))
  }
  assert.equal(parseAppMessage({ type: 'chart_shown', seq: 0 }), null)
  assert.equal(parseAppMessage({ type: 'chart_shown' }), null)
})
