// Names that stand twice in JSON, in every disguise. RFC 8725 3.10; security R01.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasDuplicateKeys } from './json-keys.ts'

for (const json of [
  '{"a":1,"a":2}',
  '{"a":1, "b":{"c":1,"c":2}}',
  '{"list":[{"a":1},{"a":1,"a":1}]}',
  '{"aud":"x","\\u0061ud":"y"}',
  '{"a":{"b":1},"a":{"b":1}}',
  '{"":1,"":2}',
  '{"a\\"b":1,"a\\"b":2}',
]) {
  test(`finds the doubled name in ${json} [R01]`, () => {
    JSON.parse(json)
    assert.equal(hasDuplicateKeys(json), true)
  })
}

for (const json of [
  '{}',
  '[]',
  '"a"',
  '{"a":1,"b":1}',
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":1}]',
  '{"a":"a","b":"b:\\"a\\":1","c":["a","a"]}',
  '{"a":"{\\"x\\":1,\\"x\\":2}"}',
  '{"a\\\\":1,"a":2}',
  '{"a":-1.5e3,"b":[true,null,false]}',
]) {
  test(`sees no doubled name in ${json}`, () => {
    JSON.parse(json)
    assert.equal(hasDuplicateKeys(json), false)
  })
}

test('reads a megabyte of braces and quotes without slowing down', () => {
  const json = `{"a":${'['.repeat(1000)}${']'.repeat(1000)},"b":"${'{\\"'.repeat(200_000)}"}`
  const started = performance.now()
  assert.equal(hasDuplicateKeys(json), false)
  assert.ok(performance.now() - started < 2_000)
})
