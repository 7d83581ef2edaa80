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

const ONE = `cli_${'1'.repeat(32)}`
const TWO = `cli_${'2'.repeat(32)}`
const THREE = `cli_${'a3'.repeat(16)}`

test('finds the client in HTTP Basic, the address or the body', () => {
  const authorization = `Basic ${btoa(`${ONE}:a-secret`)}`
  assert.equal(findNamedClient(request({ authorization })), ONE)
  const url = `/app-auth/authorize?state=a&client_id=${TWO}`
  assert.equal(findNamedClient(request({ url })), TWO)
  const body = `grant_type=authorization_code&client_id=${THREE}&client_secret=s`
  assert.equal(findNamedClient(request({ body })), THREE)
  const json = JSON.stringify({ grant_type: 'authorization_code', client_id: TWO }, null, 2)
  assert.equal(findNamedClient(request({ body: json })), TWO)
})

test('leaves out what no client_id can be [C15]', () => {
  for (const named of [
    'my-app',
    'my-secret',
    'two words',
    'a\nline',
    '<b>',
    `${ONE}0`,
    ONE.toUpperCase(),
    '',
    '%00',
  ]) {
    const body = new URLSearchParams({ client_id: named }).toString()
    assert.equal(findNamedClient(request({ body })), undefined, named)
    const json = JSON.stringify({ client_id: named })
    assert.equal(findNamedClient(request({ body: json })), undefined, named)
    assert.equal(
      findNamedClient(request({ authorization: `Basic ${btoa(`${named}:s`)}` })),
      undefined,
    )
  }
  assert.equal(findNamedClient(request({ authorization: 'Bearer at_secret' })), undefined)
  assert.equal(findNamedClient(request({ body: { client_id: ONE } })), undefined)
  assert.equal(findNamedClient(request({ url: '/app-auth/jwks' })), undefined)
})
