// Every route × every kind of caller, generated from the route table: what each role may do to a record
// of its own account and of another one. Contract §4, security U01, P01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { Permission } from '../src/kernel/access.ts'
import { buildExample } from '../src/meta/example.ts'
import type { ApiRoute, OAuthRoute, RecordKind } from '../src/route.ts'
import { ROUTES } from '../src/routes.ts'
import {
  type Actor,
  createFixture,
  EHR,
  type Fixture,
  person,
  secondMethod,
} from './account-fixture.ts'
import { checkAnswer } from './answer-check.ts'
import { startTestService, type TestService } from './test-service.ts'

let node: TestService
let expired: Actor
before(async () => {
  node = await startTestService()
  const made = person(node, 'admin', 'Expired')
  await node.service.db.write(...made.statements)
  expired = made.actor
  node.clock.advance(13 * 60 * 60)
})
after(() => node.close())

const PEOPLE = ['provider', 'developer', 'accountAdmin', 'otherAdmin', 'platformAdmin'] as const
const VIEWERS = ['viewer', 'platformViewer'] as const
const OTHERS = [
  ...(['anonymous', 'app credentials', 'access token', 'expired session'] as const),
  'developer key' as const,
]
type Who = (typeof PEOPLE)[number] | (typeof VIEWERS)[number] | (typeof OTHERS)[number]

/** What each permission means for a record of the account whose user the provider is. */
const EXPECTED: Record<Permission, readonly ('ok' | 403 | 404)[]> = {
  //         provider developer accountAdmin otherAdmin platformAdmin
  read: ['ok', 'ok', 'ok', 404, 'ok'],
  develop: [403, 'ok', 'ok', 404, 'ok'],
  run: [403, 403, 'ok', 404, 'ok'],
  own: ['ok', 404, 404, 404, 'ok'],
  end: ['ok', 403, 'ok', 404, 'ok'],
  oversee: ['ok', 404, 'ok', 404, 'ok'],
  trace: ['ok', 'ok', 'ok', 404, 'ok'],
  self: ['ok', 404, 404, 404, 404],
  platform: [403, 403, 403, 403, 'ok'],
}

/** The records that a request is about. */
interface MatrixFixture extends Fixture {
  readonly ids: Readonly<Record<RecordKind, string>>
  readonly launchId: string
}

async function fixtureOf(route: ApiRoute | OAuthRoute): Promise<MatrixFixture> {
  // Identifiers are ordered by time, so a list can begin at the records of this fixture.
  node.clock.advance(1)
  const records = await createFixture(node)
  const isAboutLaunch =
    route.surface === 'oauth' || route.resource === 'session' || route.resource === 'launch'
  const { provider } = records.people
  if (route.path.includes('login-methods')) await node.service.db.write(secondMethod(provider))
  const call = async (url: string, payload: object) =>
    (
      await node.server.inject({ method: 'POST', url, payload, headers: bearer(provider.token) })
    ).json()
  const opening = { accountId: records.accountId, ehrType: EHR.ehrType, deviceId: 'd' }
  const session = isAboutLaunch ? await call('/api/sessions', opening) : {}
  const body = { appId: records.app.id, kind: 'ui' }
  const launch = isAboutLaunch ? await call(`/api/sessions/${session.id}/launches`, body) : {}
  const { accountId, collectionId, app } = records
  const ids = { account: accountId, app: app.id, collection: collectionId, user: provider.id }
  const launched = { session: String(session.id), launch: String(launch.id) }
  return { ...records, ids: { ...ids, ...launched }, launchId: String(launch.launchId) }
}

/** New records after each request that may have changed them: a read and a refusal leave them as they are. */
function fixturesOf(route: ApiRoute) {
  let fixture: MatrixFixture | undefined
  return {
    async next(): Promise<MatrixFixture> {
      fixture ??= await fixtureOf(route)
      return fixture
    },
    seen(status: number): void {
      if (route.method !== 'GET' && ![401, 403, 404].includes(status)) fixture = undefined
    },
  }
}

