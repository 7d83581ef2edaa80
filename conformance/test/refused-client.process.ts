// The suite against a service that refuses the registered client itself, and against ID tokens and a state that are almost
// right: one cause and exit code 2 for the first, the module that is about it for the others.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FaultyProxy, type Handle, startFaultyService } from './faulty-proxy.ts'
import { distortRedirect, resign } from './planted-faults.ts'
import { explain, type Ran, runPlain, runSuite } from './run.ts'

let service: FaultyProxy
before(async () => {
  service = await startFaultyService()
})
after(() => service.stop())

const refuseClient: Handle = async (request, forward) =>
  request.path === '/app-auth/authorize'
    ? { status: 400, headers: { 'content-type': 'text/html' }, body: '<p>Unknown algorithm.</p>' }
    : forward(request)

const refuseExchange: Handle = async (request, forward) =>
  request.path === '/app-auth/token'
    ? {
        status: 401,
        headers: { 'content-type': 'application/json' },
        body: '{"error":"invalid_client","error_description":"The method is not registered."}',
      }
    : forward(request)

for (const [what, handle, cause] of [
  ['at authorize', refuseClient, /authorize gives it no code: a page: 400/],
  ['at the token endpoint', refuseExchange, /token endpoint gives it no token: 401 invalid_client/],
] as const) {
  test(`ends with 2 and one cause when the client itself is refused ${what}`, async () => {
    service.plant(handle)
    const ran = await runPlain('--base-url', service.origin)
    assert.equal(ran.code, 2, ran.printed)
    assert.match(ran.errors, cause)
    assert.equal(ran.errors.trim().split('\n').length, 1)
  })
}

const CLAIMS = 'oidcc-server'
const runOne = (id: string): Promise<Ran> => runSuite('--base-url', service.origin, '--only', id)

test('finds an ID token for another client in azp', async () => {
  service.plant(resign('RS256', (claims) => ({ ...claims, azp: 'cli_other' }))())
  const ran = await runOne(CLAIMS)
  assert.deepEqual(ran.failed, [CLAIMS])
  assert.match(explain(ran), /azp/)
})

test('warns of an ID token that lives for ten years', async () => {
  const tenYears = 10 * 365 * 24 * 60 * 60
  service.plant(resign('RS256', (claims) => ({ ...claims, exp: Date.now() / 1000 + tenYears }))())
  const ran = await runOne(CLAIMS)
  assert.deepEqual(ran.failed, [])
  const [{ verdict, cause = '' } = { verdict: 'passed' }] = ran.report.modules
  assert.equal(verdict, 'warning')
  assert.match(cause, /for a day at most/)
})

test('finds a state that comes back in lower case', async () => {
  const id = 'rfc6749-state-returned-exactly'
  service.plant(
    distortRedirect('code', (parameters) => {
      const state = parameters.get('state') ?? ''
      if (state === 'aB') parameters.set('state', 'ab')
    })(),
  )
  assert.deepEqual((await runOne(id)).failed, [id])
})
