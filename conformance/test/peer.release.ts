// The suite against a provider that others wrote: what is right passes or warns with a true reason,
// and what is configured badly is found. Security section 16.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ClientMetadata, Configuration } from 'oidc-provider'
import { type Peer, startPeer } from './peer.ts'
import { explain, type Ran, runSuite } from './run.ts'

async function runAgainst(peer: Peer): Promise<Ran> {
  try {
    return await runSuite(...peer.args)
  } finally {
    await peer.stop()
  }
}

const warnings = ({ report }: Ran) =>
  Object.fromEntries(
    report.modules
      .filter(({ verdict }) => verdict === 'warning')
      .map(({ id, cause }) => [id, cause]),
  )

test('passes a well configured oidc-provider, with true warnings only', async () => {
  const ran = await runAgainst(await startPeer())
  assert.deepEqual(ran.failed, [], explain(ran))
  assert.equal(ran.code, 0)
  assert.deepEqual(warnings(ran), {
    'discovery-caching':
      '/.well-known/openid-configuration has a cache lifetime: none; /jwks has a cache lifetime: none',
    'rfc6749-no-store': 'a success has Pragma: no-cache: none',
    'rfc7009-authentication': 'the status is 401: 400',
    'rfc7662-authentication': 'the status is 401: 400',
    'rfc9700-page-headers':
      'frame-ancestors names who may frame the page: no policy; no address leaves in a Referer: none; X-Content-Type-Options is nosniff: none',
  })
})

interface BadConfiguration {
  readonly title: string
  readonly changes?: Configuration
  readonly client?: Partial<ClientMetadata>
  readonly finds: readonly string[]
}

const BAD_CONFIGURATIONS: readonly BadConfiguration[] = [
  {
    title: 'an access token taken from the query',
    changes: { acceptQueryParamAccessTokens: true },
    finds: ['rfc6750-token-in-query'],
  },
  {
    title: 'the implicit flow',
    changes: { responseTypes: ['code', 'id_token'] },
    client: {
      response_types: ['code', 'id_token'],
      grant_types: ['authorization_code', 'implicit'],
    },
    finds: ['rfc9700-implicit-refused'],
  },
  {
    title: 'ID tokens signed with another algorithm',
    changes: { enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256'] } },
    client: { id_token_signed_response_alg: 'PS256' },
    finds: ['oidcc-idtoken-signature'],
  },
  {
    title: 'authorize without POST and redirect_uri left out',
    changes: { enableHttpPostMethods: false, allowOmittingSingleRegisteredRedirectUri: true },
    finds: [
      'oidcc-ensure-post-request-succeeds',
      'oidcc-ensure-redirect-uri-in-authorization-request',
    ],
  },
]

/** A run mostly waits for codes to age, so that all of them may run at once. */
describe('of oidc-providers configured badly', { concurrency: true }, () => {
  for (const { title, changes, client, finds } of BAD_CONFIGURATIONS) {
    test(`finds ${title}`, async () => {
      const ran = await runAgainst(await startPeer(changes, client))
      assert.deepEqual(ran.failed, finds, explain(ran))
      assert.equal(ran.code, 1)
    })
  }
})
