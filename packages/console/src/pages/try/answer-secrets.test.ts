// The secrets of answers: each kind that the service answers is cut out and listed, and nothing else is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cut, type Secret } from './answer-secrets.ts'

const BEARER = `cs_01jnye6xw8q2v5n0m4r7ta${'Z'.repeat(43)}`

function cutAll(value: unknown): { shown: string; found: string[] } {
  const found: Secret[] = []
  const shown = JSON.stringify(cut(value, '', found))
  for (const { value: secret } of found) assert.ok(!shown.includes(secret))
  return { shown, found: found.map(({ name }) => name) }
}

test('cuts bearer values, one-time addresses and recovery codes, wherever they stand', () => {
  const answer = {
    secret: BEARER,
    items: [{ any: `st_${'a'.repeat(65)}` }],
    reset: { url: 'https://chartside.example/auth/invitation?token=x', expiresAt: '2026-03-01' },
    invitationUrl: 'https://chartside.example/auth/invitation?token=y',
    recoveryCodes: ['mz4k-7q2d-x5na-pl3w', 'aaaa-bbbb-cccc-dddd'],
  }
  const { found, shown } = cutAll(answer)
  assert.deepEqual(found, [
    '/secret',
    '/items/0/any',
    '/reset/url',
    '/invitationUrl',
    '/recoveryCodes/0',
    '/recoveryCodes/1',
  ])
  assert.match(shown, /shown once, ends in ZZZZ/)
})

test('shows identifiers, names, addresses of apps and numbers as they are', () => {
  const answer = {
    id: 'app_01jnye6xw8q2v5n0m4r7ta',
    clientId: 'cli_5f0c2d7e9b1a4c68d3e2f1a0b9c8d7e6',
    name: 'secret garden',
    url: 'https://notes.example/launch',
    count: 3,
    none: null,
    steps: [{ code: 'FAILED', traceId: '4bf92f3577b34da65f0c2d7e9b1a4c68' }],
  }
  const { found, shown } = cutAll(answer)
  assert.deepEqual(found, [])
  assert.equal(shown, JSON.stringify(answer))
})
