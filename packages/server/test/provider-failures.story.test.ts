// A provider that fails or is slow, and callers who write what a provider would say. Security U06, V11, F02.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { CLIENT } from './identity-provider.ts'
import {
  account,
  beginProviderStory,
  browser,
  endProviderStory,
  leave,
  nextPerson,
  provider,
  service,
} from './provider-story.ts'
import { testBrowser, testClient } from './sign-in-browser.ts'
import { startTestService } from './test-service.ts'

before(beginProviderStory)
after(endProviderStory)
beforeEach(nextPerson)

test('logs no text of a callback that its caller wrote [V11]', async () => {
  provider.person = account()
  const state = new URL(await leave(testClient(service).url)).searchParams.get('state') ?? ''
  service.clearLog()
  const said = { error: 'written_by_a_caller', error_description: 'more of it', state }
  const query = new URLSearchParams({ ...said, iss: provider.issuer })
  const refused = await browser.open(`/auth/callback?${query}`)
  assert.equal(refused.status, 401)
  assert.match(service.logText(), /sign-in at the OpenID Connect provider failed/)
  assert.doesNotMatch(service.logText(), /written_by_a_caller|more of it/)
})

test('asks a provider again that was silent or failed', { timeout: 20_000 }, async (t) => {
  const silent = () => {}
  let answer: (body: (text: string, status: number) => void) => void = silent
  const http = createServer((_request, response) => {
    answer((text, status) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(text),
    )
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(http.address() as AddressInfo).port}`
  const node = await startTestService({
    CHARTSIDE_OIDC_ISSUER: issuer,
    CHARTSIDE_OIDC_CLIENT_ID: CLIENT.id,
    CHARTSIDE_OIDC_CLIENT_SECRET: CLIENT.secret,
  })
  t.after(async () => {
    http.closeAllConnections()
    http.close()
    await node.close()
  })
  const visit = async () => {
    const alone = testBrowser(node)
    const { html } = await alone.open(testClient(node).url)
    const href = /id="provider" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&#38;', '&') ?? ''
    return alone.open(href)
  }
  const began = performance.now()
  assert.equal((await visit()).status, 503)
  assert.ok(performance.now() - began < 10_000, 'it waits for five seconds')
  answer = (send) => send('{}', 500)
  assert.equal((await visit()).status, 503)
  const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
  answer = (send) => send(JSON.stringify({ issuer, ...endpoints }), 200)
  const left = await visit()
  assert.equal(left.status, 303)
  assert.ok(String(left.headers.location).startsWith(`${issuer}/auth?`))
})
