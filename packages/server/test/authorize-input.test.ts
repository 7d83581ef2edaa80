// Hostile and careless input to authorize: who may not be redirected at all, and what each bad
// parameter gets. Security A01-A03, A09, A21, A22; interop (the app's id in place of its client ID).
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { authorizeParameters, exchange, redirectOf, type Story, startStory } from './story.ts'

let story: Story
let launchId: string
before(async () => {
  story = await startStory()
  launchId = (await story.launch()).launchId
})
after(async () => {
  // Nothing that was tried has cost the launch anything.
  const url = `/app-auth/authorize?${authorizeParameters(story.app, launchId)}`
  const code = redirectOf(await story.request({ url })).searchParams.get('code') ?? ''
  assert.equal((await exchange(story, code)).statusCode, 200)
  await story.close()
})

const send = (parameters: URLSearchParams | string, accept = 'application/json') =>
  story.request({ url: `/app-auth/authorize?${parameters}`, headers: { accept } })

/** A refusal without any redirect: status 400, a JSON error in OAuth's shape. */
function assertNoRedirect(answer: LightMyRequestResponse, what: string): void {
  assert.equal(answer.statusCode, 400, `${what}: ${answer.body}`)
  assert.equal(answer.headers.location, undefined, what)
  const { error, error_description: description, trace_id: traceId } = answer.json()
  assert.equal(error, 'invalid_request', what)
  assert.ok(description.length > 10, what)
  assert.match(traceId, /^[0-9a-f]{32}$/)
}

const HOSTILE_REDIRECTS = [
  'https://notes.example/callback/',
  'https://notes.example/callback?x=1',
  'https://notes.example/callback#fragment',
  'https://notes.example/Callback',
  'https://NOTES.example/callback',
  'https://notes.example:443/callback',
  'https://notes.example/%63allback',
  'https://notes.example/callback%2e',
  'https://notes.example/callback/..;/',
  'https://notes.example/./callback',
  'https://user@notes.example/callback',
  'https://a@b@evil.example',
  'https://notes.example.evil.example/callback',
  'https://evil.example/callback',
  'https://evil.example\\@notes.example/callback',
  'https://notes.example/callback\r\nLocation: https://evil.example',
  '//evil.example/callback',
  'http://notes.example/callback',
  'JavaScript:alert(1)',
  'javascript:alert(1)//https://notes.example/callback',
  'data:text/html,<script>alert(1)</script>',
  'https://notes。example/callback',
  'https://notes.example/callback\u0000',
  ' https://notes.example/callback',
  `https://notes.example/callback${'a'.repeat(4096)}`,
  'notes.example/callback',
]

test('never redirects to an unregistered or look-alike URI [A02, A03, A22]', async () => {
  for (const redirectUri of HOSTILE_REDIRECTS) {
    const parameters = authorizeParameters(story.app, launchId, { redirect_uri: redirectUri })
    assertNoRedirect(await send(parameters), redirectUri)
  }
})

test('never redirects an unknown client, whatever it sends [A01]', async () => {
  const unknown = `cli_${'0'.repeat(32)}`
  for (const clientId of [unknown, '', 'a'.repeat(200), '%00', story.app.clientId.toUpperCase()]) {
    const parameters = authorizeParameters(story.app, launchId, { client_id: clientId })
    assertNoRedirect(await send(parameters), clientId)
  }
})

