// Every route of the table × everybody who could call it, generated from the table: what each role
// may do to a record of its own account and of another one. Contract §4, security U01, P01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { ApiRoute, OAuthRoute, RecordKind } from '../src/http/route.ts'
import { PERMISSIONS, type Permission } from '../src/kernel/access.ts'
import { buildExample } from '../src/meta/example.ts'
import { ROUTES } from '../src/routes.ts'
import { checkAnswer } from './answer-check.ts'
import { type Actor, type Cast, castOf, EHR, person, secondMethod } from './cast.ts'
import { startTestService, type TestService } from './test-service.ts'

let node: TestService
let expired: Actor
before(async () => {
  node = await startTestService()
  const made = person(node, 'admin', 'Long gone')
  await node.service.db.write(...made.statements)
  expired = made.actor
  node.clock.advance(13 * 60 * 60)
})
after(() => node.close())

const PEOPLE = ['provider', 'developer', 'accountAdmin', 'otherAdmin', 'platformAdmin'] as const
const STRANGERS = ['nobody', 'app credentials', 'access token', 'expired session'] as const
type Who = (typeof PEOPLE)[number] | (typeof STRANGERS)[number]

/** What each need means for a record of the account, of which the provider is the person. */
const EXPECTED: Record<Permission, readonly ('ok' | 403 | 404)[]> = {
  //         provider developer accountAdmin otherAdmin platformAdmin
  read: ['ok', 'ok', 'ok', 404, 'ok'],
  develop: [403, 'ok', 'ok', 404, 'ok'],
  run: [403, 403, 'ok', 404, 'ok'],
  own: ['ok', 404, 404, 404, 'ok'],
  trace: ['ok', 'ok', 'ok', 404, 'ok'],
  self: ['ok', 404, 404, 404, 404],
  platform: [403, 403, 403, 403, 'ok'],
}

/** The record that a request is about; each cell of the matrix has its own. */
interface Scene extends Cast {
  readonly ids: Readonly<Record<RecordKind, string>>
  readonly launchId: string
}

async function sceneOf(route: ApiRoute | OAuthRoute): Promise<Scene> {
  // Identifiers are ordered by time: a list can begin at the records of this scene.
  node.clock.advance(1)
  const cast = await castOf(node)
  const isAboutLaunch =
    route.surface === 'oauth' || route.resource === 'session' || route.resource === 'launch'
  const { provider } = cast.people
  const call = async (url: string, payload: object) =>
    (
      await node.server.inject({ method: 'POST', url, payload, headers: bearer(provider.token) })
    ).json()
  const opening = { accountId: cast.accountId, ehrType: EHR.ehrType, deviceId: 'd' }
  const session = isAboutLaunch ? await call('/api/sessions', opening) : {}
  const body = { appId: cast.app.id, kind: 'ui' }
  const launch = isAboutLaunch ? await call(`/api/sessions/${session.id}/launches`, body) : {}
  const { accountId, collectionId, app } = cast
  const ids = { account: accountId, app: app.id, collection: collectionId, user: provider.id }
  const launched = { session: String(session.id), launch: String(launch.id) }
  return { ...cast, ids: { ...ids, ...launched }, launchId: String(launch.launchId) }
}

