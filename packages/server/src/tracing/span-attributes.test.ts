// What a span says of the path and the statements: nothing that a caller could have put there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describePath, serverAttributes, summarize } from './span-attributes.ts'

const ACCOUNT = 'acc_01jnye6xw8q2v5n0m4r7ta'

test('a path keeps identifiers, and no other value of a caller', () => {
  const route = '/api/accounts/:id/members'
  assert.equal(
    describePath(route, `/api/accounts/${ACCOUNT}/members?find=mei`),
    `/api/accounts/${ACCOUNT}/members`,
  )
  assert.equal(
    describePath('/auth/token/:sessionId', '/auth/token/its-secret'),
    '/auth/token/:sessionId',
  )
  assert.equal(describePath('/console/*', '/console/a/b'), '/console/*')
})

test('the address of the service is that of its users', () => {
  const given = { 'url.scheme': 'https', 'server.address': 'connect.example' }
  assert.deepEqual(serverAttributes('https://connect.example'), given)
  assert.deepEqual(serverAttributes('https://connect.example:8443'), {
    ...given,
    'server.port': 8443,
  })
})

test('a statement is summed up by what it does to which table', () => {
  const each = {
    'SELECT s.id FROM sign_ins s JOIN users u ON u.id = ?': ['SELECT', 'SELECT sign_ins'],
    'INSERT INTO launches (id) VALUES (?)': ['INSERT', 'INSERT launches'],
    'UPDATE launches AS l SET code = ?': ['UPDATE', 'UPDATE launches'],
    'DELETE FROM members WHERE id = ?': ['DELETE', 'DELETE members'],
    'SELECT 1': ['SELECT', 'SELECT'],
  }
  for (const [text, expected] of Object.entries(each)) {
    const { operation, summary } = summarize([text])
    assert.deepEqual([operation, summary], expected)
  }
  const statements = ['UPDATE users SET a = 1', 'UPDATE users SET b = 1', 'DELETE FROM members']
  assert.deepEqual(summarize(statements), {
    operation: 'BATCH',
    summary: 'UPDATE users; DELETE members',
  })
  assert.equal(summarize(statements.slice(0, 2)).operation, 'BATCH UPDATE')
})
