// From the Launch URL to authorize: the request, the stored values and the refusals.
// Spec §2.1, §2.2, §4.1; security R05.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { beginLaunch, buildAuthorizeUrl } from './begin-launch.ts'
import { AppKitError } from './errors.ts'
import { openBlockedPage, openPage, type PageFixture } from './page-fixture.ts'

const options = {
  clientId: 'cli_1',
  baseUrl: 'https://chartside.example/',
  redirectUri: 'https://app.example/callback?tenant=1',
}

const sent = ({ navigations }: PageFixture) => new URL(navigations[0] ?? '').searchParams

test('goes to authorize with the parameters of spec §4.1', async () => {
  const page = openPage('https://app.example/launch?launch_id=lnch_1&x=y')
  await beginLaunch(options, page)
  assert.equal(page.navigations.length, 1)
  assert.ok(page.navigations[0]?.startsWith('https://chartside.example/app-auth/authorize?'))
  const { state, ...rest } = Object.fromEntries(sent(page))
  assert.deepEqual(rest, {
    response_type: 'code',
    client_id: 'cli_1',
    launch: 'lnch_1',
    scope: 'launch openid',
    redirect_uri: 'https://app.example/callback?tenant=1',
  })
  assert.match(state ?? '', /^lnch_1:[\w-]{43}$/)
})

test('makes 256 random bits for every launch and keeps them under its launch_id [R05]', async () => {
  const stored = new Map<string, string>()
  const seen = new Set<string>()
  for (let launch = 0; launch < 50; launch += 1) {
    const page = openPage(`https://app.example/launch?launch_id=lnch_${launch}`, stored)
    await beginLaunch(options, page)
    const csrf = sent(page).get('state')?.split(':')[1] ?? ''
    assert.equal(Buffer.from(csrf, 'base64url').length, 32)
    seen.add(csrf)
    assert.equal(JSON.parse(stored.get(`chartside:launch:lnch_${launch}`) ?? '').csrf, csrf)
  }
  assert.equal(seen.size, 50)
})

test('starts one launch for two calls on one page, as React StrictMode makes them', async () => {
  const page = openPage('https://app.example/launch?launch_id=lnch_1')
  await Promise.all([beginLaunch(options, page), beginLaunch(options, page)])
  await beginLaunch(options, page)
  assert.equal(page.navigations.length, 1)
})

test('sends an S256 challenge whose verifier stays in the tab', async () => {
  const page = openPage('https://app.example/launch?launch_id=lnch_1')
  await beginLaunch({ ...options, pkce: true, nonce: 'n_1' }, page)
  const { codeVerifier } = JSON.parse(page.stored.get('chartside:launch:lnch_1') ?? '')
  assert.match(codeVerifier, /^[\w-]{43}$/)
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
  assert.equal(sent(page).get('code_challenge'), challenge)
  assert.equal(sent(page).get('code_challenge_method'), 'S256')
  assert.equal(sent(page).get('nonce'), 'n_1')
  assert.ok(!page.navigations[0]?.includes(codeVerifier))
})

test('rejects each call on a page without a launch_id, and names the cause', async () => {
  for (const query of ['', '?launch_id=', '?launch_id=a:b']) {
    const page = openPage(`https://app.example/launch${query}`)
    for (let call = 0; call < 2; call += 1) {
      await assert.rejects(beginLaunch(options, page), (error: unknown) => {
        assert.ok(error instanceof AppKitError)
        assert.equal(error.code, 'missing_launch_id')
        assert.match(error.fix, /from the panel/)
        return true
      })
    }
    assert.deepEqual(page.navigations, [])
  }
})

test('reports blocked storage and starts no launch', async () => {
  const page = openBlockedPage('https://app.example/launch?launch_id=lnch_1')
  await assert.rejects(beginLaunch(options, page), { code: 'storage_unavailable' })
  assert.deepEqual((page as PageFixture).navigations, [])
})

test('builds the authorize URL for apps that keep their own state', () => {
  const url = new URL(buildAuthorizeUrl({ ...options, launchId: 'lnch_1', state: 'lnch_1:abc' }))
  assert.equal(url.origin + url.pathname, 'https://chartside.example/app-auth/authorize')
  assert.equal(url.searchParams.get('state'), 'lnch_1:abc')
  assert.equal(url.searchParams.has('code_challenge'), false)
})

test('rejects PKCE without Web Crypto and stores nothing', async () => {
  const page = openPage('http://app.example/launch?launch_id=lnch_1')
  const subtle = Object.getOwnPropertyDescriptor(Crypto.prototype, 'subtle') ?? {}
  Object.defineProperty(Crypto.prototype, 'subtle', { configurable: true, get: () => undefined })
  try {
    const refused = beginLaunch({ ...options, pkce: true }, page)
    await assert.rejects(refused, { code: 'crypto_unavailable', fix: /https/ })
  } finally {
    Object.defineProperty(Crypto.prototype, 'subtle', subtle)
  }
  assert.deepEqual(page.navigations, [])
})
