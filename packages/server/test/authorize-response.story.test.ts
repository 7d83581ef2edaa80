// What authorize sends back, on success and on error, and the request without interaction.
// Contract §2, security A14-A16.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorize, authorizeParameters, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const names = (url: URL) => [...url.searchParams.keys()].sort()

test('sends error, state and iss on every error redirect, and never a code [A14, A15]', async () => {
  const { issuer } = (
    await story.request({ url: '/app-auth/.well-known/openid-configuration' })
  ).json()
  const { launchId } = await story.launch()
  const state = 'opaque:state/+%'
  const errors: [string, Record<string, string | undefined>][] = [
    ['invalid_request', { response_type: undefined }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { launch: undefined }],
    ['invalid_request', { launch: `lnch_${'0'.repeat(22)}${'A'.repeat(43)}` }],
    ['invalid_request', { launch: 'quote " backslash \\ line\nend 漢字' }],
    ['invalid_scope', { scope: 'openid' }],
    ['invalid_request', { code_challenge: 'x', code_challenge_method: 'plain' }],
    ['request_not_supported', { request: 'e30.e30.' }],
    ['request_uri_not_supported', { request_uri: 'https://evil.example/' }],
  ]
  for (const [error, changes] of errors) {
    const url = await authorize(story, launchId, { ...changes, state })
    assert.equal(url.searchParams.get('error'), error)
    assert.deepEqual(names(url), ['error', 'error_description', 'iss', 'state'])
    assert.equal(url.searchParams.get('state'), state)
    assert.equal(url.searchParams.get('iss'), issuer)
    const description = url.searchParams.get('error_description') ?? ''
    assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  }
})

test('sends code, state and the issuer of the metadata on success [A15]', async () => {
  const { issuer } = (
    await story.request({ url: '/app-auth/.well-known/openid-configuration' })
  ).json()
  const { launchId } = await story.launch()
  const url = await authorize(story, launchId)
  assert.deepEqual(names(url), ['code', 'iss', 'state'])
  assert.equal(url.searchParams.get('iss'), issuer)
})

test('lets no cache keep a redirect, with a code or with an error [A14]', async () => {
  const { launchId } = await story.launch()
  for (const changes of [{}, { scope: 'openid' }]) {
    const parameters = authorizeParameters(story.app, launchId, changes)
    const answer = await story.request({ url: `/app-auth/authorize?${parameters}` })
    assert.deepEqual([answer.statusCode, answer.headers['cache-control']], [302, 'no-store'])
  }
})

test('answers prompt=none without a live sign-in with login_required [A16]', async (t) => {
  const own = await startStory()
  t.after(() => own.close())
  const { launchId } = await own.launch()
  const signedIn = await authorize(own, launchId, { prompt: 'none' })
  assert.ok(signedIn.searchParams.has('code'))
  const headers = { authorization: `Bearer ${own.adminToken}` }
  await own.request({ method: 'POST', url: '/auth/sign-out', headers })
  const signedOut = await authorize(own, launchId, { prompt: 'none' })
  assert.equal(signedOut.searchParams.get('error'), 'login_required')
  assert.equal(signedOut.searchParams.has('code'), false)
  const interactive = await authorize(own, launchId)
  assert.equal(interactive.searchParams.get('error'), 'access_denied')
})
