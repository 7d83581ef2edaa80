// The documents that clients read first: metadata in every place, keys, the SDK, health, OpenAPI.
// Contract §2 and §4, security §5, J05, H06, D03.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { version } from '../../sdk/src/version.ts'
import { showReady } from '../src/meta/health-http.ts'
import { ROUTES } from '../src/routes.ts'
import { authorizeParameters, exchange, type Story, startStory } from './story.ts'
import { HOST_ORIGIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const get = (url: string, headers = {}) => story.request({ url, headers })

test('serves the same metadata at every well-known address [D01, D02]', async () => {
  const places = [
    '/app-auth/.well-known/openid-configuration',
    '/.well-known/openid-configuration/app-auth',
    '/app-auth/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/app-auth',
  ]
  const documents = []
  for (const place of places) {
    const answer = await get(place, { accept: 'text/html', host: 'evil.example' })
    assert.equal(answer.statusCode, 200, place)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    documents.push(answer.json())
  }
  for (const document of documents) assert.deepEqual(document, documents[0])
  assert.equal(documents[0].issuer, 'https://chartside.test/app-auth')
})

test('lets a cache keep the metadata for five minutes', async () => {
  const { headers } = await get('/app-auth/.well-known/openid-configuration')
  assert.match(String(headers['cache-control']), /max-age=300$/)
})

test('metadata advertises what is supported and nothing else [D03, D04]', async () => {
  const metadata = (await get('/app-auth/.well-known/openid-configuration')).json()
  assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
  assert.deepEqual(metadata.response_types_supported, ['code'])
  assert.deepEqual(metadata.grant_types_supported, ['authorization_code'])
  assert.deepEqual(metadata.id_token_signing_alg_values_supported, ['RS256', 'ES256'])
  assert.equal(metadata.authorization_response_iss_parameter_supported, true)
  for (const name of [
    'registration_endpoint',
    'end_session_endpoint',
    'device_authorization_endpoint',
  ]) {
    assert.equal(name in metadata, false)
  }
  const paths = ROUTES.map((route) => route.path)
  for (const [name, value] of Object.entries(metadata)) {
    if (!/_(endpoint|uri)$/.test(name)) continue
    assert.ok(String(value).startsWith('https://chartside.test/app-auth/'), name)
    assert.ok(paths.includes(new URL(String(value)).pathname), name)
  }
})

test('SMART metadata names the capabilities [D05]', async () => {
  const smart = (await get('/app-auth/.well-known/smart-configuration')).json()
  const clients = ['launch-ehr', 'authorize-post', 'client-confidential-symmetric']
  const served = [...clients, 'context-banner']
  assert.deepEqual(smart.capabilities, served)
})

test('the key set has public RSA keys only, an ETag, a cache time and open CORS [J05]', async () => {
  const answer = await get('/app-auth/.well-known/jwks.json')
  const { keys } = answer.json()
  assert.equal(keys.length, 1)
  assert.deepEqual(Object.keys(keys[0]).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  assert.deepEqual([keys[0].kty, keys[0].alg, keys[0].use], ['RSA', 'RS256', 'sig'])
  assert.ok(Buffer.from(keys[0].n, 'base64url').length >= 256)
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  assert.match(String(answer.headers['cache-control']), /max-age=\d+/)
  const again = await get('/app-auth/.well-known/jwks.json', {
    'if-none-match': answer.headers.etag,
  })
  assert.equal(again.statusCode, 304)
  const any = await get('/app-auth/.well-known/jwks.json', { 'if-none-match': '*' })
  assert.equal(any.statusCode, 304)
})

test('serves the SDK at the immutable address and hash of its manifest [H06]', async () => {
  const manifest = (await get('/sdk/manifest.json')).json()
  assert.equal(manifest.version, version)
  assert.deepEqual(manifest.hostOrigins, [HOST_ORIGIN], 'what an app’s frame-ancestors names')
  for (const [url, integrity] of [
    [manifest.url, manifest.integrity],
    [manifest.moduleUrl, manifest.moduleIntegrity],
  ]) {
    const answer = await get(new URL(url).pathname)
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /^text\/javascript/)
    assert.match(String(answer.headers['cache-control']), /immutable/)
    const digest = createHash('sha384').update(answer.rawPayload).digest('base64')
    assert.equal(integrity, `sha384-${digest}`)
    assert.ok(answer.body.includes(HOST_ORIGIN), 'the hosts are written into the script')
    assert.doesNotMatch(answer.body, /\beval\(|new Function|__CHARTSIDE/)
  }
  assert.equal((await get('/sdk/1.0.0-000000000000/sdk.js')).statusCode, 404)
})

test('distinguishes live from ready', async () => {
  assert.deepEqual((await get('/health')).json(), { status: 'live', ready: true })
  assert.equal((await get('/health/ready')).statusCode, 200)
})

test('is ready and degraded in production without a host that opens apps', async () => {
  const { service } = story.service
  const production = { ...service.config, environment: 'production' } as const
  const ready = (hostOrigins: readonly string[]) =>
    showReady({ ...service, config: { ...production, hostOrigins } })
  const { status, body } = await ready([])
  assert.equal(status, 200)
  assert.match('degraded' in body ? String(body.degraded) : '', /CHARTSIDE_HOST_ORIGINS is empty/)
  assert.deepEqual((await ready([HOST_ORIGIN])).body, { status: 'ready', ready: true })
})

test('is ready and degraded while partitions of the database cannot be reached', async () => {
  const { service } = story.service
  const ready = async (unavailable: number) =>
    showReady({ ...service, partitions: { count: async () => ({ all: 32, unavailable }) } })
  const { status, body } = await ready(16)
  assert.equal(status, 200)
  const degraded = '16 of 32 partitions of the database cannot be reached.'
  assert.deepEqual(body, { status: 'ready', ready: true, degraded })
  assert.deepEqual((await ready(0)).body, { status: 'ready', ready: true })
})

test('answers 503 without the database, never an invalid credential [F01]', async (t) => {
  const fresh = await startStory()
  const { launchId } = await fresh.launch()
  t.after(() => fresh.close())
  await fresh.service.service.db.close()
  assert.equal((await fresh.request({ url: '/health' })).statusCode, 200)
  assert.equal((await fresh.request({ url: '/health/ready' })).statusCode, 503)
  const token = await exchange(fresh, `code_${launchId.slice(5)}`)
  assert.equal(token.statusCode, 503)
  assert.equal(token.json().error, 'temporarily_unavailable')
  assert.ok(token.headers['retry-after'])
  const api = await fresh.api('GET', '/api/users/me')
  assert.deepEqual([api.statusCode, api.json().code], [503, 'temporarily_unavailable'])
  const url = `/app-auth/authorize?${authorizeParameters(fresh.app, launchId)}`
  assert.equal((await fresh.request({ url })).json().error, 'temporarily_unavailable')
})

test('openapi.json is OpenAPI 3.1 with every route of the table', async () => {
  const document = (await get('/openapi.json')).json()
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.version, '1.0.0')
  for (const route of ROUTES) {
    const path = document.paths[route.path.replace(/:(\w+)/g, '{$1}').replace('*', '{rest}')]
    const methods = route.surface === 'oauth' ? route.methods : [route.method]
    for (const method of methods) assert.ok(path[method.toLowerCase()], `${method} ${route.path}`)
  }
  const described = JSON.stringify(document.paths)
  for (const name of ['access_token', 'nextCursor', 'memberships', 'launchUrl', 'clientId']) {
    assert.ok(described.includes(`"${name}"`), `${name} is described`)
  }
  const page = await get('/doc')
  assert.equal(page.statusCode, 200)
  assert.doesNotMatch(
    page.body,
    /<script(?! type="module" src="https:\/\/chartside\.test\/doc\/)| style=/,
  )
  for (const { operation } of ROUTES) {
    assert.match(page.body, new RegExp(`<article id="${operation}(By\\w+)?"`), operation)
  }
})

test('allows cross-origin API calls from configured hosts only, without cookies', async () => {
  const preflight = (origin: string) =>
    story.request({
      method: 'OPTIONS',
      url: '/api/sessions',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
  const allowed = await preflight(HOST_ORIGIN)
  assert.equal(allowed.headers['access-control-allow-origin'], HOST_ORIGIN)
  assert.equal(allowed.headers['access-control-allow-credentials'], undefined)
  const refused = await preflight('https://evil.example')
  assert.equal(refused.headers['access-control-allow-origin'], undefined)
  for (const url of ['/api/users/me', '/app-auth/introspect']) {
    const method = url.startsWith('/api') ? 'GET' : 'POST'
    const refusal = await story.request({ method, url, headers: { origin: HOST_ORIGIN } })
    assert.ok(refusal.statusCode >= 400)
    assert.equal(refusal.headers['access-control-allow-origin'], HOST_ORIGIN, url)
  }
  const read = await get('/health', { origin: 'https://evil.example' })
  assert.equal(read.headers['access-control-allow-origin'], undefined)
})
