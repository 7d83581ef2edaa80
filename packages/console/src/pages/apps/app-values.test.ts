// What the form of an app sends, and what it asks for before it sends anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '@chartside/protocol/payloads'
import { type AppValues, bodyOf, EMPTY, validateApp, valuesOf } from './app-values.ts'

const FILLED: AppValues = {
  ...EMPTY,
  name: ' Visit Notes ',
  launchUrl: 'https://notes.example/launch',
  redirectUris: ' https://notes.example/callback \n\nhttps://notes.example/second\n',
}

test('a new app sends what was filled in, one address for each line', () => {
  assert.deepEqual(bodyOf(FILLED, true), {
    name: 'Visit Notes',
    exchange: 'app',
    launchUrl: 'https://notes.example/launch',
    redirectUris: ['https://notes.example/callback', 'https://notes.example/second'],
    allowedIframeUrls: [],
    requirePkce: true,
  })
})

test('a change takes emptied values back, and those of another option', () => {
  const body = bodyOf({ ...FILLED, launchUrl: '', tokenEndpoint: 'https://a.example/t' }, false)
  assert.equal(body.launchUrl, null)
  assert.equal(body.tokenEndpoint, null, 'option 1 has none')
  const second = { ...FILLED, exchange: 'token_endpoint', tokenEndpoint: 'https://a.example/t' }
  assert.equal(bodyOf(second as AppValues, false).tokenEndpoint, 'https://a.example/t')
})

test('asks for a name, an address to open, a redirect URI, and what the option needs', () => {
  assert.deepEqual(Object.keys(validateApp(EMPTY)), ['name', 'launchUrl', 'redirectUris'])
  assert.deepEqual(validateApp(FILLED), {})
  const worker = { ...FILLED, launchUrl: '', workerLaunchUrl: 'https://notes.example/worker' }
  assert.deepEqual(validateApp(worker), {})
  assert.ok(validateApp({ ...FILLED, exchange: 'token_endpoint' }).tokenEndpoint)
})

test('an app read and sent again without a change is the same', () => {
  const app = {
    name: 'Visit Notes',
    exchange: 'identity_provider',
    launchUrl: 'https://notes.example/launch',
    redirectUris: ['https://login.example/callback'],
    allowedIframeUrls: ['https://login.example/'],
    requirePkce: false,
    backchannelLogoutUri: 'https://notes.example/logout',
    launchStyle: null,
    idTokenSignedResponseAlg: 'ES256',
    jwks: { keys: [{ kty: 'EC', kid: 'one', alg: 'ES256', use: 'sig', crv: 'P-256' }] },
  } as unknown as App
  const { iconUrl, workerLaunchUrl, tokenEndpoint, ...body } = bodyOf(valuesOf(app), false)
  assert.deepEqual(body, app)
  assert.deepEqual([iconUrl, workerLaunchUrl, tokenEndpoint], [null, null, null])
})

test('a SMART launch is sent for the option that can have it, and for no other', () => {
  const sent = (exchange: AppValues['exchange']) =>
    bodyOf({ ...FILLED, isSmart: true, exchange }, false).launchStyle
  assert.equal(sent('app'), 'smart')
  assert.deepEqual([sent('token_endpoint'), sent('identity_provider')], [null, null])
  assert.equal(
    valuesOf({ redirectUris: [], allowedIframeUrls: [], launchStyle: 'smart' } as never).isSmart,
    true,
  )
})

test('takes a key set or one key, and refuses what is neither', () => {
  const key = { kty: 'EC', kid: 'one' }
  const sent = (jwks: string) => bodyOf({ ...FILLED, jwks }, false).jwks
  assert.deepEqual(sent(JSON.stringify(key)), { keys: [key] })
  assert.deepEqual(sent(JSON.stringify({ keys: [key] })), { keys: [key] })
  assert.equal(sent(' '), null)
  assert.ok(validateApp({ ...FILLED, jwks: '-----BEGIN PUBLIC KEY-----' }).jwks)
  assert.ok(validateApp({ ...FILLED, jwks: '[]' }).jwks)
})

test('allows frames of a provider for the option that has one, and for no other', () => {
  const withFrames = { ...FILLED, allowedIframeUrls: 'https://login.example/' }
  const sent = (exchange: AppValues['exchange']) =>
    bodyOf({ ...withFrames, exchange }, false).allowedIframeUrls
  assert.deepEqual(sent('identity_provider'), ['https://login.example/'])
  assert.deepEqual([sent('app'), sent('token_endpoint')], [[], []])
})
