// The vectors of RFC 7396, and which patches a schema lets through.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyMergePatch, buildPatchSchema } from './merge-patch.ts'
import { findSchemaErrors } from './schema-check.ts'

/** RFC 7396 Appendix A: original, patch, result. */
const VECTORS: readonly [unknown, unknown, unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

test('merges every vector of RFC 7396 without changing the original', () => {
  for (const [original, patch, result] of VECTORS) {
    const before = JSON.stringify(original)
    assert.deepEqual(applyMergePatch(original, patch), result, JSON.stringify(patch))
    assert.equal(JSON.stringify(original), before)
  }
})

const RECORD = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string' },
    kind: { type: 'string', enum: ['a', 'b'] },
    choice: {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'version'],
      properties: {
        id: { type: 'string' },
        version: { anyOf: [{ type: 'integer' }, { const: 'latest' }] },
      },
    },
    list: { type: 'array', items: { type: 'object', required: ['x'] } },
  },
} as const

test('a patch may omit any field, clear optional fields and reach into objects', () => {
  const schema = buildPatchSchema(RECORD) as object
  const allowed = [
    {},
    { name: 'x' },
    { kind: null, choice: null, list: null },
    { choice: { version: 'latest' } },
    { choice: { id: 'x', version: 3 } },
    { list: [{ x: 1 }] },
  ]
  const refused = [
    { name: null },
    { choice: { id: null } },
    { choice: { version: 'newest' } },
    { choice: { other: 1 } },
    { list: [{}] },
    { other: 1 },
    { kind: 'c' },
    [],
  ]
  for (const patch of allowed) {
    assert.equal(findSchemaErrors(schema, patch), undefined, JSON.stringify(patch))
  }
  for (const patch of refused) assert.ok(findSchemaErrors(schema, patch), JSON.stringify(patch))
})
