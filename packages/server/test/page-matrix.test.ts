// Every page route × every kind of caller: a page knows a user only by the cookie of its own
// pre-authentication session, never by a header, and a form without an interaction changes nothing.
// The other surfaces are in authorization-matrix.test.ts. Contract §3, security P01.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { identifier, sql } from '../src/db/sql.ts'
import type { PageRoute } from '../src/route.ts'
import { ROUTES } from '../src/routes.ts'
import { createFixture, type Fixture } from './account-fixture.ts'
import { startTestService, type TestService } from './test-service.ts'

let node: TestService
let fixture: Fixture
before(async () => {
  node = await startTestService()
  fixture = await createFixture(node)
})
after(() => node.close())

const pages = ROUTES.filter((route) => route.surface === 'page')

/** Credentials of other surfaces that a caller may send. */
function listCallers(): [string, Record<string, string>][] {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const pair = Buffer.from(`${fixture.app.clientId}:${fixture.secret}`).toString('base64')
  return [
    ...Object.entries(fixture.people).map(([role, { token }]): [string, Record<string, string>] => [
      role,
      bearer(token),
    ]),
    ['app credentials', { authorization: `Basic ${pair}` }],
    ['access token', bearer(fixture.secret.replace('cs_', 'at_'))],
    ['session token in a cookie', { cookie: `session=${fixture.people.platformAdmin.token}` }],
  ]
}

/** The tables that forms change, and must not change here. */
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
  // Trace ids and the values of an interaction differ from call to call.
  const text = answer.body.replace(/[\w-]{16,}/g, '…')
  return { status: answer.statusCode, type: answer.headers['content-type'], text }
}

test('lists the sign-in pages in the route table', () => {
  assert.ok(pages.length >= 10, `${pages.length} pages`)
})

for (const route of pages) {
  test(`${route.method} ${route.path} replies alike to every caller without session [P01]`, async () => {
    const unchanged = await snapshot()
    const anonymous = await open(route, {})
    assert.ok(anonymous.status < 500, anonymous.text)
    for (const [who, headers] of listCallers()) {
      assert.deepEqual(await open(route, headers), anonymous, who)
    }
    assert.equal(await snapshot(), unchanged)
  })
}
