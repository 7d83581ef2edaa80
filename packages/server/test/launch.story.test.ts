// The main story, end to end over HTTP: a launch becomes a signed-in app. Spec §1.1.
import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { after, before, test } from 'node:test'
import { authorize, exchange, isActive, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

test('exchanges a launch for an access token and a signed ID token', async () => {
  const launch = await story.launch()
  assert.match(launch.launchId, /^lnch_[A-Za-z0-9_-]{43,}$/)
  assert.equal(launch.launchUrl, `https://notes.example/launch?launch_id=${launch.launchId}`)

  const callback = await authorize(story, launch.launchId, { nonce: 'n-1' })
  assert.equal(callback.origin + callback.pathname, story.app.redirectUri)
  assert.equal(callback.searchParams.get('state'), `${launch.launchId}:csrf`)
  assert.equal(callback.searchParams.get('iss'), 'https://chartside.test/app-auth')

  const answer = await exchange(story, callback.searchParams.get('code') ?? '')
  assert.equal(answer.statusCode, 200, answer.body)
  const tokens = answer.json()
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers.pragma, 'no-cache')
  assert.deepEqual(
    { ...tokens, access_token: '', id_token: '' },
    {
      access_token: '',
      id_token: '',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'launch openid',
    },
  )

  const claims = await verified(tokens.id_token)
  const nowSeconds = story.service.clock() / 1000
  assert.deepEqual(
    { ...claims, jti: '', at_hash: '' },
    {
      iss: 'https://chartside.test/app-auth',
      sub: launch.seed.userId,
      aud: story.app.clientId,
      iat: nowSeconds,
      exp: nowSeconds + 900,
      auth_time: nowSeconds,
      jti: '',
      nonce: 'n-1',
      at_hash: '',
      sid: story.sessionId,
      launch_id: launch.launchId,
      account: { id: story.accountId, name: 'Lakeside' },
      ehr_type: 'meadow',
      device_id: 'device-1',
    },
  )
  assert.equal(await isActive(story, tokens.access_token), true)
})

/** Checks the signature against the published keys by hand and gives the claims [J01]. */
async function verified(idToken: string): Promise<Record<string, unknown>> {
  const [header = '', payload = '', signature = ''] = idToken.split('.')
  const { alg, kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString())
  assert.deepEqual({ alg, typ }, { alg: 'RS256', typ: 'JWT' })
  const { keys } = (await story.request({ url: '/app-auth/.well-known/jwks.json' })).json()
  const jwk = keys.find((key: { kid: string }) => key.kid === kid)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const input = Buffer.from(`${header}.${payload}`)
  assert.ok(verify('sha256', input, key, Buffer.from(signature, 'base64url')))
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}
