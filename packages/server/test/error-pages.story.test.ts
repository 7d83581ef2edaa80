// What a person and what a program get for the same error: a page in words, or JSON with a code; never a
// value that belongs to another reader. Contract §2, §8; security A21, H01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizeParameters, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory({ CHARTSIDE_ENVIRONMENT: 'staging' })
})
after(() => story.close())

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (url: string, headers: object = {}) => story.request({ url, headers } as never)

test('answers an unknown address with a page for a person, and JSON for a program', async () => {
  for (const url of ['/nope', '/api/nope', '/app-auth/nope']) {
    const page = await get(url, BROWSER)
    assert.equal(page.statusCode, 404)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(page.body, /Nothing is at this address/)
    assert.match(page.body, /href="https:\/\/chartside\.test\/console"/)
    assert.doesNotMatch(page.body, /<script/)
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
    const json = await get(url)
    assert.equal(json.statusCode, 404)
    assert.match(String(json.headers['content-type']), /json/)
  }
})

test('answers the address of a form with a page for a person, and JSON for a program', async () => {
  for (const url of ['/auth/sign-in/password', '/auth/invitation/password']) {
    const page = await get(url, BROWSER)
    assert.equal(page.statusCode, 405)
    assert.equal(page.headers.allow, 'POST')
    assert.match(page.body, /This page cannot be opened on its own/)
    assert.match((await get(url)).json().code, /method_not_allowed/)
  }
})

test('answers health checks in JSON to every caller', async () => {
  for (const url of ['/health', '/health/live', '/health/ready']) {
    assert.match(String((await get(url, BROWSER)).headers['content-type']), /json/)
  }
})

test('shows registered values to no person outside development, and closes the fold', async () => {
  const sent = 'https://notes.example/callbak'
  const { launchId } = await story.launch()
  const parameters = authorizeParameters(story.app, launchId, { redirect_uri: sent })
  const { body, statusCode } = await get(`/app-auth/authorize?${parameters}`, BROWSER)
  assert.equal(statusCode, 400)
  assert.match(body, /This app could not be opened/)
  assert.match(body, /<details><summary>For support and developers: trace \w+/)
  assert.match(body, /reason: redirect_uri_unregistered/)
  assert.doesNotMatch(body, /notes\.example/)
})

test('offers the way to the meaning of an error, in the documentation or without it', async (t) => {
  const leadsTo = async (url: string) => {
    const { body } = await get(url, BROWSER)
    const [, address = ''] = /href="https:\/\/chartside\.test(\/docs[^"]+)"/.exec(body) ?? []
    return (await get(address)).headers.location
  }
  const docs = 'https://chartside.test/docs/build'
  const refused = '/app-auth/authorize?client_id=x'
  assert.equal(await leadsTo(refused), `${docs}/reasons#parameters_missing`)
  assert.equal(await leadsTo('/nope'), `${docs}/errors#not_found`)
  assert.equal(await leadsTo('/auth/sign-in/password'), `${docs}/errors#method_not_allowed`)
  const without = await startStory({ CHARTSIDE_ENVIRONMENT: 'staging', CHARTSIDE_DOCS: 'off' })
  t.after(() => without.close())
  const { body } = await without.request({ url: refused, headers: BROWSER })
  assert.match(body, /href="https:\/\/chartside\.test\/doc#reason-parameters_missing"/)
})

test('shows a form without its page as a page, with where to begin', async () => {
  const answer = await story.request({
    method: 'POST',
    url: '/auth/sign-in/password',
    headers: { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=a%40b.example&password=x',
  })
  assert.equal(answer.statusCode, 400)
  assert.match(answer.body, /This page cannot go on/)
  assert.match(answer.body, /code: invalid_request/)
  assert.match(answer.body, /href="https:\/\/chartside\.test\/console"/)
})
