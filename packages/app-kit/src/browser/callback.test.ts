// The callback page against the published vectors and against what pages do in the field: doubled
// effects, reloads, other tabs, blocked storage. No request is made. Spec §2.2, §7; R05-R07, R12.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { beginLaunch } from './begin-launch.ts'
import { readCallback } from './callback.ts'
import { AppKitError } from './errors.ts'
import { openBlockedPage, openPage } from './page-fixture.ts'
import { storeLaunch } from './state.ts'

interface Vectors {
  readonly issuer: string
  readonly vectors: readonly {
    readonly name: string
    readonly requirement: string
    readonly query: string
    readonly remembered: Readonly<Record<string, string>>
    readonly result:
      | { readonly code: string; readonly launch_id: string }
      | { readonly error: string }
    readonly remembered_after: Readonly<Record<string, string>>
  }[]
}

const file = new URL('../../../test-kit/vectors/state.json', import.meta.url)
const { issuer, vectors }: Vectors = JSON.parse(readFileSync(file, 'utf8'))

/** R06: whatever the callback holds, it is settled without a request. */
function forbidRequests(t: TestContext): void {
  t.mock.method(globalThis, 'fetch', () => assert.fail('a request was made'))
}

for (const { name, requirement, query, remembered, result, remembered_after } of vectors) {
  test(`callback vector: ${name} [${requirement}]`, (t) => {
    forbidRequests(t)
    const page = openPage(`https://app.example/callback?${query}`)
    for (const [launchId, csrf] of Object.entries(remembered)) {
      storeLaunch(page, launchId, { csrf, issuer })
    }
    if ('error' in result) {
      assert.throws(
        () => readCallback({}, page),
        (error: unknown) => {
          assert.ok(error instanceof AppKitError)
          assert.equal(error.code === 'issuer_mismatch' ? error.code : error.message, result.error)
          return true
        },
      )
    } else {
      assert.deepEqual(readCallback({}, page), { code: result.code, launchId: result.launch_id })
    }
    const navigations = Object.keys(remembered_after).map(
      (launchId) => `chartside:launch:${launchId}`,
    )
    assert.deepEqual([...page.stored.keys()], navigations)
    assert.doesNotMatch(page.location.search, /code|state|iss|error/)
  })
}

async function launched(query: (state: string) => string) {
  const launch = openPage('https://app.example/launch?launch_id=lnch_1')
  const options = {
    clientId: 'cli_1',
    baseUrl: 'https://s.example',
    redirectUri: 'https://a.example',
  }
  await beginLaunch({ ...options, pkce: true }, launch)
  const state = new URL(launch.navigations[0] ?? '').searchParams.get('state') ?? ''
  return openPage(`https://app.example/callback?${query(state)}`, launch.stored)
}

test('removes code and state from the address and keeps the query of the app [H02]', async () => {
  const page = await launched(
    (state) => `tenant=1&code=code_1&state=${state}&iss=https://s.example/app-auth`,
  )
  const { code, launchId, codeVerifier } = readCallback({}, page)
  assert.deepEqual([code, launchId], ['code_1', 'lnch_1'])
  assert.match(codeVerifier ?? '', /^[\w-]{43}$/)
  assert.equal(page.location.search, '?tenant=1')
  assert.equal(page.stored.size, 0)
})

test('keeps the state of the app in its history entry', async () => {
  const launch = await launched((state) => `code=code_1&state=${state}`)
  const { origin, pathname, search } = launch.location
  const page = openPage(origin + pathname + search, launch.stored, { idx: 0 })
  readCallback({}, page)
  assert.deepEqual(page.history.state, { idx: 0 })
  assert.equal(page.location.search, '')
})

test('leaves only the code for an SDK that is loaded later', async () => {
  const page = await launched((state) => `code=code_1&state=${state}&tenant=1`)
  readCallback({ keepCode: true }, page)
  assert.equal(page.location.search, '?code=code_1&tenant=1')
  assert.equal(readCallback({ keepCode: true }, page).code, 'code_1')
})

test('gives the second call on a page the outcome of the first, good or bad', async () => {
  const page = await launched((state) => `code=code_1&state=${state}`)
  assert.deepEqual(readCallback({}, page), readCallback({}, page))
  const forged = openPage('https://app.example/callback?code=code_1&state=lnch_1:forged')
  for (let call = 0; call < 2; call += 1) {
    assert.throws(() => readCallback({}, forged), { code: 'csrf_validation_failed' })
  }
})

test('refuses a reloaded callback and a state that was used [R06]', async () => {
  const page = await launched((state) => `code=code_1&state=${state}`)
  const address = `https://app.example/callback${page.location.search}`
  assert.match(address, /code=code_1&state=lnch_1:/)
  readCallback({}, page)
  assert.throws(() => readCallback({}, openPage(address, page.stored)), {
    message: 'CSRF validation failed',
  })
  assert.throws(() => readCallback({}, openPage('https://app.example/callback', page.stored)), {
    code: 'missing_oauth_parameters',
    message: 'Missing OAuth parameters',
  })
})

test('refuses the callback of a launch that another tab started [R06]', async () => {
  const page = await launched((state) => `code=code_1&state=${state}`)
  const elsewhere = openPage(`https://app.example/callback${page.location.search}`)
  assert.throws(() => readCallback({}, elsewhere), { message: 'CSRF validation failed' })
})

test('compares the issuer that the app names byte by byte [R12]', async () => {
  const page = await launched((state) => `code=c&state=${state}&iss=https://s.example/app-auth/`)
  assert.throws(
    () => readCallback({}, page),
    (error: unknown) => {
      assert.ok(error instanceof AppKitError)
      assert.equal(error.code, 'issuer_mismatch')
      assert.match(
        error.fix,
        /names https:\/\/s\.example\/app-auth\/; expected is https:\/\/s\.example\/app-auth\./,
      )
      return true
    },
  )
  const own = await launched((state) => `code=c&state=${state}&iss=https://id.example`)
  assert.equal(readCallback({ issuer: 'https://id.example' }, own).code, 'c')
})

test('passes on the error of a refused launch with its trace id', async () => {
  const description = encodeURIComponent('The launch has ended. Launch again. (trace trc_9f)')
  const page = await launched(
    (state) => `error=access_denied&error_description=${description}&state=${state}`,
  )
  assert.throws(() => readCallback({}, page), {
    name: 'AppKitError',
    code: 'authorization_failed',
    message: 'The launch has ended. Launch again.',
    oauthError: 'access_denied',
    traceId: 'trc_9f',
  })
})

test('reports blocked storage instead of a forged state', () => {
  const page = openBlockedPage('https://app.example/callback?code=c&state=lnch_1:abc')
  assert.throws(() => readCallback({}, page), { code: 'storage_unavailable' })
})
