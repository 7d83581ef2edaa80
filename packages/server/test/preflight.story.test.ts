// The pre-flight through the API: who may ask, that it fetches registered URLs only, what it shows and audits,
// and that production reaches nothing internal. Contract §4; security A18, U01.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { beginPeople, otherAccount, person } from './people.ts'
import { type Story, startStory } from './story.ts'
import { HOST_ORIGIN } from './test-service.ts'

let story: Story
let pages: Server
let origin: string
let requests: string[] = []
let count = 0
let developer: Awaited<ReturnType<typeof person>>
let provider: typeof developer
before(async () => {
  pages = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.setHeader('content-type', 'text/html')
    response.setHeader('date', new Date(story.service.clock()).toUTCString())
    if (request.url?.startsWith('/good')) {
      response.setHeader('content-security-policy', `frame-ancestors ${HOST_ORIGIN}`)
    } else {
      response.setHeader('x-frame-options', 'DENY')
      response.setHeader('set-cookie', 'session=topsecret; SameSite=Lax')
    }
    response.end('<title>an app</title>')
  })
  await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done))
  origin = `http://localhost:${(pages.address() as AddressInfo).port}`
  story = await startStory()
  beginPeople(story)
  developer = await person(story.accountId, 'developer')
  provider = await person()
})
after(async () => {
  pages.close()
  await story.close()
})
beforeEach(() => {
  requests = []
  // A new minute of the limits.
  story.service.clock.advance(61)
})

const register = (fields: object) => story.registerApp(`preflight-${count++}`, fields)
const preflight = (id: string, body: object = {}, by: Story['api'] = story.api) =>
  by('POST', `/api/apps/${id}/preflight`, body)

const goodApp = () =>
  register({ launchUrl: `${origin}/good/launch`, redirectUris: [`${origin}/good/callback`] })

test('visits each registered page and names what is missing', async () => {
  const app = await register({
    launchUrl: `${origin}/good/launch`,
    workerLaunchUrl: `${origin}/good/launch`,
    redirectUris: [`${origin}/callback`],
  })
  const answer = await preflight(app.id)
  assert.equal(answer.statusCode, 200, answer.body)
  const { pages: shown, outcome, hostOrigins, notChecked } = answer.json()
  assert.deepEqual([outcome, hostOrigins, notChecked], ['failed', [HOST_ORIGIN], []])
  assert.deepEqual(
    shown.map(({ url, uses, outcome: of, status }: Record<string, unknown>) => [
      url,
      uses,
      of,
      status,
    ]),
    [
      [`${origin}/good/launch`, ['launch', 'worker_launch'], 'passed', 200],
      [`${origin}/callback`, ['redirect'], 'failed', 200],
    ],
  )
  const failed = shown[1].findings.filter(({ outcome: of }: { outcome: string }) => of === 'failed')
  assert.deepEqual(
    failed.map(({ code, missing }: Record<string, string>) => [code, missing]),
    [
      ['cookie_not_sent', 'SameSite=None; Secure'],
      ['framing_forbidden', `frame-ancestors ${HOST_ORIGIN}`],
    ],
  )
  assert.deepEqual(requests.sort(), ['/callback', '/good/launch'])
  assert.doesNotMatch(answer.body + story.service.logText(), /topsecret/)
})

