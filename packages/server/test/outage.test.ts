// The database goes away under a running service and comes back: what every route of the table
// answers meanwhile, how soon, and that everything goes on afterwards without a restart. A real
// PostgreSQL behind a port that closes; test/process stops the server itself. Security F01, I05.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import type { Route } from '../src/route.ts'
import { ROUTES } from '../src/routes.ts'
import { type FaultyRelay, startFaultyRelay } from './faulty-relay.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'
import {
  authorizeParameters,
  exchange,
  freshCode,
  isActive,
  redirectOf,
  type Story,
  startStory,
} from './story.ts'
import { ADMIN } from './test-service.ts'

/** Everything else needs its storage: a new route is asked for, or stands here. */
const NEEDS_NO_STORAGE = new Set([
  'jwks',
  'openidConfiguration',
  'openidConfigurationAtRoot',
  'authorizationServerMetadata',
  'authorizationServerMetadataAtRoot',
  'smartConfiguration',
  'sdkManifest',
  'sdkScript',
  'signInConfig',
  'health',
  'healthLive',
  'openApi',
  'doc',
  'docScript',
])
/** With the port closed nothing is waited for; the rest is the slack of a busy machine. */
const ANSWERS_WITHIN_MS = 1000
const RECOVERS_WITHIN_MS = 2000

let postgres: TestPostgres
let relay: FaultyRelay
let story: Story
before(async () => {
  postgres = await startPostgres()
  relay = await startFaultyRelay(await postgres.freshDividedDatabase())
  story = await startStory({ CHARTSIDE_DATABASE_URL: relay.url })
})
after(async () => {
  await story?.close()
  await relay?.stop()
  await postgres?.stop()
})

test('without the database every route answers 503 or needs no storage [F01, I05]', async (t) => {
  const live = await exchange(story, await freshCode(story))
  const token = String(live.json().access_token)
  const code = await freshCode(story)
  const { launchId } = await story.launch()
  const script = new URL((await story.request({ url: '/sdk/manifest.json' })).json().url).pathname
  await relay.goDown()

  let slowestMs = 0
  // At once, and again when the copy of the apps in memory may no longer be trusted.
  for (const laterSeconds of [0, 2]) {
    story.service.clock.advance(laterSeconds)
    for (const route of ROUTES) {
      for (const request of requestsOf(route, { code, token, launchId, script })) {
        const began = performance.now()
        const answer = await story.request(request)
        slowestMs = Math.max(slowestMs, performance.now() - began)
        const what = `${request.method} ${route.path}: ${answer.statusCode} ${answer.body}`
        if (NEEDS_NO_STORAGE.has(route.operation)) assert.equal(answer.statusCode, 200, what)
        else {
          assert.equal(answer.statusCode, 503, what)
          assert.ok(Number(answer.headers['retry-after']) >= 1, what)
          assert.equal(answer.headers.location, undefined, what)
          assert.equal(answer.headers['cache-control'], 'no-store', what)
          if (route.operation === 'healthReady') assert.match(answer.json().cause, /reached/)
          else if (route.surface === 'api') {
            assert.equal(answer.json().code, 'temporarily_unavailable', what)
          } else if (isPage(request)) {
            assert.match(String(answer.headers['content-type']), /^text\/html/)
            assert.match(answer.body, /temporarily_unavailable/)
            const isOffered = /href="">Try again</.test(answer.body)
            assert.equal(isOffered, route.surface === 'page' && request.method !== 'POST', what)
          } else assert.equal(answer.json().error, 'temporarily_unavailable', what)
        }
      }
    }
  }
  assert.deepEqual((await story.request({ url: '/health' })).json(), {
    status: 'live',
    ready: false,
  })
  t.diagnostic(`slowest answer while down: ${slowestMs.toFixed(0)} ms`)
  assert.ok(slowestMs < ANSWERS_WITHIN_MS, `${slowestMs} ms`)

  await relay.oidcCallback()
  const began = performance.now()
  assert.equal(await isActive(story, token), true)
  const answer = await exchange(story, code)
  assert.equal(answer.statusCode, 200, answer.body)
  story.service.clock.advance(1)
  assert.equal((await story.request({ url: '/health/ready' })).statusCode, 200)
  const { searchParams } = redirectOf(
    await story.request({
      url: `/app-auth/authorize?${authorizeParameters(story.app, launchId)}`,
    }),
  )
  assert.ok(searchParams.get('code'))
  const recoveredMs = performance.now() - began
  t.diagnostic(`all answers right after ${recoveredMs.toFixed(0)} ms`)
  assert.ok(recoveredMs < RECOVERS_WITHIN_MS, `${recoveredMs} ms`)
  assert.match(story.service.logText(), /"fault":"unreachable"/)
})

