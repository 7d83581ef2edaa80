// Every page route of the table × everybody who could call it: a page knows a person by the cookie of
// a step that it began itself, never by what a header holds, and a form without a step changes
// nothing. The other surfaces are in authorization-matrix.test.ts. Contract §3, security P01.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { identifier, sql } from '../src/db/sql.ts'
import type { PageRoute } from '../src/http/route.ts'
import { ROUTES } from '../src/routes.ts'
import { type Cast, castOf } from './cast.ts'
import { startTestService, type TestService } from './test-service.ts'

let node: TestService
let cast: Cast
before(async () => {
  node = await startTestService()
  cast = await castOf(node)
})
after(() => node.close())

const pages = ROUTES.filter((route) => route.surface === 'page')

/** What a caller may hold that is worth something elsewhere. */
function everybody(): [string, Record<string, string>][] {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const pair = Buffer.from(`${cast.app.clientId}:${cast.secret}`).toString('base64')
  return [
    ...Object.entries(cast.people).map(([role, { token }]): [string, Record<string, string>] => [
      role,
      bearer(token),
    ]),
    ['app credentials', { authorization: `Basic ${pair}` }],
    ['access token', bearer(cast.secret.replace('cs_', 'at_'))],
    ['session token in a cookie', { cookie: `session=${cast.people.platformAdmin.token}` }],
  ]
}

/** What forms may change, and must not here; the pages' own steps and counts are no secret. */
const TABLES = ['users', 'login_methods', 'second_factors', 'members', 'sign_ins', 'invitations']

const snapshot = async () =>
  JSON.stringify(
    await Promise.all(
      TABLES.map((table) =>
        node.service.db.read(sql`SELECT * FROM ${identifier(table)} ORDER BY 1, 2`),
      ),
    ),
  )

async function open(route: PageRoute, headers: Record<string, string>) {
  const { method, path } = route
  const form = {
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'token=x&step=x&email=a%40b.example&password=long-enough-words&name=X&code=123456',
  }
  const answer = await node.server.inject({
    method,
    url: path,
    ...(method === 'POST' ? form : { headers }),
  })
  // What differs from call to call: trace ids, and the values of a step.
  const text = answer.body.replace(/[\w-]{16,}/g, '…')
  return { status: answer.statusCode, type: answer.headers['content-type'], text }
}

test('the table has the pages of the sign-in', () => {
  assert.ok(pages.length >= 10, `${pages.length} pages`)
})

for (const route of pages) {
  test(`${route.method} ${route.path} is one for everybody who has no step of it [P01]`, async () => {
    const untouched = await snapshot()
    const forNobody = await open(route, {})
    assert.ok(forNobody.status < 500, forNobody.text)
    for (const [who, headers] of everybody()) {
      assert.deepEqual(await open(route, headers), forNobody, who)
    }
    assert.equal(await snapshot(), untouched)
  })
}