/** Refused because of the state of the record, not because of the caller. */
function isOwnRefusal(route: ApiRoute, text: string): boolean {
  const codes = (route.errors ?? []).filter((code) => code !== 'not_found' || !namesRecord(route))
  return codes.some((code) => text.includes(`"code":"${code}"`))
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function headersOf(who: Who, fixture: MatrixFixture): Record<string, string> {
  switch (who) {
    case 'anonymous':
      return {}
    case 'app credentials': {
      const pair = `${fixture.app.clientId}:${fixture.secret}`
      return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    }
    case 'access token':
      return bearer(fixture.secret.replace('cs_', 'at_'))
    case 'developer key':
      return bearer(fixture.keys.developer.value)
    case 'expired session':
      return bearer(expired.token)
    default:
      return bearer(fixture.people[who].token)
  }
}

/** The path with the identifiers of the fixture. Add a new parameter of a path here. */
function pathOf(route: ApiRoute | OAuthRoute, fixture: MatrixFixture): string {
  const ofCaller = route.path.includes('login-methods')
    ? fixture.people.provider.methodId
    : route.path.includes('sign-ins')
      ? fixture.people.provider.signInId
      : route.path.includes('developer-keys')
        ? fixture.keys.provider.id
        : undefined
  const ofRoute = route.surface === 'api' ? (route.resource ?? 'user') : 'user'
  const values: Readonly<Record<string, string>> = {
    id: ofCaller ?? fixture.ids[ofRoute],
    secretId: fixture.secretId,
    tokenId: fixture.tokenId,
    providerId: fixture.providerId,
    webhookId: fixture.webhookId,
    domainId: fixture.domainId,
    runId: 'frn_01jnye6xw8q2v5n0m4r7ta',
    version: '1',
    appId: fixture.app.id,
    ehrType: EHR.ehrType,
    userId: fixture.people.provider.id,
    sessionId: 'a-random-session-id-of-a-client',
    file: 'sdk.js',
  }
  const path = route.path.replace(/:(\w+)/g, (_, name) => {
    assert.ok(values[name], `tell the matrix what :${name} of ${route.path} is`)
    return values[name]
  })
  const filters = route.surface === 'api' ? propertiesOf(route.query) : {}
  const asked = new URLSearchParams()
  if ('cursor' in filters && !namesRecord(route)) {
    asked.set('cursor', values.id?.slice(0, -RANDOM_CHARS) ?? '')
  }
  if ('sessionId' in filters) asked.set('sessionId', fixture.ids.session)
  if ('accountId' in filters) asked.set('accountId', fixture.accountId)
  return `${path}?${asked}`
}

const propertiesOf = (schema: unknown) =>
  (schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}

/** The example of the OpenAPI document, with the identifiers of the fixture. */
function bodyOf(route: ApiRoute, fixture: MatrixFixture): object | undefined {
  if (!route.body) return undefined
  const { account, app, collection } = fixture.ids
  const text = JSON.stringify(buildExample(route.body))
    .replaceAll(/"acc_[^"]*"/g, `"${account}"`)
    .replaceAll(/"app_[^"]*"/g, `"${app}"`)
    .replaceAll(/"col_[^"]*"/g, `"${collection}"`)
  return JSON.parse(text)
}

async function request(
  route: ApiRoute,
  who: Who,
  fixture: MatrixFixture,
): Promise<{ status: number; text: string }> {
  const body = bodyOf(route, fixture)
  const url = pathOf(route, fixture)
  const answer = await node.server.inject({
    method: route.method,
    url,
    headers: headersOf(who, fixture),
    payloadAsStream: true,
    ...(body ? { payload: body } : {}),
  })
  // An event stream stays open; every other reply is read and checked against the route's schema.
  if (String(answer.headers['content-type']).startsWith('text/event-stream')) {
    answer.stream().destroy()
    return { status: answer.statusCode, text: '' }
  }
  const chunks: Buffer[] = []
  for await (const chunk of answer.stream()) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  checkAnswer(route.method, url, { ...answer, json: () => JSON.parse(text) } as never)
  return { status: answer.statusCode, text }
}

/** The random part of an identifier, after its time. */
const RANDOM_CHARS = 12

/** Whether the request names a record; a list and "me" are about the caller. */
const namesRecord = (route: ApiRoute | OAuthRoute) =>
  route.surface === 'oauth' ||
  route.permission === 'platform' ||
  route.path.includes(':') ||
  'accountId' in propertiesOf(route.body) ||
  'sessionId' in propertiesOf(route.query) ||
  'accountId' in propertiesOf(route.query)

for (const route of ROUTES) {
  if (route.surface !== 'api') continue
  const { permission } = route
  const title = `${route.method} ${route.path}`
  if (permission === undefined) {
    test(`admits every caller to ${title}`, async () => {
      const fixtures = fixturesOf(route)
      for (const who of [...PEOPLE, ...OTHERS]) {
        const { status, text } = await request(route, who, await fixtures.next())
        fixtures.seen(status)
        const isKnown = status === 200 || !text.includes('not_signed_in')
        assert.ok(status < 500 && isKnown, `${who}: ${status} ${text}`)
      }
    })
    continue
  }
  test(`${title} needs permission ${permission} [U01, P01]`, async () => {
    const fixtures = fixturesOf(route)
    for (const [i, who] of PEOPLE.entries()) {
      const fixture = await fixtures.next()
      const expected: string | number | undefined = namesRecord(route)
        ? EXPECTED[permission][i]
        : 'ok'
      const { status, text } = await request(route, who, fixture)
      fixtures.seen(status)
      const isOk: boolean = route.answers[status] !== undefined || isOwnRefusal(route, text)
      assert.equal(isOk ? 'ok' : status, expected, `${who}: ${status} ${text}`)
      if (namesRecord(route) || permission === 'self' || !text.includes('nextCursor')) continue
      const isListed = text.includes(fixture.ids[route.resource ?? 'user'])
      assert.equal(isListed, EXPECTED[permission][i] === 'ok', `${who} sees it in the list`)
    }
    for (const who of OTHERS) {
      const { status, text } = await request(route, who, await fixtures.next())
      fixtures.seen(status)
      if (who === 'developer key' && route.takesDeveloperKey) {
        const isOk: boolean = route.answers[status] !== undefined || isOwnRefusal(route, text)
        assert.ok(isOk && status !== 401, `${who}: ${status} ${text}`)
        continue
      }
      assert.equal(status, 401, `${who}: ${text}`)
      assert.match(text, /"not_signed_in"/)
    }
  })
}

/** The administrator who sees the same. */
const SEES_AS = { viewer: 'accountAdmin', platformViewer: 'platformAdmin' } as const

const isOfLaunch = (route: ApiRoute) => route.resource === 'launch'

test('viewers read what their administrators read, and change nothing [U01, P01]', async () => {
  const routes = ROUTES.filter((route) => route.surface === 'api')
  // One for all: reads and refusals leave it as it is.
  const aboutLaunch = routes.find(isOfLaunch)
  assert.ok(aboutLaunch)
  const fixture = await fixtureOf(aboutLaunch)
  for (const who of VIEWERS) {
    for (const route of routes) {
      const { permission, method, operation } = route
      // About the caller, where each has what is their own.
      const isOwn = permission === 'self' || (permission === 'own' && method === 'GET')
      if (permission === undefined || isOwn) continue
      const { status, text } = await request(route, who, fixture)
      if (method !== 'GET') {
        assert.ok([403, 404].includes(status), `${who} ${operation}: ${status} ${text}`)
        continue
      }
      const administrator = await request(route, SEES_AS[who], fixture)
      assert.equal(status, administrator.status, `${who} ${operation}: ${text}`)
    }
  }
})

/** The callers that an OAuth endpoint admits; all others get 401. */
const ADMITS: Record<OAuthRoute['caller'], (who: Who) => boolean> = {
  anyone: () => true,
  client: (who) => who === 'app credentials',
  client_or_person: (who) => who === 'app credentials' || PEOPLE.includes(who as never),
  access_token: () => false,
  identity_provider: () => false,
}

for (const route of ROUTES) {
  if (route.surface !== 'oauth') continue
  test(`${route.path} admits only ${route.caller.replaceAll('_', ' ')} [P01]`, async () => {
    const fixture = await fixtureOf(route)
    for (const who of [...PEOPLE, ...OTHERS]) {
      for (const method of route.methods) {
        const answer: LightMyRequestResponse = await node.server.inject({
          method,
          url: pathOf(route, fixture),
          headers: headersOf(who, fixture),
          ...(method === 'POST'
            ? { payload: { grant_type: 'authorization_code', code: 'x', token: 'x' } }
            : {}),
        })
        const isAdmitted: boolean = answer.statusCode !== 401
        assert.equal(isAdmitted, ADMITS[route.caller](who), `${method} as ${who}: ${answer.body}`)
        assert.ok(answer.statusCode < 500)
      }
    }
  })
}

/** Records of a role below an account, which change nothing of the account. */
const BELOW_ACCOUNT = /^sendProblemReport$|Webhook|DeveloperKey/

/** The kinds of record that the table lets a role change. */
function changeableBy(who: number): string[] {
  const changing = ROUTES.flatMap((route) =>
    route.surface === 'api' &&
    route.permission &&
    route.method !== 'GET' &&
    !BELOW_ACCOUNT.test(route.operation)
      ? [{ permission: route.permission, of: route.resource ?? 'nothing' }]
      : [],
  )
  const allowed = changing.filter(({ permission }) => EXPECTED[permission][who] === 'ok')
  return [...new Set(allowed.map(({ of }) => of))].sort()
}

test('lets each role change only its own kinds of record [P01]', () => {
  const own = ['launch', 'session', 'user']
  assert.deepEqual(changeableBy(0), own)
  assert.deepEqual(changeableBy(1), ['app', 'session'])
  assert.deepEqual(changeableBy(2), ['account', 'app', 'collection', 'launch', 'session'])
  assert.deepEqual(changeableBy(3), [], 'nothing of another account')
})

test('five routes take a developer key, and no other [V45]', () => {
  const taking = ROUTES.filter((route) => route.surface === 'api' && route.takesDeveloperKey)
  const names = taking.map(({ operation }) => operation).sort()
  const runs = ['createFaultRun', 'listFaultRuns']
  assert.deepEqual(names, [...runs, 'listLaunches', 'showApp', 'showMe'])
})

test('declares permission and resource on every route of a signed-in user', () => {
  const people = ROUTES.filter((route) => route.surface === 'api' && route.caller === 'person')
  assert.ok(people.length > 30)
  for (const route of people)
    assert.ok(route.surface === 'api' && route.permission && route.resource)
})
