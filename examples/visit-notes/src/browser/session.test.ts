// The page's end of the app's own session: what it sends when its bearer has run out, and that
// requests which wait for a renewal share one. The server is a function; nothing is sent. Spec §5.6.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { AppSession } from './session.ts'

interface Call {
  readonly path: string
  readonly init: RequestInit
}

/** A server whose first bearer has already run out; each renewal hands out the next. */
function serve(t: TestContext): Call[] {
  const calls: Call[] = []
  let renewals = 0
  const session = () => ({ session: { token: `bearer_${renewals}`, launch_id: 'lnch_1' } })
  t.mock.method(globalThis, 'fetch', async (path: string, init: RequestInit) => {
    calls.push({ path, init })
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (path === '/api/session') return Response.json(session())
    if (path === '/api/session/renew') {
      renewals += 1
      return Response.json(session())
    }
    const isLive = new Headers(init.headers).get('authorization') === 'Bearer bearer_1'
    return isLive
      ? Response.json({ path })
      : Response.json({ error: 'session_ended', cause: 'Over.', fix: '' }, { status: 401 })
  })
  return calls
}

test('ends its launch by name, in a request that outlives the frame', async (t) => {
  const calls = serve(t)
  const { session } = await AppSession.start('code_1')
  await session.end()
  const init = calls.at(-1)?.init
  assert.deepEqual([init?.method, init?.keepalive], ['DELETE', true])
  assert.deepEqual(JSON.parse(String(init?.body)), { launch_id: 'lnch_1' })
})

test('names its launch when it renews, and renews once for all who wait', async (t) => {
  const calls = serve(t)
  const { session } = await AppSession.start('code_1')
  await Promise.all([session.request('GET', '/api/me'), session.request('GET', '/api/notes')])
  const renewals = calls.filter(({ path }) => path === '/api/session/renew')
  assert.deepEqual(
    renewals.map(({ init }) => JSON.parse(String(init.body))),
    [{ launch_id: 'lnch_1' }],
  )
})
