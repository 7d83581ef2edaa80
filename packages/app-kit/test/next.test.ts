// An app on Next.js without Next.js: its route handlers are functions of web-standard Request and Response.
// test/browser/create.next.ts has the rest. Spec §5.6.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type ErrorBody, json, launchApp } from '@chartside/test-kit/app'
import { createChartside } from '../src/adapters/next.ts'
import { Problem, routeExchange } from '../src/server/index.ts'

/** As the files of an app: a catch-all, a route with a parameter, and one that fails. */
async function launch(t: TestContext, slug: string) {
  let loads = 0
  const launched = await launchApp((settings, log) => {
    // Next.js may load a module for each route.
    const load = () => {
      const chartside = createChartside(slug, () => {
        loads += 1
        return { name: 'Ward Notes', settings, launch: routeExchange, log }
      })
      const note = chartside.route(
        async (request, { params }: { params: Promise<{ id: string }> }) => {
          const { account } = await chartside.identity(request)
          return Response.json({ id: (await params).id, practice: account.name })
        },
      )
      const locked = chartside.route(async () => {
        throw new Problem(409, { error: 'note_locked', cause: 'It is signed.', fix: 'Add a note.' })
      })
      return { ...chartside, note, locked }
    }
    return async (request) => {
      const { pathname } = new URL(request.url)
      const { handlers, note, locked } = load()
      const [, id] = /^\/api\/notes\/(\w+)$/.exec(pathname) ?? []
      if (id) return note(request, { params: Promise.resolve({ id }) })
      if (pathname === '/api/locked') return locked(request)
      return handlers[request.method as 'GET' | 'POST'](request)
    }
  })
  t.after(launched.stop)
  return { ...launched, send: launched.app.send, loads: () => loads }
}

test('Next.js: one app serves the modules of all routes, and its user', async (t) => {
  const { app, loads } = await launch(t, 'next-notes')
  const practice = 'Lakeside Family Practice'
  assert.deepEqual(await app.get('/api/notes/7'), { id: '7', practice })
  assert.equal(loads(), 1)
})

test('Next.js: a route answers errors with cause and fix, under the headers', async (t) => {
  const { send } = await launch(t, 'next-errors')
  for (const [path, status, code] of [
    ['/api/notes/7', 401, 'session_ended'],
    ['/api/locked', 409, 'note_locked'],
    ['/api/nothing', 404, 'not_found'],
  ] as const) {
    const response = await send(path)
    const { error, cause, fix } = await json<ErrorBody>(response)
    assert.deepEqual([response.status, error], [status, code])
    assert.ok(cause && fix && response.headers.has('content-security-policy'))
  }
})

test('Next.js: a page of another origin renews no session', async (t) => {
  const { send } = await launch(t, 'next-origins')
  const evil = { origin: 'https://evil.example' }
  assert.equal((await send('/api/session/renew', {}, evil)).status, 403)
})
