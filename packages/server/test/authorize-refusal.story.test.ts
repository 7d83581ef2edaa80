// Refusals that no redirect carries: each is a failed step on the launch that the request names, with
// the value sent; the registered values are for the app's owner, and in development on the page.
// Bounded however often they are repeated. Contract §2, §9, security A21, V11.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Launch, LaunchStep } from '@chartside/protocol/launch'
import { listEvents } from '../src/audit/audit-trail.ts'
import { authorize, authorizeParameters, redirectOf, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())
beforeEach(() => story.service.clock.advance(1))

const show = async (id: string): Promise<Launch> =>
  (await story.api('GET', `/api/launches/${id}`)).json()

const failuresOf = async (id: string): Promise<LaunchStep[]> =>
  (await show(id)).steps.filter(({ outcome }) => outcome === 'failed')

type Changes = Record<string, string | undefined>

/** Goes to authorize as a browser does. Gives the page and what the timeline has of it. */
async function refuse(changes: Changes | ((launchId: string) => Changes), of: Story = story) {
  const { id, launchId } = await of.launch()
  const changed = typeof changes === 'function' ? changes(launchId) : changes
  const parameters = authorizeParameters(of.app, launchId, changed)
  const url = `/app-auth/authorize?${parameters}`
  const answer = await of.request({ url, headers: { accept: 'text/html' } })
  const view: Launch = (await of.api('GET', `/api/launches/${id}`)).json()
  const [step] = view.steps.filter(({ outcome }) => outcome === 'failed')
  return { id, launchId, answer, step }
}

test('puts a wrong redirect URI on the timeline, with what is registered beside it', async () => {
  const wrong = `${story.app.redirectUri}/`
  const { answer, step } = await refuse({ redirect_uri: wrong })
  assert.equal(answer.statusCode, 400)
  assert.equal(answer.headers.location, undefined)
  assert.deepEqual(
    [step?.step, step?.code, step?.reason],
    ['authorize', 'invalid_request', 'redirect_uri_unregistered'],
  )
  assert.deepEqual(step?.sent, [{ name: 'redirect_uri', value: wrong }])
  assert.deepEqual(step?.registered, [{ name: 'redirect_uri', value: story.app.redirectUri }])
  assert.ok(answer.body.includes(`trace: ${step?.traceId}`))
})

test('names the difference of a redirect URI, on the page in development only', async () => {
  const wrong = { redirect_uri: `${story.app.redirectUri}/` }
  const staging = await startStory({ CHARTSIDE_ENVIRONMENT: 'staging' })
  try {
    await staging.api('PATCH', `/api/apps/${staging.app.id}`, { stagingAccess: true })
    for (const one of [story, staging]) {
      const { answer, step } = await refuse(wrong, one)
      assert.match(step?.cause ?? '', /in its final slash/)
      assert.equal(answer.body.includes('in its final slash'), one === story)
    }
  } finally {
    await staging.close()
  }
})

test('names authorize to a browser at a wrong address, on the timeline too', async () => {
  const { authorization_endpoint: meant } = (
    await story.request({ url: '/app-auth/.well-known/openid-configuration' })
  ).json()
  const wrong = ['//app-auth/authorize', '/app-auth/authorize/', '/authorize', '/oauth2/authorize']
  for (const path of wrong) {
    const { id, launchId } = await story.launch()
    const url = `${path}?${authorizeParameters(story.app, launchId)}`
    const answer = await story.request({ url, headers: { accept: 'text/html' } })
    assert.equal(answer.statusCode, 404, path)
    assert.ok(answer.body.includes(meant), path)
    const policy = String(answer.headers['content-security-policy'])
    assert.doesNotMatch(policy, /frame-ancestors 'none'/)
    const [step] = await failuresOf(id)
    assert.deepEqual([step?.step, step?.reason], ['authorize', 'authorize_address_wrong'], path)
    assert.ok(step?.fix?.includes(meant), path)
  }
})

test('names the endpoint that a program meant, and logs it', async () => {
  const wrong = [
    ['POST', '/app-auth/token/', '/app-auth/token'],
    ['POST', '//app-auth/token', '/app-auth/token'],
    ['POST', '/oauth2/token', '/app-auth/token'],
    ['GET', '/.well-known/openid-configuration', '/app-auth/.well-known/openid-configuration'],
  ] as const
  for (const [method, url, meant] of wrong) {
    const before = story.service.logText().length
    const answer = await story.request({ method, url })
    assert.equal(answer.statusCode, 404, url)
    assert.match(
      answer.json().error_description ?? answer.json().detail,
      new RegExp(`this endpoint is at \\S+${meant}\\. `),
    )
    assert.match(story.service.logText().slice(before), /refused: Nothing is at this address/)
  }
  for (const url of ['/app-auth/nope', '/api/token/x', '/a/b/token', '/tokens']) {
    const before = story.service.logText().length
    await story.request({ url })
    assert.equal(story.service.logText().slice(before), '', url)
  }
})

test('puts an app id as client ID and an unknown client on the timeline', async () => {
  const appId = await refuse({ client_id: story.app.id })
  assert.equal(appId.step?.reason, 'client_id_is_app_id')
  assert.deepEqual(appId.step?.sent, [{ name: 'client_id', value: story.app.id }])
  assert.deepEqual(appId.step?.registered, [{ name: 'client_id', value: story.app.clientId }])
  const unknown = await refuse({ client_id: `cli_${'0'.repeat(32)}` })
  assert.equal(unknown.step?.reason, 'client_unknown')
})