test('names the mistake when the app id is sent as client_id', async () => {
  const parameters = authorizeParameters(story.app, launchId, { client_id: story.app.id })
  const answer = await send(parameters)
  assertNoRedirect(answer, 'app id')
  assert.match(answer.json().error_description, /app's id, not its client ID/)
})

test('shows an escaped error page that only hosts may frame [A21, H01]', async () => {
  const attack = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const changes = { client_id: attack, state: attack, scope: attack }
  const answer = await send(authorizeParameters(story.app, launchId, changes), 'text/html,*/*')
  assert.equal(answer.statusCode, 400)
  assert.match(String(answer.headers['content-type']), /^text\/html/)
  assert.doesNotMatch(answer.body, /<script|<img/)
  assert.match(answer.body, /Your chart is not affected/)
  const policy = String(answer.headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /frame-ancestors chrome-extension:\/\/abcdefghijklmnopabcdefghijklmnop$/)
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  assert.equal(answer.headers['referrer-policy'], 'no-referrer')
})

test('each parameter missing or empty gets its own clear error', async () => {
  const names = ['response_type', 'client_id', 'launch', 'scope', 'redirect_uri', 'state']
  for (const name of names) {
    for (const value of [undefined, '']) {
      const answer = await send(authorizeParameters(story.app, launchId, { [name]: value }))
      if (name === 'client_id' || name === 'redirect_uri') {
        assertNoRedirect(answer, name)
        assert.ok(answer.json().error_description.includes(name))
        continue
      }
      const url = redirectOf(answer)
      assert.match(url.searchParams.get('error') ?? '', /^invalid_(request|scope)$/, name)
      assert.ok(url.searchParams.get('error_description')?.includes(name), url.href)
      assert.equal(url.searchParams.has('code'), false)
      const state = name === 'state' ? null : `${launchId}:csrf`
      assert.equal(url.searchParams.get('state'), state)
    }
  }
})

test('each parameter doubled is refused, never first or last wins [A09]', async () => {
  const once = authorizeParameters(story.app, launchId, { nonce: 'n' })
  for (const name of [...once.keys()]) {
    const twice = new URLSearchParams(once)
    twice.append(name, twice.get(name) ?? '')
    const answer = await send(twice)
    if (name === 'client_id' || name === 'redirect_uri') {
      assertNoRedirect(answer, name)
      assert.match(answer.json().error_description, /more than once/)
    } else {
      const url = redirectOf(answer)
      assert.equal(url.searchParams.get('error'), 'invalid_request', name)
      assert.match(url.searchParams.get('error_description') ?? '', /more than once/)
    }
  }
})

test('each parameter oversized gets a clear error', async () => {
  for (const name of ['response_type', 'launch', 'scope', 'state', 'nonce', 'code_challenge']) {
    const answer = await send(
      authorizeParameters(story.app, launchId, { [name]: 'a'.repeat(6000) }),
    )
    const url = redirectOf(answer)
    assert.equal(url.searchParams.get('error'), 'invalid_request', name)
    assert.match(url.searchParams.get('error_description') ?? '', /longer than/)
  }
})

test('odd bytes and odd bodies never end in a 500', async () => {
  const good = authorizeParameters(story.app, launchId, { launch: undefined })
  for (const odd of [
    'launch=%00',
    'launch=%ff%fe',
    'launch=%',
    'launch[]=x',
    '&&&==',
    '__proto__=x',
  ]) {
    const answer = await send(`${good}&${odd}`)
    assert.equal(answer.statusCode, 302, `${odd}: ${answer.body}`)
    assert.equal(redirectOf(answer).searchParams.get('error'), 'invalid_request')
  }
  const bodies: [string, string][] = [
    ['application/json', '{"client_id":"x"}'],
    ['text/plain', 'client_id=x'],
    ['application/x-www-form-urlencoded', '\u0000\u0001'],
    ['application/x-www-form-urlencoded', 'a='.repeat(3000)],
  ]
  for (const [contentType, payload] of bodies) {
    const answer = await story.request({
      method: 'POST',
      url: '/app-auth/authorize',
      headers: { 'content-type': contentType },
      payload,
    })
    assertNoRedirect(answer, `${contentType} ${payload.slice(0, 20)}`)
  }
})

test('refuses other methods with 405 and says which there are', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
    const answer = await story.request({ method, url: '/app-auth/authorize' })
    assert.equal(answer.statusCode, 405)
    assert.equal(answer.headers.allow, 'GET, POST')
  }
})
