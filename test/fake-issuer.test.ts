// The fake issuer of the test kit beside the real service: the same requests, in the same order, are
// answered alike in kind: status, error codes, members, headers. An app that passes against the fake
// must not fail against the service. Spec §4; contract §2.
import assert from 'node:assert/strict'
import { createHash, type JsonWebKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type FakeIssuer, startFakeIssuer } from '@chartside/test-kit'
import { type AppKeyPair, byAssertion, makeAppKey } from '../packages/server/test/app-keys.ts'
import { authorizeParameters, type Story, startStory } from '../packages/server/test/story.ts'
import { type CopyEndpoint, fakeSide, type Reply, realSide } from './copy-endpoints.ts'

let key: AppKeyPair
let story: Story
let fake: FakeIssuer
let sides: readonly (readonly [string, CopyEndpoint])[]

before(async () => {
  key = await makeAppKey('ES256', 'one')
  story = await startStory()
  await story.api('PATCH', `/api/apps/${story.app.id}`, { jwks: { keys: [key.publicJwk] } })
  const clientKey = key.publicJwk as JsonWebKey
  fake = await startFakeIssuer({ redirectUris: [story.app.redirectUri], clientKey })
  sides = [
    ['the service', realSide(story)],
    ['the fake issuer', fakeSide(fake, story)],
  ]
})
after(async () => {
  await fake.stop()
  await story.close()
})

const NO_ALGORITHM = Buffer.from('{"alg":"none"}').toString('base64url')
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

type Changes = Record<string, string | undefined>

const authorize = async (
  side: CopyEndpoint,
  launchId: string,
  changes: Changes = {},
): Promise<Reply> => {
  const app = { id: '', ...side }
  return side.send(`/app-auth/authorize?${authorizeParameters(app, launchId, changes)}`)
}

async function freshCode(side: CopyEndpoint, changes: Changes = {}): Promise<string> {
  const { headers } = await authorize(side, await side.launch(), changes)
  return new URL(String(headers.location)).searchParams.get('code') ?? ''
}

const fieldsOf = (side: CopyEndpoint, code: string, changes: Changes = {}) => ({
  grant_type: 'authorization_code',
  code,
  client_id: side.clientId,
  client_secret: side.secret,
  ...changes,
})

const exchange = (side: CopyEndpoint, code: string, changes: Changes = {}): Promise<Reply> =>
  side.send('/app-auth/token', {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(fieldsOf(side, code, changes)),
  })

/** What an app can depend on, without the values that differ each time. */
function kindOf({ status, headers, body }: Reply): object {
  const kept = { status, cache: headers['cache-control'] }
  if (headers.location !== undefined) {
    const { origin, pathname, searchParams } = new URL(String(headers.location))
    const names = [...searchParams.keys()].sort()
    const trace = /\(trace \S+\)$/.test(searchParams.get('error_description') ?? '')
    return { ...kept, to: origin + pathname, names, error: searchParams.get('error'), trace }
  }
  const members = JSON.parse(body) as Record<string, unknown>
  const { error, token_type, expires_in, scope } = members
  return { ...kept, names: Object.keys(members).sort(), error, token_type, expires_in, scope }
}

/** Runs a scene on both sides; what each reply is, in kind, must be the same. */
function alike(title: string, scene: (side: CopyEndpoint) => Promise<readonly Reply[]>): void {
  test(`alike: ${title}`, async () => {
    const [real, made] = await Promise.all(
      sides.map(async ([, side]) => (await scene(side)).map(kindOf)),
    )
    assert.deepEqual(made, real)
  })
}

const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const WITH_CHALLENGE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }

alike('a launch that is authorized and exchanged', async (side) => {
  const launchId = await side.launch()
  const redirect = await authorize(side, launchId)
  const code = new URL(String(redirect.headers.location)).searchParams.get('code') ?? ''
  return [redirect, await exchange(side, code), await authorize(side, launchId)]
})

for (const [what, changes] of Object.entries<Changes>({
  'an unknown client': { client_id: `cli_${'f'.repeat(32)}` },
  'a redirect URI that is not registered': { redirect_uri: 'https://evil.example/callback' },
  'no state': { state: undefined },
  'another response type': { response_type: 'token' },
  'no scope': { scope: undefined },
  'a scope without launch': { scope: 'openid' },
  'scopes in another order, and one that does not exist': { scope: 'openid profile x launch' },
  'a plain challenge': { code_challenge: VERIFIER, code_challenge_method: 'plain' },
  'an unknown launch': { launch: 'lnch_unknown' },
  'no launch': { launch: undefined },
})) {
  alike(`an authorize request with ${what}`, async (side) => [
    await authorize(side, await side.launch(), changes),
  ])
}

alike('a code that is exchanged twice', async (side) => {
  const code = await freshCode(side)
  return [await exchange(side, code), await exchange(side, code)]
})

alike('the access token of a code that is exchanged again', async (side) => {
  const code = await freshCode(side)
  const { access_token: token } = JSON.parse((await exchange(side, code)).body)
  const ask = () =>
    side.send('/app-auth/userinfo', { headers: { authorization: `Bearer ${token}` } })
  const other = { client_id: `cli_${'f'.repeat(32)}`, client_secret: 'cs_x' }
  return [
    await ask(),
    await exchange(side, code, other),
    await exchange(side, code, { client_secret: 'cs_wrong' }),
    await ask(),
    await exchange(side, code),
    await ask(),
  ]
})

