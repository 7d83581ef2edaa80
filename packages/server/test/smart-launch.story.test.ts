// Apps of launch style smart: what their Launch URL, authorize, token and userinfo have that others lack, and
// what a registration may combine with it. Contract §14, SMART App Launch 2.2.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  authorize,
  exchange,
  isActive,
  type RegisteredApp,
  type Story,
  startStory,
} from './story.ts'

const ISSUER = 'https://chartside.test/app-auth'
const VERIFIER = 'v'.repeat(43)
const PKCE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
}

let story: Story
let smart: RegisteredApp
before(async () => {
  story = await startStory()
  const launchUrl = 'https://chart.example/launch?tenant=1'
  smart = await story.registerApp('chart', { launchStyle: 'smart', launchUrl, requirePkce: false })
})
after(() => story.close())

const openLaunch = async () => story.launch({ app: smart, sessionId: await story.openSession() })

/** The answer of authorize to what a SMART client sends, with these changes. */
const authorizeSmart = async (changes: Record<string, string | undefined> = {}) => {
  const { launchId } = await openLaunch()
  const sent = { scope: 'launch', aud: ISSUER, state: 'random', ...PKCE, ...changes }
  return (await authorize(story, launchId, sent, smart)).searchParams
}

const tokensFor = async (changes: Record<string, string> = {}) => {
  const code = (await authorizeSmart(changes)).get('code') ?? ''
  const answer = await exchange(story, code, { code_verifier: VERIFIER }, smart)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const askUserinfo = (token: string) =>
  story.request({ url: '/app-auth/userinfo', headers: { authorization: `Bearer ${token}` } })

test('the Launch URL has launch and iss beside launch_id, for such an app only', async () => {
  const opened = await openLaunch()
  assert.equal(opened.app.launchStyle, 'smart')
  assert.deepEqual(
    [...new URL(opened.launchUrl).searchParams],
    [
      ['tenant', '1'],
      ['launch_id', opened.launchId],
      ['launch', opened.launchId],
      ['iss', ISSUER],
    ],
  )
  const other = await story.launch()
  assert.deepEqual([...new URL(other.launchUrl).searchParams.keys()], ['launch_id'])
})

test('without openid there is no ID token and no userinfo, and the token is live', async () => {
  const { access_token: token, ...rest } = await tokensFor({ scope: 'launch patient/*.read' })
  assert.deepEqual(rest, {
    ...{ token_type: 'Bearer', expires_in: 3600, scope: 'launch' },
    ...{ tenant: story.accountId, need_patient_banner: true },
  })
  assert.equal(await isActive(story, token, smart), true)
  const refused = await askUserinfo(token)
  assert.equal(refused.statusCode, 403)
  assert.equal(refused.json().error, 'insufficient_scope')
  assert.match(String(refused.headers['www-authenticate']), /insufficient_scope/)
})

test('with openid it gets what every app gets, and the launch context of SMART', async () => {
  const tokens = await tokensFor({ scope: 'launch openid fhirUser' })
  assert.equal(tokens.scope, 'launch openid')
  assert.equal(tokens.tenant, story.accountId)
  const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString())
  assert.equal(claims.aud, smart.clientId)
  assert.equal((await askUserinfo(tokens.access_token)).statusCode, 200)
})

test('refuses another aud, a missing challenge, and a scope without launch', async () => {
  for (const aud of ['https://fhir.example/r4', `${ISSUER}/`]) {
    const refused = await authorizeSmart({ aud })
    assert.equal(refused.get('error'), 'invalid_request', aud)
    assert.equal(refused.has('code'), false)
  }
  assert.ok((await authorizeSmart({ aud: undefined })).get('code'))
  const bare = { code_challenge: undefined, code_challenge_method: undefined }
  assert.equal((await authorizeSmart(bare)).get('error'), 'invalid_request', 'PKCE is required')
  assert.equal((await authorizeSmart({ scope: 'openid' })).get('error'), 'invalid_scope')
  const { launchId } = await story.launch()
  const other = await authorize(story, launchId, { scope: 'launch', aud: 'https://fhir.example' })
  assert.equal(other.searchParams.get('error'), 'invalid_scope', 'of an app of the specification')
})

test('a registration requires PKCE with it, and refuses what needs the SDK', async () => {
  const url = `/api/apps/${smart.id}`
  const refuse = async (body: object) => {
    const answer = await story.api('PATCH', url, body)
    assert.equal(answer.statusCode, 400, answer.body)
    return answer.json().errors[0].field
  }
  assert.equal((await story.api('GET', url)).json().requirePkce, true)
  const frames = { exchange: 'identity_provider' }
  assert.equal(await refuse(frames), '/launchStyle')
  assert.equal(await refuse({ launchUrl: 'https://chart.example/?iss=a' }), '/launchUrl')
  assert.equal(await refuse({ launchStyle: 'fhir' }), '/launchStyle')
  const plain = (await story.api('PATCH', url, { launchStyle: null, requirePkce: false })).json()
  assert.deepEqual([plain.launchStyle, plain.requirePkce], [undefined, false])
  const withIss = { launchUrl: 'https://chart.example/?iss=a' }
  assert.equal((await story.api('PATCH', url, withIss)).statusCode, 200)
  assert.equal(await refuse({ launchStyle: 'smart' }), '/launchUrl', 'it was there before')
  const launchUrl = 'https://chart.example/launch?tenant=1'
  const back = await story.api('PATCH', url, { launchStyle: 'smart', launchUrl })
  assert.equal(back.statusCode, 200)
})

test('each chart gets a launch of its own, whatever the collection says', async () => {
  const account = (await story.api('GET', `/api/accounts/${story.accountId}`)).json()
  const collection = `/api/collections/${account.collection.id}`
  const { draft } = (await story.api('GET', collection)).json()
  const apps = draft.apps.map((app: object) => ({ ...app, onChartChange: 'keep' }))
  await story.api('PATCH', collection, { draft: { ...draft, apps } })
  await story.api('POST', `${collection}/versions`, {})
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'device-1' }
  const session = (await story.api('POST', '/api/sessions', body)).json()
  const running = (await story.api('GET', `/api/accounts/${story.accountId}/running`)).json()
  const policies = (items: readonly { readonly onChartChange?: string }[]) =>
    items.map(({ onChartChange }) => onChartChange)
  assert.deepEqual(policies(session.apps), ['keep', undefined])
  assert.deepEqual(policies(running.apps), ['keep', 'relaunch'])
})
