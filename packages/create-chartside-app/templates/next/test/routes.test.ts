// The files of app/: each address that the app answers has a route handler for its methods, and each
// route handler has an address behind it. Reads files only.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { json } from './browser-client.ts'
import { startFixture } from './fixture.ts'

const root = fileURLToPath(new URL('../app/', import.meta.url))

/** `POST /api/session`, by the exports of each file. */
const handlers = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('/route.ts') && !path.includes('[...path]'))
  .flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/serve as (\w+)/g)].map(
      ([, method]) => `${method} /${dirname(path)}`,
    ),
  )

test('answers every route handler, with something other than 404', async (t) => {
  assert.ok(handlers.includes('POST /api/session') && handlers.includes('GET /api/me'))
  const { port } = await startFixture(t)
  for (const handler of handlers) {
    const [method = '', path = ''] = handler.split(' ')
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    await json(response)
    assert.notEqual(response.status, 404, handler)
  }
})

test('has a route handler for every route of the app', () => {
  const sources = ['../src/app.ts', '../src/api.ts', '../src/launch.ts'].map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8'),
  )
  const routes = [...sources.join('\n').matchAll(/'((?:GET|POST|PUT|DELETE) \/[^']+)':/g)].map(
    ([, route]) => route,
  )
  assert.deepEqual(routes.sort(), [...handlers].sort())
})