alike('the code of an authorize request that was repeated', async (side) => {
  const launchId = await side.launch()
  const codes = [await authorize(side, launchId), await authorize(side, launchId)].map(
    ({ headers }) => new URL(String(headers.location)).searchParams.get('code') ?? '',
  )
  return [await exchange(side, codes[0] ?? ''), await exchange(side, codes[1] ?? '')]
})

alike('a code that died with a wrong secret', async (side) => {
  const code = await freshCode(side)
  const wrong = await exchange(side, code, { client_secret: 'cs_wrong' })
  return [wrong, await exchange(side, code)]
})

alike('a code that another client tries, and that still works afterwards', async (side) => {
  const code = await freshCode(side)
  const other = { client_id: `cli_${'f'.repeat(32)}`, client_secret: 'cs_x' }
  return [await exchange(side, code, other), await exchange(side, code)]
})

for (const [what, changes] of Object.entries<Changes>({
  'no code': { code: undefined },
  'an unknown code': { code: 'code_unknown' },
  'another grant type': { grant_type: 'refresh_token' },
  'no grant type': { grant_type: undefined },
  'another redirect URI': { redirect_uri: 'https://evil.example/callback' },
  'a verifier without a challenge': { code_verifier: VERIFIER },
})) {
  alike(`an exchange with ${what}, and the code afterwards`, async (side) => {
    const code = await freshCode(side)
    return [await exchange(side, code, changes), await exchange(side, code)]
  })
}

alike('userinfo of a launch, with and without a live token', async (side) => {
  const { body } = await exchange(side, await freshCode(side, { scope: 'launch openid profile' }))
  const { access_token: token } = JSON.parse(body) as { access_token: string }
  const ask = (bearer: string) =>
    side.send('/app-auth/userinfo', { headers: { authorization: `Bearer ${bearer}` } })
  return [await ask(token), await ask('at_unknown')]
})

alike('PKCE: right, wrong and missing', async (side) => {
  const codes = [1, 2, 3].map(() => freshCode(side, WITH_CHALLENGE))
  const [right = '', wrong = '', missing = ''] = await Promise.all(codes)
  return [
    await exchange(side, right, { code_verifier: VERIFIER }),
    await exchange(side, wrong, { code_verifier: 'w'.repeat(43) }),
    await exchange(side, missing),
  ]
})

alike('an exchange by form, and one by HTTP Basic', async (side) => {
  const form = new URLSearchParams(fieldsOf(side, await freshCode(side))).toString()
  const bare = { grant_type: 'authorization_code', code: await freshCode(side) }
  const basic = Buffer.from(`${side.clientId}:${side.secret}`).toString('base64')
  const post = (headers: Record<string, string>, body: string) =>
    side.send('/app-auth/token', { method: 'POST', headers, body })
  return [
    await post(FORM_TYPE, form),
    await post(
      { ...FORM_TYPE, authorization: `Basic ${basic}` },
      String(new URLSearchParams(bare)),
    ),
  ]
})

alike('a private key in place of the secret: used once, for this issuer [P08]', async (side) => {
  const by = async (assertion: string) =>
    exchange(side, await freshCode(side), byAssertion(assertion))
  const once = await side.assertion(key)
  return [
    await by(once),
    await by(once),
    await by(await side.assertion(key, 60, `${side.issuer}/token`)),
    await by(await side.assertion(key, 60, 'https://another.example')),
    await by(await side.assertion(await makeAppKey('ES256', 'one'))),
  ]
})

alike('an assertion that has ended, lives too long or has no signature [P08]', async (side) => {
  const by = async (assertion: string) =>
    exchange(side, await freshCode(side), byAssertion(assertion))
  return [
    await by(await side.assertion(key, -61)),
    await by(await side.assertion(key, 400)),
    await by((await side.assertion(key)).replace(/^[^.]+/, NO_ALGORITHM)),
  ]
})

test('alike: the claims and the header of an ID token', async () => {
  const read = async (side: CopyEndpoint) => {
    const scope = 'launch openid profile email'
    const answer = await exchange(side, await freshCode(side, { scope, nonce: 'n-1' }))
    const [header, claims] = String(JSON.parse(answer.body).id_token)
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    const types = Object.entries(claims).map(([name, value]) => `${name}: ${typeof value}`)
    return { header: { ...header, kid: '' }, types: types.sort(), life: claims.exp - claims.iat }
  }
  const [real, made] = await Promise.all(sides.map(([, side]) => read(side)))
  assert.deepEqual(made, real)
})

test('alike: the members of a published key, and every address the fake describes', async () => {
  const [[, real] = [], [, made] = []] = sides
  assert.ok(real && made)
  const keysOf = async (side: CopyEndpoint) =>
    JSON.parse((await side.send('/app-auth/.well-known/jwks.json')).body).keys.map(
      (key: Record<string, unknown>) => Object.keys({ ...key }).sort(),
    )
  assert.deepEqual((await keysOf(made))[0], (await keysOf(real))[0])
  const metadataOf = async (side: CopyEndpoint) => {
    const { body } = await side.send('/app-auth/.well-known/openid-configuration')
    return JSON.parse(body.replaceAll(fake.baseUrl, 'https://chartside.test'))
  }
  const [all, some] = [await metadataOf(real), await metadataOf(made)]
  // The fake issuer signs with the default only.
  const signs = 'id_token_signing_alg_values_supported'
  assert.deepEqual([some[signs], all[signs][0]], [['RS256'], 'RS256'])
  for (const [name, value] of Object.entries(some)) {
    if (name !== signs) assert.deepEqual(value, all[name], name)
  }
})
