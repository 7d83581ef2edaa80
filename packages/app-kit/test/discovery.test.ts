// The documents of the service that the kit accepts. OpenID Connect Discovery 1.0 §4.3; D02.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import { createAppKit } from '../src/server/index.ts'

const credentials = { clientId: 'cli_1', clientSecret: 'cs_1' }

test('reads the endpoints once and caches them', async (t) => {
  const issuer = await startFakeIssuer()
  t.after(() => issuer.stop())
  const kit = createAppKit({ baseUrl: issuer.baseUrl, ...credentials })
  const all = await Promise.all(Array.from({ length: 20 }, () => kit.discover()))
  assert.deepEqual(all[0], {
    issuer: issuer.issuer,
    authorizationEndpoint: `${issuer.baseUrl}/app-auth/authorize`,
    tokenEndpoint: issuer.tokenUrl,
    jwksUri: issuer.jwksUri,
  })
  assert.equal(issuer.requests.length, 1)
})

test('refuses metadata of another issuer, also with one more slash [D02]', async (t) => {
  const issuer = await startFakeIssuer()
  t.after(() => issuer.stop())
  for (const named of [`${issuer.issuer}/`, 'https://id.example']) {
    const kit = createAppKit({ baseUrl: issuer.baseUrl, issuer: named, ...credentials })
    await assert.rejects(kit.discover(), { code: 'service_misdescribed' })
  }
  const kit = createAppKit({ baseUrl: issuer.baseUrl, ...credentials })
  const body = { issuer: `${issuer.issuer}/`, authorization_endpoint: 'x', token_endpoint: 'x' }
  issuer.failNext('/app-auth/.well-known/openid-configuration', {
    body: { ...body, jwks_uri: 'x' },
  })
  await assert.rejects(kit.discover(), { code: 'service_misdescribed' })
})

test('reads address and hash of the SDK script and serves them during an outage', async (t) => {
  const issuer = await startFakeIssuer({ sdkScript: 'window.Chartside = {}' })
  t.after(() => issuer.stop())
  let now = 0
  const kit = createAppKit({ baseUrl: issuer.baseUrl, ...credentials, now: () => now })
  const manifest = await kit.loadSdkManifest()
  const script = await fetch(manifest.url, { integrity: manifest.integrity })
  assert.equal(await script.text(), 'window.Chartside = {}')
  await issuer.suspend()
  now += 3_600_000
  assert.deepEqual(await kit.loadSdkManifest(), manifest)
})

test('rejects an answer that is missing, not JSON or not complete', async (t) => {
  const issuer = await startFakeIssuer()
  t.after(() => issuer.stop())
  const kit = createAppKit({ baseUrl: issuer.baseUrl, ...credentials })
  for (const [fault, code] of [
    [{ status: 404 }, 'service_unreachable'],
    [{ status: 302, headers: { location: '/sdk/manifest.json' } }, 'service_unreachable'],
    [{ body: '<h1>Welcome</h1>' }, 'service_misdescribed'],
    [{ body: { url: 'x' } }, 'service_misdescribed'],
  ] as const) {
    issuer.failNext('/sdk/manifest.json', fault)
    await assert.rejects(kit.loadSdkManifest(), { code, status: 503 })
  }
  assert.equal((await kit.loadSdkManifest()).version, '0.0.0')
  await issuer.stop()
  await assert.rejects(kit.discover(), { code: 'service_unreachable' })
})
