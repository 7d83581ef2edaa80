// What the platform decides about an app, and its developer cannot: access to staging, and the
// maximum lifetime of tokens, which binds apps that were registered before. Contract §2 and §7,
// security V16.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { as, beginPeople, person } from './people.ts'
import { authorize, exchange, freshCode, type Story, startStory } from './story.ts'
import { startTestService } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

const claimsOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())

for (const role of ['developer', 'admin'] as const) {
  test(`refuses staging access that the ${role} of an account grants itself [V16]`, async () => {
    const { api } = await person(story.accountId, role)
    const registered = await api('POST', '/api/apps', { accountId: story.accountId, name: 'own' })
    assert.equal(registered.statusCode, 201, registered.body)
    const { id } = registered.json()
    const url = `/api/apps/${id}`
    for (const answer of [
      await api('PATCH', url, { stagingAccess: true }),
      await api('POST', '/api/apps', {
        accountId: story.accountId,
        name: 'born with it',
        stagingAccess: true,
      }),
    ]) {
      assert.equal(answer.statusCode, 403, answer.body)
      assert.deepEqual(answer.json().errors[0].field, '/stagingAccess')
    }
    assert.equal((await api('GET', url)).json().stagingAccess, false)
    // The platform grants it; a later change by the developer keeps it.
    const granted = await as(story.adminToken)('PATCH', url, { stagingAccess: true })
    assert.equal(granted.statusCode, 200, granted.body)
    const renamed = await api('PATCH', url, { name: 'renamed' })
    assert.deepEqual([renamed.statusCode, renamed.json().stagingAccess], [200, true])
  })
}

test('refuses a lifetime a second above the maximum of the platform [V16]', async () => {
  const url = `/api/apps/${story.app.id}`
  const { maxAccessTokenLifetimeSeconds, maxIdTokenLifetimeSeconds } = story.service.service.config
  for (const [name, most] of [
    ['accessTokenLifetimeSeconds', maxAccessTokenLifetimeSeconds],
    ['idTokenLifetimeSeconds', maxIdTokenLifetimeSeconds],
  ] as const) {
    const refused = await story.api('PATCH', url, { [name]: most + 1 })
    assert.equal(refused.statusCode, 400, refused.body)
    const taken = await story.api('PATCH', url, { [name]: most })
    assert.deepEqual([taken.statusCode, taken.json()[name]], [200, most], taken.body)
  }
})

test('applies a lowered platform maximum to registered apps at the next exchange [V16]', async (t) => {
  const url = `/api/apps/${story.app.id}`
  const lifetimes = { accessTokenLifetimeSeconds: 7200, idTokenLifetimeSeconds: 1800 }
  assert.equal((await story.api('PATCH', url, lifetimes)).statusCode, 200)
  const before = (await exchange(story, await freshCode(story))).json()
  assert.equal(before.expires_in, 7200)
  const lowered = await startTestService(
    {
      CHARTSIDE_ACCESS_TOKEN_LIFETIME_SECONDS: '600',
      CHARTSIDE_MAX_ACCESS_TOKEN_LIFETIME_SECONDS: '600',
      CHARTSIDE_ID_TOKEN_LIFETIME_SECONDS: '300',
      CHARTSIDE_MAX_ID_TOKEN_LIFETIME_SECONDS: '300',
    },
    { beside: story.service },
  )
  t.after(() => lowered.close())
  const { launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const there: Story = { ...story, request: (options) => lowered.server.inject(options) }
  const answer = await exchange(there, code)
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.json().expires_in, 600)
  const { iat, exp } = claimsOf(answer.json().id_token)
  assert.equal(exp - iat, 300)
  story.service.clock.advance(600)
  const bearer = { authorization: `Bearer ${answer.json().access_token}` }
  const late = await story.request({ url: '/app-auth/userinfo', headers: bearer })
  assert.equal(late.statusCode, 401, 'the token itself ends there')
})