test('names all missing parameters at once, on the page and on the timeline', async () => {
  const changes = { client_id: undefined, response_type: undefined, scope: '', state: undefined }
  const { answer, step } = await refuse(changes)
  assert.equal(step?.reason, 'parameters_missing')
  for (const name of Object.keys(changes)) {
    assert.ok(step?.cause?.includes(name) && step.fix?.includes(name), name)
    assert.ok(answer.body.includes(name))
  }
  assert.doesNotMatch(step?.cause ?? '', /redirect_uri|launch\b/)
  const { launchId } = await story.launch()
  const url = await authorize(story, launchId, { state: undefined, scope: undefined })
  assert.match(url.searchParams.get('error_description') ?? '', /lacks the parameters scope, state/)
})

test('finds the launch that came as launch_id, or in the state alone', async () => {
  const misnamed = await refuse((launchId) => ({ launch: undefined, launch_id: launchId }))
  assert.equal(misnamed.step?.reason, 'launch_in_launch_id')
  assert.deepEqual(misnamed.step?.sent, [{ name: 'launch_id', value: 'lnch_…' }])
  assert.equal(redirectOf(misnamed.answer).searchParams.get('error'), 'invalid_request')
  const inState = await refuse({ launch: undefined })
  assert.equal(inState.step?.reason, 'launch_missing')
  const both = await refuse((launchId) => ({
    launch: undefined,
    launch_id: launchId,
    state: undefined,
    redirect_uri: undefined,
  }))
  assert.match(both.step?.cause ?? '', /launch, redirect_uri, state\. launch_id was sent/)
})

test('shows hostile values escaped and bounded, on the page and on the timeline', async () => {
  const hostile = [
    '"><script>alert(1)</script><img src=x onerror=alert(1)>',
    `https://notes.example/${'a'.repeat(2000)}`,
    'https://notes.example/\u0007\u001b[31m\u202e\r\nset-cookie: x=1',
    `https://notes.example/?s=${story.app.secret}`,
  ]
  for (const value of hostile) {
    const { answer, step } = await refuse({ redirect_uri: value })
    const shown = step?.sent?.[0]?.value ?? ''
    assert.ok(shown.length > 0 && shown.length <= 340, shown)
    for (const text of [shown, answer.body]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
      assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u202e]/)
      assert.equal(text.includes(story.app.secret), false)
    }
    assert.doesNotMatch(answer.body, /<script|<img/)
  }
})

test('keeps 20 failed steps of a launch, with an audit event each, and counts 100', async () => {
  const { id, launchId } = await story.launch()
  const wrong = authorizeParameters(story.app, launchId, { redirect_uri: 'https://x.example/' })
  const send = () => story.request({ url: `/app-auth/authorize?${wrong}` })
  await Promise.all(Array.from({ length: 60 }, send))
  for (let i = 0; i < 40; i++) await send()
  const { failureCount, steps } = await show(id)
  assert.equal(failureCount, 100)
  assert.equal(steps.filter(({ outcome }) => outcome === 'failed').length, 20)
  const page = { accountId: story.accountId, before: 'evt_~', limit: 200 }
  const events = await listEvents(story.service.service.db, page)
  const refused = events.filter((event) => event.launchId === id && event.outcome === 'refused')
  assert.equal(refused.length, 20)
})

test('authorizes a launch 20 times and no more, also in parallel', async () => {
  const { id, launchId } = await story.launch()
  const answers = await Promise.all(Array.from({ length: 40 }, () => authorize(story, launchId)))
  const codes = answers.filter((url) => url.searchParams.has('code'))
  assert.equal(codes.length, 20)
  const late = await authorize(story, launchId)
  assert.equal(late.searchParams.get('error'), 'access_denied')
  assert.match(late.searchParams.get('error_description') ?? '', /authorized 20 times/)
  assert.ok((await failuresOf(id)).some(({ reason }) => reason === 'launch_authorized_too_often'))
})

test('writes nothing for a value that only looks like a launch', async () => {
  const { launchId } = await story.launch()
  const forged = `${launchId.slice(0, -4)}AAAA`
  const changes = { launch: forged, launch_id: forged, state: `${forged}:x`, redirect_uri: 'x:y' }
  const { id } = await story.launch()
  await story.request({
    url: `/app-auth/authorize?${authorizeParameters(story.app, launchId, changes)}`,
  })
  assert.deepEqual(await failuresOf(id), [])
})

test('shows sent and registered values on the page in development only', async () => {
  const wrong = { redirect_uri: 'https://notes.example/callbak' }
  const inDevelopment = await refuse(wrong)
  assert.match(inDevelopment.answer.body, /^sent: .*callbak$[\s\S]*^registered: .*callback$/m)
  const appId = await refuse({ client_id: story.app.id })
  assert.ok(appId.answer.body.includes(story.app.clientId))

  const staging = await startStory({ CHARTSIDE_ENVIRONMENT: 'staging' })
  try {
    const { answer, step } = await refuse(wrong, staging)
    assert.doesNotMatch(answer.body, /callbak|callback|Registered/)
    assert.equal(step?.registered?.[0]?.value, staging.app.redirectUri)
  } finally {
    await staging.close()
  }
})

test('answers a form POST with 303 and a GET with 302', async () => {
  for (const method of ['POST', 'GET'] as const) {
    const { launchId } = await story.launch()
    const parameters = authorizeParameters(story.app, launchId).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer =
      method === 'POST'
        ? await story.request({ method, url: '/app-auth/authorize', headers, payload: parameters })
        : await story.request({ url: `/app-auth/authorize?${parameters}` })
    assert.equal(answer.statusCode, method === 'POST' ? 303 : 302)
  }
})
