// What each answer of a provider means for its registration.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideFinding, discoveryUrlOf } from './provider-check.ts'

const ISSUER = 'https://login.example/tenant/v2.0'
const ENDPOINTS = { authorization_endpoint: 'a', token_endpoint: 't', jwks_uri: 'j' }
const codeOf = (text: string, status = 200) => decideFinding(ISSUER, { status, text }).code

test('explains what is wrong with the discovery document of a provider', () => {
  assert.equal(discoveryUrlOf(`${ISSUER}/`), `${ISSUER}/.well-known/openid-configuration`)
  assert.equal(codeOf(JSON.stringify({ issuer: ISSUER, ...ENDPOINTS })), 'ready')
  assert.equal(codeOf(JSON.stringify({ issuer: `${ISSUER}/`, ...ENDPOINTS })), 'issuer_differs')
  assert.equal(codeOf(JSON.stringify({ issuer: ISSUER })), 'incomplete')
  assert.equal(codeOf('<html>'), 'no_document')
  assert.equal(codeOf('[]'), 'no_document')
  assert.equal(codeOf('{}', 404), 'no_document')
  const unreachable = decideFinding(ISSUER, { problem: 'no_public_address' })
  assert.equal(unreachable.code, 'unreachable')
  assert.match(unreachable.cause, /no public address/)
})
