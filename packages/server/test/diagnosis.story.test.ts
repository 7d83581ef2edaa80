// The diagnosis of a silent launch: which page it visits at which step, what it stores, and when it visits none.
// Decision 70; security A18, V35.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { beginPeople, person } from './people.ts'
import { authorize, exchange, type RegisteredApp, type Story, startStory } from './story.ts'
import { HOST_ORIGIN } from './test-service.ts'

let story: Story
let pages: Server
let origin: string
let requests: string[] = []
/** What happens while the service waits for a page. */
let meanwhile: () => Promise<unknown> = async () => {}
before(async () => {
  pages = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://any')
    requests.push(`${request.url}`)
    await meanwhile()
    const isBlocked = pathname.startsWith('/blocked')
    const policy = `frame-ancestors ${HOST_ORIGIN}; ${isBlocked ? "script-src 'self'" : ''}`
    if (!pathname.startsWith('/framed-by-none')) {
      response.setHeader('content-security-policy', policy)
    } else response.setHeader('x-frame-options', 'DENY')
    // The clock of a story is not that of this machine.
    const ahead = pathname.startsWith('/ahead') ? 3600_000 : 0
    response.setHeader('date', new Date(story.service.clock() + ahead).toUTCString())
    if (pathname.startsWith('/cookie')) response.setHeader('set-cookie', 'a=b')
    if (pathname.startsWith('/elsewhere')) {
      response.writeHead(302, { location: `http://127.0.0.1:${portOf(pages)}/login` })
    } else response.writeHead(pathname.startsWith('/fails') ? 500 : 200, TYPE)
    response.end(BODIES[pathname] ?? '<title>an app</title>')
  })
  await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done))
  origin = `http://localhost:${portOf(pages)}`
  story = await startStory()
  beginPeople(story)
})
after(async () => {
  pages.close()
  await story.close()
})
beforeEach(() => {
  requests = []
  meanwhile = async () => {}
  story.service.clock.advance(61)
})

const BODIES: Readonly<Record<string, string>> = {
  '/sign-in': '<input type="password">',
  '/smart': '<script src="fhir-client.js"></script>',
}
const TYPE = { 'content-type': 'text/html' }
const portOf = (server: Server) => (server.address() as AddressInfo).port

async function open(launchPath: string, callback = '/callback', more: object = {}) {
  const redirectUri = `${origin}${callback}`
  const fields = { launchUrl: `${origin}${launchPath}`, redirectUris: [redirectUri], ...more }
  const app = { ...(await story.registerApp('silent', fields)), redirectUri }
  const sessionId = await story.openSession()
  return { app, launch: await story.launch({ app, sessionId }) }
}

const diagnose = (id: string, by: Story['api'] = story.api) =>
  by('POST', `/api/launches/${id}/diagnosis`, { origin: HOST_ORIGIN })

const failuresOf = async (id: string) => {
  const { steps } = (await story.api('GET', `/api/launches/${id}`)).json()
  return steps.filter(({ outcome }: { outcome: string }) => outcome === 'failed')
}

const giveCode = async (app: RegisteredApp, launchId: string) =>
  (await authorize(story, launchId, {}, app)).searchParams.get('code') ?? ''

test('names what keeps the Launch URL from opening, on the launch too', async () => {
  for (const [path, code] of [
    ['/framed-by-none', 'framing_forbidden'],
    ['/fails', 'page_fails'],
    ['/elsewhere', 'redirects_to_other_origin'],
    ['/sign-in', 'sign_in_page'],
    ['/smart', 'smart_page'],
  ] as const) {
    const { launch } = await open(path)
    const answer = await diagnose(launch.id)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.json().finding.code, code)
    const [failure, ...more] = await failuresOf(launch.id)
    const { reason, step, cause, fix, who } = failure
    assert.deepEqual([reason, step, who, more], ['page_not_opened', 'handshake', 'developer', []])
    assert.equal(failure.code, code)
    assert.deepEqual({ code, cause, fix }, answer.json().finding)
  }
})

