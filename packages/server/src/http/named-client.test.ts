// Which client a request names, as log lines and spans show it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { findNamedClient } from './named-client.ts'

const request = (parts: { url?: string; authorization?: string; body?: unknown }) =>
  ({
    raw: { url: parts.url ?? '/app-auth/token' },
    headers: { authorization: parts.authorization },
    body: parts.body,
  }) as unknown as FastifyRequest

test('finds the client in HTTP Basic, the address or the body', () => {
  const authorization = `Basic ${btoa('app_1:a-secret')}`
  assert.equal(findNamedClient(request({ authorization })), 'app_1')
  const url = '/app-auth/authorize?state=a&client_id=app_2'
  assert.equal(findNamedClient(request({ url })), 'app_2')
  const body = 'grant_type=authorization_code&client_id=app_3&client_secret=s'
  assert.equal(findNamedClient(request({ body })), 'app_3')
})

test('leaves out what no client_id can be [C15]', () => {
  for (const named of ['two words', 'a\nline', '<b>', 'a'.repeat(65), '', '%00']) {
    const body = new URLSearchParams({ client_id: named }).toString()
    assert.equal(findNamedClient(request({ body })), undefined, named)
    assert.equal(
      findNamedClient(request({ authorization: `Basic ${btoa(`${named}:s`)}` })),
      undefined,
    )
  }
  assert.equal(findNamedClient(request({ authorization: 'Bearer at_secret' })), undefined)
  assert.equal(findNamedClient(request({ body: { client_id: 'app_1' } })), undefined)
  assert.equal(findNamedClient(request({ url: '/app-auth/jwks' })), undefined)
})
