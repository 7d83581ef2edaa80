// An independent OAuth library walks the running service over real sockets: discovery,
// the code flow with and without PKCE, with body, Basic and private key authentication, ID token validation,
// userinfo, introspection, revocation. Spec §4, OpenID Connect Core.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as client from 'openid-client'
import { type AppKeyPair, makeAppKey } from './app-keys.ts'
import { freePort } from './free-port.ts'
import { type Story, startStory } from './story.ts'
import { testClock } from './test-service.ts'

let story: Story
let issuer: URL
let key: AppKeyPair
before(async () => {
  const port = await freePort()
  issuer = new URL(`http://localhost:${port}/app-auth`)
  // The library checks times against the real clock.
  const options = { clock: testClock(Date.now()) }
  story = await startStory({ CHARTSIDE_BASE_URL: `http://localhost:${port}` }, options)
  key = await makeAppKey('ES256', 'one')
  const jwks = { keys: [key.publicJwk] }
  await story.api('PATCH', `/api/apps/${story.app.id}`, { jwks })
  await story.service.server.listen({ port, host: '127.0.0.1' })
})
after(() => story.close())

const METHODS = [
  ['client_secret_post', () => client.ClientSecretPost(story.app.secret)],
  ['client_secret_basic', () => client.ClientSecretBasic(story.app.secret)],
  ['private_key_jwt', () => client.PrivateKeyJwt({ key: key.privateKey, kid: key.kid })],
] as const

for (const [method, authentication] of METHODS) {
  for (const withPkce of [true, false]) {
    const title = `openid-client signs in with ${method} ${withPkce ? 'and' : 'without'} PKCE`
    test(title, async () => {
      const config = await client.discovery(
        issuer,
        story.app.clientId,
        undefined,
        authentication(),
        { execute: [client.allowInsecureRequests] },
      )
      const { launchId, seed } = await story.launch()
      const state = `${launchId}:${client.randomState()}`
      const nonce = client.randomNonce()
      const verifier = client.randomPKCECodeVerifier()
      const pkce = {
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: story.app.redirectUri,
        scope: 'openid launch profile email',
        launch: launchId,
        state,
        nonce,
        ...(withPkce ? pkce : {}),
      })
      const redirect = await fetch(url, { redirect: 'manual' })
      assert.equal(redirect.status, 302)
      const tokens = await client.authorizationCodeGrant(
        config,
        new URL(redirect.headers.get('location') ?? ''),
        {
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
          ...(withPkce ? { pkceCodeVerifier: verifier } : {}),
        },
      )
      const claims = tokens.claims()
      assert.equal(claims?.sub, seed.userId)
      assert.equal(claims?.launch_id, launchId)
      assert.equal(tokens.token_type, 'bearer')
      assert.ok((tokens.expiresIn() ?? 0) > 3590)

      const info = await client.fetchUserInfo(config, tokens.access_token, seed.userId)
      assert.equal(info.name, 'Administrator')
      assert.equal((await client.tokenIntrospection(config, tokens.access_token)).active, true)
      await client.tokenRevocation(config, tokens.access_token)
      assert.equal((await client.tokenIntrospection(config, tokens.access_token)).active, false)
    })
  }
}