test('judges framing by the origin that the caller names, too', async () => {
  const named = 'chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba'
  const app = await goodApp()
  const { outcome, hostOrigins, pages: shown } = (await preflight(app.id, { origin: named })).json()
  assert.deepEqual([outcome, hostOrigins], ['failed', [HOST_ORIGIN, named]])
  assert.match(JSON.stringify(shown), /"missing":"frame-ancestors chrome-extension:\/\/ponm/)
  for (const wrong of ['', 'x', 'https://a.example,https://b.example', 'https://a.example/path']) {
    const answer = await preflight(app.id, { origin: wrong })
    assert.deepEqual([answer.statusCode, answer.json().errors?.[0]?.field], [400, '/origin'], wrong)
  }
})

test('fetches nothing that is not registered, to the last character [A18]', async () => {
  const app = await goodApp()
  for (const url of [
    `${origin}/good/launch/`,
    `${origin}/good/launch?x=1`,
    `${origin}/other`,
    'http://127.0.0.1:1/',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
  ]) {
    const answer = await preflight(app.id, { urls: [url] })
    assert.deepEqual([answer.statusCode, answer.json().errors?.[0]?.field], [400, '/urls/0'], url)
  }
  assert.deepEqual(requests, [])
  const one = await preflight(app.id, { urls: [`${origin}/good/callback`] })
  assert.deepEqual(one.json().notChecked, [`${origin}/good/launch`])
  assert.deepEqual(requests, ['/good/callback'])
})

test('checks six pages, and names the others', async () => {
  const redirectUris = Array.from({ length: 8 }, (_, i) => `${origin}/good/${i}`)
  const app = await register({ launchUrl: `${origin}/good/launch`, redirectUris })
  const answer = (await preflight(app.id)).json()
  assert.deepEqual([answer.pages.length, answer.notChecked], [6, redirectUris.slice(5)])
})

test('keeps the last run as a whole, until addresses change', async () => {
  const app = await goodApp()
  const last = async (by = developer.api) => {
    const answer = await by('GET', `/api/apps/${app.id}/preflight`)
    return answer.statusCode === 200 ? answer.json().last : answer.statusCode
  }
  assert.equal(await last(), null)
  const { checkedAt } = (await preflight(app.id, {}, story.api)).json()
  const kept = { checkedAt, outcome: 'passed', isCurrent: true }
  assert.deepEqual(await last(), kept, 'of another user')
  await preflight(app.id, { origin: 'chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba' })
  await preflight(app.id, { urls: [`${origin}/good/launch`] })
  assert.deepEqual(await last(), kept)
  const change = (fields: object) => story.api('PATCH', `/api/apps/${app.id}`, fields)
  await change({ name: 'Renamed' })
  assert.deepEqual(await last(), kept)
  await change({ redirectUris: [`${origin}/callback`] })
  assert.deepEqual(await last(), { ...kept, isCurrent: false })
  story.service.clock.advance(1)
  const again = (await preflight(app.id)).json()
  assert.deepEqual(await last(), {
    checkedAt: again.checkedAt,
    outcome: 'failed',
    isCurrent: true,
  })
  assert.equal(await last(provider.api), 403)
})

test('lets developers of the account ask, and no one else [U01]', async () => {
  const app = await goodApp()
  const stranger = await person(await otherAccount(), 'developer')
  assert.equal((await preflight(app.id, {}, developer.api)).statusCode, 200)
  requests = []
  assert.equal((await preflight(app.id, {}, provider.api)).statusCode, 403)
  assert.equal((await preflight(app.id, {}, stranger.api)).statusCode, 404)
  assert.deepEqual(requests, [])
})

test('answers ten a minute for an app and a person, then 429 without a request', async () => {
  const app = await goodApp()
  const body = { urls: [`${origin}/good/launch`] }
  for (let i = 0; i < 10; i++) {
    assert.equal((await preflight(app.id, body, developer.api)).statusCode, 200)
  }
  requests = []
  const refused = await preflight(app.id, body, developer.api)
  assert.deepEqual([refused.statusCode, refused.json().code], [429, 'rate_limited'])
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.deepEqual(requests, [])
  assert.equal((await preflight(app.id, body)).statusCode, 200, 'another person')
})

test('is in the audit trail, also when it is refused [P06]', async () => {
  const app = await goodApp()
  await preflight(app.id)
  story.service.clock.advance(1)
  await preflight(app.id, {}, provider.api)
  const trail = `/api/audit-events?accountId=${story.accountId}&limit=200`
  const events = (await story.api('GET', trail)).json().items
  const own = events.filter(({ target }: { target: string }) => target === app.id)
  assert.deepEqual(
    own
      .filter(({ action }: { action: string }) => action === 'preflightApp')
      .map(({ outcome }: { outcome: string }) => outcome)
      .sort(),
    ['ok', 'refused'],
  )
})

test('reaches no loopback outside development, and shows no time of it [A18]', async (t) => {
  const staging = await startStory({ CHARTSIDE_ENVIRONMENT: 'staging' })
  t.after(() => staging.close())
  const { port } = new URL(origin)
  const redirectUris = ['127.0.0.1', '[::ffff:127.0.0.1]', '10.0.0.1', 'inside.test'].map(
    (host) => `https://${host}:${port}/callback`,
  )
  const app = await staging.registerApp('inside', {
    launchUrl: `${origin}/good/launch`,
    redirectUris,
  })
  const startedAt = performance.now()
  const answer = await staging.api('POST', `/api/apps/${app.id}/preflight`, {})
  assert.equal(answer.statusCode, 200, answer.body)
  assert.ok(performance.now() - startedAt >= 990)
  const shown: Record<string, unknown>[] = answer.json().pages
  for (const { findings, status, milliseconds } of shown) {
    const codes = (findings as { code: string }[]).map(({ code }) => code)
    assert.deepEqual([codes, status, milliseconds], [['no_public_address'], undefined, undefined])
  }
  assert.deepEqual([shown.length, requests], [5, []])
})

test('posts a logout token that nothing signed to the logout address', async () => {
  const app = await register({
    redirectUris: [`${origin}/good/callback`],
    launchUrl: `${origin}/good/launch`,
    backchannelLogoutUri: `${origin}/logout`,
  })
  const { pages: shown } = (await preflight(app.id)).json()
  const [logout] = shown.filter(({ uses }: { uses: string[] }) => uses[0] === 'backchannel_logout')
  // This server takes whatever it gets.
  assert.deepEqual([logout.outcome, logout.findings[0].code], ['failed', 'logout_token_unchecked'])
  assert.equal(requests.filter((url) => url === '/logout').length, 1)
})

test('answers thirty a minute for a person over all apps, then 429 [V35]', async () => {
  const apps = await Promise.all(Array.from({ length: 4 }, goodApp))
  const body = { urls: [`${origin}/good/launch`] }
  for (let i = 0; i < 30; i++) {
    const answer = await preflight(apps[i % 3]?.id ?? '', body, developer.api)
    assert.equal(answer.statusCode, 200, `${i}: ${answer.body}`)
  }
  requests = []
  assert.equal((await preflight(apps[3]?.id ?? '', body, developer.api)).statusCode, 429)
  assert.deepEqual(requests, [])
  assert.equal((await preflight(apps[3]?.id ?? '', body)).statusCode, 200, 'another person')
})