test('finds nothing on a page that opens, and stores nothing', async () => {
  const { launch } = await open('/good')
  assert.deepEqual((await diagnose(launch.id)).json(), { checked: true })
  assert.deepEqual(await failuresOf(launch.id), [])
})

test('visits the redirect URI of the code once there is one, with its script policy', async () => {
  const { app, launch } = await open('/good', '/blocked')
  const code = await giveCode(app, launch.launchId)
  requests = []
  assert.equal((await diagnose(launch.id)).json().finding.code, 'sdk_blocked')
  assert.deepEqual(requests, ['/blocked'])
  assert.equal((await exchange(story, code, {}, app)).statusCode, 200)
  assert.equal((await diagnose(launch.id)).json().finding.code, 'sdk_blocked')
})

test('stores nothing of a launch that goes on while its page is visited', async () => {
  const { app, launch } = await open('/fails')
  meanwhile = () => giveCode(app, launch.launchId)
  assert.deepEqual((await diagnose(launch.id)).json(), { checked: true })
  assert.deepEqual(await failuresOf(launch.id), [])
})

test('visits no address that the app has no longer registered [A18]', async () => {
  const { app, launch } = await open('/good', '/fails')
  await giveCode(app, launch.launchId)
  const redirectUris = [`${origin}/other`]
  assert.equal((await story.api('PATCH', `/api/apps/${app.id}`, { redirectUris })).statusCode, 200)
  requests = []
  assert.deepEqual((await diagnose(launch.id)).json(), { checked: false })
  assert.deepEqual(requests, [])
})

test('names the clock of a server that has the token of a silent page', async () => {
  const { app, launch } = await open('/ahead', '/ahead')
  assert.deepEqual((await diagnose(launch.id)).json(), { checked: true })
  const code = await giveCode(app, launch.launchId)
  assert.deepEqual((await diagnose(launch.id)).json(), { checked: true })
  assert.equal((await exchange(story, code, {}, app)).statusCode, 200)
  const { finding } = (await diagnose(launch.id)).json()
  assert.equal(finding.code, 'clock_wrong')
  assert.match(finding.cause, /clock of the page's server is wrong.* Seen: 1 h ahead\.$/)
})

test('lets the identity provider of an app sign its users in elsewhere', async () => {
  const { launch } = await open('/elsewhere', '/callback', { exchange: 'identity_provider' })
  assert.deepEqual((await diagnose(launch.id)).json(), { checked: true })
})

test('blames no cookie for the silence of a page', async () => {
  const { launch } = await open('/cookie')
  assert.deepEqual((await diagnose(launch.id)).json(), { checked: true })
})

test('visits no page of a launch that said hello or is over', async () => {
  const { launch } = await open('/fails')
  const steps = `/api/launches/${launch.id}/steps`
  await story.api('POST', steps, { step: 'handshake', outcome: 'ok' })
  assert.deepEqual((await diagnose(launch.id)).json(), { checked: false })
  const { launch: ended } = await open('/fails')
  await story.api('DELETE', `/api/launches/${ended.id}`)
  assert.deepEqual((await diagnose(ended.id)).json(), { checked: false })
  assert.deepEqual(requests, [])
})

test('is for the user of the launch alone [U01]', async () => {
  const { launch } = await open('/fails')
  const provider = await person()
  assert.equal((await diagnose(launch.id, provider.api)).statusCode, 404)
  assert.deepEqual(requests, [])
})

test('visits a silent app once in an hour in production', async (t) => {
  const production = await startStory({
    CHARTSIDE_ENVIRONMENT: 'production',
    CHARTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8',
    CHARTSIDE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  t.after(() => production.close())
  const ask = async () => {
    const { id } = await production.launch({ sessionId: await production.openSession() })
    return (await production.api('POST', `/api/launches/${id}/diagnosis`, {})).statusCode
  }
  assert.deepEqual([await ask(), await ask()], [200, 429])
  production.service.clock.advance(3601)
  assert.equal(await ask(), 200)
})
