// The template that writes SQL: values become parameters, fragments keep their place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identifier, list, sql } from './sql.ts'

test('makes every value a parameter, in order', () => {
  const hostile = "'; DROP TABLE launches; --"
  assert.deepEqual(sql`SELECT * FROM apps WHERE id = ${hostile} AND n > ${3} AND d = ${null}`, {
    sql: 'SELECT * FROM apps WHERE id = ? AND n > ? AND d = ?',
    args: [hostile, 3, null],
  })
})

test('inserts the text and the parameters of a fragment where it stands', () => {
  const guard = sql`ended_at IS NULL AND expires_at > ${7}`
  assert.deepEqual(sql`UPDATE t SET a = ${1} WHERE id = ${'x'} AND ${guard} RETURNING ${guard}`, {
    sql: 'UPDATE t SET a = ? WHERE id = ? AND ended_at IS NULL AND expires_at > ? RETURNING ended_at IS NULL AND expires_at > ?',
    args: [1, 'x', 7, 7],
  })
})

test('gives the same text object for each call of one template', () => {
  const find = (id: string) => sql`SELECT 1 WHERE id = ${id}`
  assert.equal(find('a').sql, find('b').sql)
  assert.deepEqual(find('b').args, ['b'])
})

test('writes lists of values, an empty one as a list that matches nothing', () => {
  assert.deepEqual(sql`id IN (${list(['a', 'b'])}) AND n = ${1}`, {
    sql: 'id IN (?, ?) AND n = ?',
    args: ['a', 'b', 1],
  })
  assert.deepEqual(sql`id IN (${list([])})`, { sql: 'id IN (NULL)', args: [] })
})

test('refuses a name that is no identifier', () => {
  assert.equal(sql`SELECT * FROM ${identifier('apps')}`.sql, 'SELECT * FROM apps')
  assert.throws(() => identifier('apps; DROP TABLE apps'), TypeError)
})
