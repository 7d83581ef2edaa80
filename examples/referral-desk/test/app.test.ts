// The kit's tests of option 3, on this app with Hono and better-auth; and how the app names a provider
// that fails in either of its two parts.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { serveNode } from '@chartside/app-kit/node'
import { createSessions, routeProvider } from '@chartside/app-kit/server'
import { testProviderApp } from '@chartside/test-kit/app'
import { startApp } from '../src/app.ts'
import { createProvider } from '../src/provider/provider.ts'
import { redeemTicket } from '../src/provider/redeem-ticket.ts'

testProviderApp({
  start: {
    provider: (options, address) => serveNode(createProvider(options), address),
    app: startApp,
  },
})

test('distinguishes a failing provider from a failing management API', async (t) => {
  let failing = '/api/auth/one-time-token/verify'
  const provider = createServer(({ url = '' }, response) => {
    response.writeHead(url.startsWith(failing) ? 502 : 200)
    response.end(JSON.stringify({ user: { id: 'usr_1' } }))
  }).listen(0, '127.0.0.1')
  t.after(() => provider.close())
  await new Promise((resolve) => provider.once('listening', resolve))
  const providerApi = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const settings = {
    ...{ host: '127.0.0.1', port: 0, publicUrl: 'http://app.example', frameAncestors: [] },
    ...{ baseUrl: 'http://127.0.0.1:1', providerUrl: providerApi, providerApi },
    managementToken: 'm'.repeat(43),
  }
  const sessions = createSessions({ cookieName: 'app', allowedOrigins: [settings.publicUrl] })
  const routes = routeProvider({ settings, sessions, log: () => {} }, redeemTicket)
  const start = async () => {
    const body = JSON.stringify({ ticket: 'ticket', launch_id: 'lnch_1', proof: 'p'.repeat(43) })
    const request = new Request('http://app.example/api/exchange', { method: 'POST', body })
    return routes['POST /api/exchange']?.(request)
  }
  await assert.rejects(start, { status: 503, code: 'provider_unreachable' })
  failing = '/api/v2/users/'
  await assert.rejects(start, { code: 'management_failed' })
})
