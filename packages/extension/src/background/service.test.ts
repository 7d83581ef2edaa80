// The calls of the background: to the configured origin, without cookies, with the token in the header.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServiceClient, ServiceError } from './service.ts'

const BASE = 'https://chartside.example/base'
const PREPARED = {
  sessionId: 's/../x',
  verifier: 'v'.repeat(43),
  matchCode: '',
  hostOrigin: 'chrome-extension://abc',
  expiresAt: 0,
}
const TARGET = { practice: { id: 'acc/1', name: 'L' }, ehrType: 'meadow', ehrName: 'Meadow' }

function record(answer: (path: string) => Response = () => Response.json({ items: [], ehrs: [] })) {
  const calls: { url: URL; init: RequestInit | undefined }[] = []
  const client = createServiceClient(BASE, async (input, init) => {
    const url = new URL(String(input))
    calls.push({ url, init })
    return answer(url.pathname)
  })
  return { calls, client }
}

test('calls the configured origin only, without cookies or redirects', async () => {
  const { calls, client } = record()
  await client.pollToken(PREPARED, 'proof')
  await client.listPractices('st_1', 'acc/../../evil', [])
  await client.listSessions('st_1', 'd')
  await client.openSession('st_1', { target: TARGET, deviceId: 'd', launch: ['worker'] })
  await client.endSession('st_1', '//evil.example/')
  await client.endLaunch('st_1', 'lau_1')
  await client.reportActivity('st_1', 'ses_1')
  await client.reportProblem('st_1', '../acc_1', { message: 'It closed' })
  await client.signOut('st_1')
  await client.findMe('st_1')
  assert.equal(calls.length, 11)
  for (const { url, init } of calls) {
    assert.equal(url.origin, 'https://chartside.example')
    assert.ok(url.pathname.startsWith('/base/'), url.href)
    assert.deepEqual([init?.credentials, init?.redirect], ['omit', 'error'])
    assert.match(new Headers(init?.headers).get('authorization') ?? '', /^Bearer /)
  }
})

test('opens no sign-in page of another origin', async () => {
  const { client } = record(() => Response.json({ signInUrl: 'https://evil.example/sign-in' }))
  await assert.rejects(client.findSignInUrl(PREPARED, null), { code: 'foreign_sign_in' })
})

test('names the practice of the policy to the sign-in page', async () => {
  const { client } = record(() => Response.json({ signInUrl: `${BASE}/auth/sign-in` }))
  const practiceOf = async (accountId: string | null) =>
    new URL(await client.findSignInUrl(PREPARED, accountId)).searchParams.get('account_id')
  assert.equal(await practiceOf('acc_1'), 'acc_1')
  assert.equal(await practiceOf(null), null)
})

test('names what the service answers, and whether another attempt makes sense', async () => {
  const problem = { code: 'region_not_allowed', detail: 'Not from here.', traceId: 't1' }
  const refused = record(() => Response.json(problem, { status: 403 }))
  const error = await refused.client.findMe('st_1').catch((caught: unknown) => caught)
  assert.ok(error instanceof ServiceError)
  assert.deepEqual(
    [error.code, error.message, error.traceId, error.isTransient],
    ['region_not_allowed', 'Not from here.', 't1', false],
  )
  const down = createServiceClient(BASE, () => Promise.reject(new TypeError('Failed to fetch')))
  const failed = await down.findMe('st_1').catch((caught: unknown) => caught)
  assert.ok(failed instanceof ServiceError && failed.isTransient)
})

test('asks for EHR definitions by their entity tag, and keeps what has not changed', async () => {
  const ehrs = [{ ehrType: 'meadow', name: 'Meadow EHR', matches: [] }]
  const account = { id: 'acc_1', name: 'Lakeside' }
  const { calls, client } = record((path) =>
    path.endsWith('/ehrs')
      ? calls.some(({ init }) => new Headers(init?.headers).has('if-none-match'))
        ? new Response(null, { status: 304 })
        : Response.json({ ehrs }, { headers: { etag: '"1"' } })
      : Response.json(account),
  )
  const known = await client.listPractices('st_1', 'acc_1', [])
  assert.deepEqual(known, [{ practice: account, ehrs, etag: '"1"' }])
  assert.deepEqual(await client.listPractices('st_1', 'acc_1', known), known)
  assert.equal(new Headers(calls.at(-1)?.init?.headers).get('if-none-match'), '"1"')
})

test('lists the sessions of its own device, and never those of another', async () => {
  const items = [
    { id: 'ses_own', deviceId: 'd' },
    { id: 'ses_other', deviceId: 'e' },
  ]
  const { client } = record(() => Response.json({ items }))
  assert.deepEqual(await client.listSessions('st_1', 'd'), ['ses_own'])
})

test('waits for an answer for fifteen seconds at most', async (t) => {
  const timeout = t.mock.method(AbortSignal, 'timeout')
  const { calls, client } = record()
  await client.findMe('st_1')
  assert.deepEqual(timeout.mock.calls[0]?.arguments, [15_000])
  assert.equal(calls[0]?.init?.signal, timeout.mock.calls[0]?.result)
})