/** Refused for what the record is, by somebody who was let to it: not for who they are. */
function isOwnRefusal(route: ApiRoute, text: string): boolean {
  const codes = (route.errors ?? []).filter((code) => code !== 'not_found' || !namesRecord(route))
  return codes.some((code) => text.includes(`"code":"${code}"`))
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function headersOf(who: Who, scene: Scene): Record<string, string> {
  switch (who) {
    case 'nobody':
      return {}
    case 'app credentials': {
      const pair = `${scene.app.clientId}:${scene.secret}`
      return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    }
    case 'access token':
      return bearer(scene.secret.replace('cs_', 'at_'))
    case 'expired session':
      return bearer(expired.token)
    default:
      return bearer(scene.people[who].token)
  }
}

/** The path with the identifiers of the scene. A parameter that is new here has to be named here. */
function pathOf(route: ApiRoute | OAuthRoute, scene: Scene): string {
  const isMethod = route.path.includes('login-methods')
  const ofRoute = route.surface === 'api' ? (route.resource ?? 'user') : 'user'
  const values: Readonly<Record<string, string>> = {
    id: isMethod ? scene.people.provider.methodId : scene.ids[ofRoute],
    secretId: scene.secretId,
    version: '1',
    userId: scene.people.provider.id,
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
  if ('sessionId' in filters) asked.set('sessionId', scene.ids.session)
  if ('accountId' in filters) asked.set('accountId', scene.accountId)
  return `${path}?${asked}`
}

const propertiesOf = (schema: unknown) =>
  (schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}

/** The example of the OpenAPI document, with the identifiers of the scene. */
function bodyOf(route: ApiRoute, scene: Scene): object | undefined {
  if (!route.body) return undefined
  const { account, app, collection } = scene.ids
  const text = JSON.stringify(buildExample(route.body))
    .replaceAll(/"acc_[^"]*"/g, `"${account}"`)
    .replaceAll(/"app_[^"]*"/g, `"${app}"`)
    .replaceAll(/"col_[^"]*"/g, `"${collection}"`)
  return JSON.parse(text)
}

async function ask(
  route: ApiRoute,
  who: Who,
  scene: Scene,
): Promise<{ status: number; text: string }> {
  const body = bodyOf(route, scene)
  const url = pathOf(route, scene)
  const answer = await node.server.inject({
    method: route.method,
    url,
    headers: headersOf(who, scene),
    payloadAsStream: true,
    ...(body ? { payload: body } : {}),
  })
  // An event stream goes on; all others are read to the end and held to the route's schema.
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

/** Of an identifier, after its time. */
const RANDOM_CHARS = 12

/** Whether the request names a record; a list and "me" are about whoever asks. */
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
    test(`anybody may call ${title}`, async () => {
      for (const who of [...PEOPLE, ...STRANGERS]) {
        const { status, text } = await ask(route, who, await sceneOf(route))
        const isKnown = status === 200 || !text.includes('not_signed_in')
        assert.ok(status < 500 && isKnown, `${who}: ${status} ${text}`)
      }
    })
    continue
  }
  test(`${title} is for ${PERMISSIONS[permission]}, and nobody else [U01, P01]`, async () => {
    for (const [i, who] of PEOPLE.entries()) {
      const scene = await sceneOf(route)
      const { provider } = scene.people
      if (route.path.includes('login-methods')) {
        await node.service.db.write(secondMethod(provider))
      }
      const expected: string | number | undefined = namesRecord(route)
        ? EXPECTED[permission][i]
        : 'ok'
      const { status, text } = await ask(route, who, scene)
      const isOk: boolean = route.answers[status] !== undefined || isOwnRefusal(route, text)
      assert.equal(isOk ? 'ok' : status, expected, `${who}: ${status} ${text}`)
      if (namesRecord(route) || permission === 'self' || !text.includes('nextCursor')) continue
      const isListed = text.includes(scene.ids[route.resource ?? 'user'])
      assert.equal(isListed, EXPECTED[permission][i] === 'ok', `${who} sees it in the list`)
    }
    for (const who of STRANGERS) {
      const { status, text } = await ask(route, who, await sceneOf(route))
      assert.equal(status, 401, `${who}: ${text}`)
      assert.match(text, /"not_signed_in"/)
    }
  })
}

/** Whom an OAuth endpoint takes; everybody else is told that they are nobody. */
const TAKES: Record<OAuthRoute['caller'], (who: Who) => boolean> = {
  anyone: () => true,
  client: (who) => who === 'app credentials',
  client_or_person: (who) => who === 'app credentials' || PEOPLE.includes(who as never),
  access_token: () => false,
}

for (const route of ROUTES) {
  if (route.surface !== 'oauth') continue
  test(`${route.path} takes ${route.caller.replaceAll('_', ' ')}, and nobody else [P01]`, async () => {
    for (const who of [...PEOPLE, ...STRANGERS]) {
      const scene = await sceneOf(route)
      for (const method of route.methods) {
        const answer: LightMyRequestResponse = await node.server.inject({
          method,
          url: pathOf(route, scene),
          headers: headersOf(who, scene),
          ...(method === 'POST'
            ? { payload: { grant_type: 'authorization_code', code: 'x', token: 'x' } }
            : {}),
        })
        const isUnnamed: boolean =
          route.caller === 'client' && /client_id is missing/.test(answer.body)
        const isTaken: boolean = answer.statusCode !== 401 && !isUnnamed
        assert.equal(isTaken, TAKES[route.caller](who), `${method} as ${who}: ${answer.body}`)
        assert.ok(answer.statusCode < 500)
      }
    }
  })
}

/** What the table lets a role change, by kind of record; the table is held to the contract by this. */
function changeableBy(who: number): string[] {
  const changing = ROUTES.flatMap((route) =>
    route.surface === 'api' && route.permission && route.method !== 'GET'
      ? [{ permission: route.permission, of: route.resource ?? 'nothing' }]
      : [],
  )
  const allowed = changing.filter(({ permission }) => EXPECTED[permission][who] === 'ok')
  return [...new Set(allowed.map(({ of }) => of))].sort()
}

test('a provider changes themselves and what they launch, a developer also apps, nobody more [P01]', () => {
  const own = ['launch', 'session', 'user']
  assert.deepEqual(changeableBy(0), own)
  assert.deepEqual(changeableBy(1), ['app', 'session'])
  assert.deepEqual(changeableBy(2), ['account', 'app', 'collection', 'session'])
  assert.deepEqual(changeableBy(3), [], 'nothing of somebody else')
})

test('every route that takes somebody signed in says what they must be to which record', () => {
  const people = ROUTES.filter((route) => route.surface === 'api' && route.caller === 'person')
  assert.ok(people.length > 30)
  for (const route of people)
    assert.ok(route.surface === 'api' && route.permission && route.resource)
})