interface Values {
  readonly code: string
  readonly token: string
  readonly launchId: string
  readonly script: string
}

const isPage = (request: InjectOptions) => request.headers?.accept === 'text/html'

/** Requests of this route that a caller with every right sends. */
function requestsOf(route: Route, { code, token, launchId, script }: Values): InjectOptions[] {
  const { clientId: client_id, secret: client_secret } = story.app
  const client = { client_id, client_secret }
  const person = { authorization: `Bearer ${story.adminToken}` }
  const { path: url, operation } = route
  // Files from the disk, at an address that only the page knows.
  if (operation === 'docFile') return []
  if (route.surface === 'api') {
    const isSignIn = operation === 'signIn'
    const request = { method: route.method, url: url.replace(/:\w+/g, 'x') }
    return [
      {
        ...request,
        headers: isSignIn ? {} : person,
        ...(isSignIn ? { payload: ADMIN } : {}),
      },
    ]
  }
  if (route.surface === 'page') return pageRequests(operation, url)
  const query = authorizeParameters(story.app, launchId).toString()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  switch (operation) {
    case 'authorize':
      return ['text/html', 'application/json'].flatMap((accept) => [
        { method: 'GET', url: `${url}?${query}`, headers: { accept } },
        { method: 'POST', url, headers: { accept, ...form }, payload: query },
      ])
    case 'exchange':
      return [
        {
          method: 'POST',
          url,
          payload: { grant_type: 'authorization_code', code, ...client },
        },
      ]
    case 'userinfo':
      return [{ method: 'GET', url, headers: { authorization: `Bearer ${token}` } }]
    case 'introspect':
      return [
        { method: 'POST', url, payload: { token, ...client } },
        { method: 'POST', url, payload: { token }, headers: person },
      ]
    case 'revoke':
      return [{ method: 'POST', url, payload: { token, ...client } }]
    default:
      return route.methods.map((method) => ({
        method,
        url: operation === 'sdkScript' ? script : url,
      }))
  }
}

/** The pages that a user opens; their forms need a cookie that such a page has set. */
function pageRequests(operation: string, path: string): InjectOptions[] {
  const queries: Record<string, string> = {
    showSignInPage: `session_id=${'s'.repeat(22)}&challenge=${'c'.repeat(43)}`,
    showInvitation: `token=invite_${'i'.repeat(22)}${'t'.repeat(43)}`,
  }
  const query = queries[operation]
  return query ? [{ url: `${path}?${query}`, headers: { accept: 'text/html' } }] : []
}

test('an outage never sends an end to an event stream: it goes on or is cut [F01]', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { server } = story.service
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const sessionId = await story.openSession()
  const open = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/sessions/${sessionId}/events`, {
      headers: { authorization: `Bearer ${story.adminToken}` },
    })
    assert.equal(answer.status, 200)
    return follow(answer)
  }
  const stream = await open()
  await stream.until(/event: session/)

  await relay.goDown()
  await relay.oidcCallback()
  await story.launch({ sessionId })
  await stream.until(/event: launch/)

  await relay.goDown()
  t.mock.timers.tick(15_000)
  await stream.ended
  assert.doesNotMatch(stream.text(), /event: ended/)
  await relay.oidcCallback()
  const next = await open()
  await next.until(/event: session/)
  await story.api('DELETE', `/api/sessions/${sessionId}`)
  await next.ended
  assert.match(next.text(), /event: ended/)
})

function follow(answer: Response) {
  let received = ''
  const ended = (async () => {
    try {
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        received += chunk
      }
    } catch {
      // Cut off, as a host sees it.
    }
  })()
  return {
    ended,
    text: () => received,
    async until(pattern: RegExp) {
      for (let waited = 0; !pattern.test(received); waited += 10) {
        assert.ok(waited < 5000, `no ${pattern} in ${received}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}
