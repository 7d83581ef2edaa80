// What JSON.parse lets through and a record must not be made of.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../kernel/errors.ts'
import { parseJson } from './json.ts'

test('parses JSON', () => {
  const value = { a: [{ b: 'x' }, { b: 'y' }], c: { a: '"a": {' }, 'd\\"': 'a' }
  assert.deepEqual(parseJson(JSON.stringify(value)), value)
  for (const text of ['1', '"a"', 'null', '[]', ' {"a":{"a":{"a":1}}} ']) parseJson(text)
})

test('refuses a repeated name in every spelling, at any depth', () => {
  const doubled = [
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"a":1, "b":[{}] ,"a" : 2}}',
    '[{"a":"}","b":1,"a":2}]',
    '{"a":{"a":1},"b":[],"a":2}',
  ]
  for (const text of doubled) {
    assert.throws(
      () => parseJson(text),
      (error) => error instanceof ApiError && error.fields[0]?.field === 'a',
      text,
    )
  }
})

test('names a repeated member in the answer only, never in the log [V11]', () => {
  const secret = 'hunter2'.repeat(20)
  const error = (() => {
    try {
      return parseJson(`{"${secret}":1,"${secret}":2}`)
    } catch (thrown) {
      return thrown
    }
  })()
  assert.ok(error instanceof ApiError)
  assert.ok(!error.message.includes('hunter2'))
  assert.equal(error.fields[0]?.field, secret.slice(0, 40))
})

test('refuses __proto__, deep nesting and malformed JSON, by name', () => {
  const refused: [string, RegExp][] = [
    ['{"__proto__":{}}', /__proto__/],
    ['{"a":{"\\u005f_proto__":1}}', /__proto__/],
    [`${'['.repeat(33)}${']'.repeat(33)}`, /deeper than 32/],
    [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, /deeper than 32/],
    ['{', /not valid JSON/],
    ['{"a":01}', /not valid JSON/],
    ['\ufeff{}', /not valid JSON/],
  ]
  for (const [text, says] of refused) {
    assert.throws(
      () => parseJson(text),
      (error) => error instanceof ApiError && says.test(error.message),
      text.slice(0, 40),
    )
  }
  parseJson(`${'['.repeat(32)}${']'.repeat(32)}`)
})
