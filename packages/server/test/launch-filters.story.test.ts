// Who sees which launches in a list, what each filter finds, the failures grouped by cause, and that no
// filter reads the whole table. Contract §3, security P01, U01, V18.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Launch, LaunchState } from '@chartside/protocol/launch'
import { type Statement, sql } from '../src/db/sql.ts'
import { newId, newIdIn } from '../src/kernel/identifiers.ts'
import { partOf } from '../src/kernel/partitions.ts'
import { REASONS } from '../src/kernel/reasons.ts'
import { decideLaunchOutcome, decideLaunchState } from '../src/launches/launch.ts'
import { LAUNCH_OUTCOMES } from '../src/launches/launch-schema.ts'
import { launchOf, SELECT_LAUNCHES } from '../src/launches/launch-store.ts'
import { hasOutcome, hasState } from '../src/launches/list/launch-filter-store.ts'
import { insertLaunchFailure } from '../src/launches/timeline/launch-failure-store.ts'
import { livenessCutoff } from '../src/liveness/liveness.ts'
import { FINDINGS, type FindingCode } from '../src/preflight/finding.ts'
import { createFixture, EHR, type Fixture } from './account-fixture.ts'
import { checkAnswer } from './answer-check.ts'
import { authorizeParameters } from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

let node: TestService
let practice: Fixture
let stranger: Fixture
before(async () => {
  node = await startTestService()
  practice = await createFixture(node)
  stranger = await createFixture(node)
})
after(() => node.close())

async function call(token: string, method: 'GET' | 'POST', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await node.server.inject({
    method,
    url,
    headers,
    ...(payload ? { payload } : {}),
  })
  checkAnswer(method, url, answer)
  return answer
}

/** Opens an EHR session and a launch as the provider of an account. */
async function launchIn({ accountId, app, people }: Fixture) {
  node.clock.advance(1)
  const { token } = people.provider
  const opening = { accountId, ehrType: EHR.ehrType, deviceId: 'd' }
  const session = (await call(token, 'POST', '/api/sessions', opening)).json()
  const url = `/api/sessions/${session.id}/launches`
  const launch = (await call(token, 'POST', url, { appId: app.id, kind: 'ui' })).json()
  return { sessionId: String(session.id), id: String(launch.id), launchId: String(launch.launchId) }
}

/** Goes to authorize with a wrong redirect URI. Gives the trace id that the answer shows. */
async function failWith({ app }: Fixture, launchId: string, changes: Record<string, string>) {
  const client = {
    id: app.id,
    clientId: app.clientId,
    secret: '',
    redirectUri: 'https://x.example',
  }
  const parameters = authorizeParameters(client, launchId, changes)
  const answer = await node.server.inject({ url: `/app-auth/authorize?${parameters}` })
  return answer.json().trace_id as string
}

async function list(token: string, query: Record<string, string> = {}): Promise<string[]> {
  const answer = await call(token, 'GET', `/api/launches?${new URLSearchParams(query)}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().items.map(({ id }: Launch) => id)
}

test('shows a launch to its person, its practice and its vendor only [P01, V18]', async () => {
  const { id } = await launchIn(practice)
  for (const role of ['provider', 'developer', 'accountAdmin', 'platformAdmin'] as const) {
    const { token } = practice.people[role]
    assert.ok((await list(token)).includes(id), role)
    assert.equal((await call(token, 'GET', `/api/launches/${id}`)).statusCode, 200, role)
  }
  for (const role of ['provider', 'developer', 'accountAdmin'] as const) {
    const { token } = stranger.people[role]
    assert.equal((await list(token)).includes(id), false, role)
    assert.equal((await call(token, 'GET', `/api/launches/${id}`)).statusCode, 404, role)
    const query = `accountId=${practice.accountId}`
    for (const path of ['launches', 'launches/causes']) {
      assert.equal((await call(token, 'GET', `/api/${path}?${query}`)).statusCode, 404, role)
    }
  }
})

test('shows a vendor no name and no address of a person', async () => {
  const { id } = await launchIn(practice)
  const { developer, provider } = practice.people
  const seen = [
    await call(developer.token, 'GET', `/api/launches/${id}`),
    await call(developer.token, 'GET', '/api/launches'),
  ]
  const me = (await call(provider.token, 'GET', '/api/users/me')).json()
  for (const { body } of seen) {
    assert.equal(body.includes(me.name) || body.includes(me.email), false)
  }
})

test('finds the launches of one user, for them and their practice only [P01, V18]', async () => {
  const { id } = await launchIn(practice)
  const { provider, developer, accountAdmin, platformAdmin } = practice.people
  const userId = provider.id
  for (const { token } of [provider, accountAdmin, platformAdmin]) {
    assert.equal((await list(token, { userId }))[0], id)
    assert.equal((await list(token, { userId, practiceId: practice.accountId }))[0], id)
    assert.deepEqual(await list(token, { userId, practiceId: stranger.accountId }), [])
    assert.deepEqual(await list(token, { userId, to: '2001-01-01T00:00:00Z' }), [])
  }
  const accountId = practice.accountId
  assert.equal((await list(accountAdmin.token, { userId, accountId }))[0], id)
  assert.deepEqual(await list(accountAdmin.token, { userId: developer.id }), [])
  // A user of another practice is as unknown as one who does not exist.
  for (const other of [stranger.people.provider.id, 'usr_unknown']) {
    assert.deepEqual(await list(accountAdmin.token, { userId: other }), [])
    for (const { token } of [provider, developer]) {
      for (const path of ['', '/causes', '/summary', '/practices']) {
        const refused = await call(token, 'GET', `/api/launches${path}?userId=${other}`)
        assert.deepEqual([refused.statusCode, refused.json().code], [403, 'not_allowed'], path)
        assert.equal(refused.json().errors[0].field, 'userId')
      }
    }
  }
})

test('leads from the trace id of an error to its launch [U01]', async () => {
  const { id, launchId } = await launchIn(practice)
  const traceId = await failWith(practice, launchId, { redirect_uri: 'https://wrong.example/' })
  assert.match(traceId, /^[0-9a-f]{32}$/)
  const { developer, provider, accountAdmin } = practice.people
  for (const { token } of [developer, provider, accountAdmin]) {
    assert.deepEqual(await list(token, { traceId }), [id])
  }
  assert.deepEqual(await list(stranger.people.developer.token, { traceId }), [])
})

test('finds by app, session, reason, state and time, and by all of them', async () => {
  const first = await launchIn(practice)
  await failWith(practice, first.launchId, { client_id: practice.app.id })
  node.clock.advance(1)
  const between = new Date(node.clock()).toISOString()
  const second = await launchIn(practice)
  const { token } = practice.people.developer
  const appId = practice.app.id
  const inBoth = async (query: Record<string, string>) => {
    const found = await list(token, query)
    return [found.includes(first.id), found.includes(second.id)]
  }
  assert.deepEqual(await inBoth({ appId }), [true, true])
  assert.deepEqual(await inBoth({ appId: stranger.app.id }), [false, false])
  assert.deepEqual(await inBoth({ sessionId: second.sessionId }), [false, true])
  assert.deepEqual(await inBoth({ reason: 'client_id_is_app_id' }), [true, false])
  assert.deepEqual(await inBoth({ reason: 'secret_wrong' }), [false, false])
  assert.deepEqual(await inBoth({ state: 'opened' }), [true, true])
  assert.deepEqual(await inBoth({ state: 'ended' }), [false, false])
  assert.deepEqual(await inBoth({ to: between }), [true, false])
  const late = new Date(node.clock()).toISOString()
  assert.deepEqual(await inBoth({ from: late }), [false, true])
  const all = { appId, state: 'opened', reason: 'client_id_is_app_id', to: between }
  assert.deepEqual(await list(token, all), [first.id])
  for (const bad of [{ from: 'yesterday' }, { to: '2026-13-01T00:00:00Z' }, { state: 'gone' }]) {
    const url = `/api/launches?${new URLSearchParams(bad)}`
    assert.equal((await call(token, 'GET', url)).statusCode, 400)
  }
})

test('pages through a union of own launches and those of apps without a gap', async () => {
  const { token } = practice.people.accountAdmin
  const expected = await list(token, { limit: '200' })
  assert.ok(expected.length >= 4)
  const found: string[] = []
  let cursor = ''
  do {
    const url = `/api/launches?limit=2${cursor && `&cursor=${cursor}`}`
    const answer = await call(token, 'GET', url)
    assert.ok(answer.headers.etag)
    found.push(...answer.json().items.map(({ id }: Launch) => id))
    cursor = answer.json().nextCursor ?? ''
  } while (cursor)
  assert.deepEqual(found, expected)
})

test('lists and counts launches from one moment on, and before another', async () => {
  const { id, sessionId } = await launchIn(practice)
  const { token } = practice.people.provider
  const at = new Date(node.clock()).toISOString()
  assert.deepEqual(await list(token, { sessionId, from: at }), [id])
  assert.deepEqual(await list(token, { sessionId, to: at }), [])
  const near = (ms: number) => new Date(node.clock() + ms).toISOString()
  for (const [from, to, count] of [
    [near(-600_000), near(600_000), 1],
    [near(1), near(600_000), 0],
    [near(-600_000), at, 0],
  ] as const) {
    assert.equal((await list(token, { sessionId, from, to })).length, count)
    const summary = new URLSearchParams({ sessionId, from, to })
    const answer = (await call(token, 'GET', `/api/launches/summary?${summary}`)).json()
    assert.deepEqual([answer.launches, answer.from, answer.to], [count, from, to])
  }
})

test('groups failures by reason, step and app, counted by launch', async () => {
  const launches = [await launchIn(stranger), await launchIn(stranger)]
  for (const { launchId } of launches) {
    for (let i = 0; i < 3; i++) {
      node.clock.advance(1)
      await failWith(stranger, launchId, { redirect_uri: 'https://wrong.example/' })
    }
  }
  const causesFor = async (token: string, query = '') => {
    const answer = await call(token, 'GET', `/api/launches/causes${query}`)
    const { items, launches, isCapped } = answer.json()
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual([launches, isCapped], [items.length === 0 ? 0 : 2, false])
    return items
  }
  const { developer, accountAdmin, provider } = stranger.people
  for (const { token } of [developer, accountAdmin, provider]) {
    const [cause, ...others] = await causesFor(token)
    assert.deepEqual(others, [])
    const { reason, step, app, count, exampleLaunchId } = cause
    assert.deepEqual(
      [reason, step, app.id, count, exampleLaunchId],
      ['redirect_uri_unregistered', 'authorize', stranger.app.id, 2, launches[1]?.id],
    )
    assert.ok(Date.parse(cause.lastAt) > Date.parse(cause.firstAt))
  }
  const hers = await causesFor(practice.people.developer.token)
  assert.equal(JSON.stringify(hers).includes(stranger.app.id), false)
  assert.deepEqual(await causesFor(developer.token, '?reason=secret_wrong'), [])
  assert.deepEqual(await causesFor(developer.token, '?to=2020-01-01T00:00:00Z'), [])
  const inDays = (days: number) => new Date(node.clock() + days * 24 * 3_600_000).toISOString()
  assert.equal((await causesFor(developer.token, `?to=${inDays(6)}`)).length, 1)
  assert.deepEqual(await causesFor(developer.token, `?to=${inDays(8)}`), [], 'of a week at most')
})

test('tells apart what the host reported and what a page lacked, by code', async () => {
  const vendor = await createFixture(node)
  const { id } = await launchIn(vendor)
  const failures = [
    ['page_not_opened', 'host_not_admitted'],
    ['page_not_opened', 'connection_refused'],
    ['host_reported', 'HANDSHAKE_TIMEOUT'],
    ['launch_expired', 'access_denied'],
  ] as const
  for (const [reason, code] of failures) {
    await insertLaunchFailure(node.service.db, {
      ...{ id: newId('evt', node.clock(), node.service.randomness), launchId: id },
      ...{
        step: 'handshake',
        reason,
        code,
        detail: undefined,
        traceId: '',
        failedAt: node.clock(),
      },
    })
  }
  const { token } = vendor.people.developer
  const { items } = (await call(token, 'GET', '/api/launches/causes')).json()
  const shown = items.map(({ reason, code, cause }: Record<string, string>) => [
    reason,
    code,
    cause,
  ])
  const wanted = failures.map(([reason, code]) => [
    reason,
    reason === 'launch_expired' ? undefined : code,
    reason === 'page_not_opened' ? FINDINGS[code as FindingCode].cause : REASONS[reason].cause,
  ])
  assert.deepEqual(shown.toSorted(), wanted.toSorted())
})

test('makes one cause of what hit many apps, with those that the caller sees [P01]', async () => {
  const vendors = [await createFixture(node), await createFixture(node)] as const
  for (const vendor of vendors) {
    await failWith(vendor, (await launchIn(vendor)).launchId, {
      redirect_uri: 'https://x.example/',
    })
  }
  const query = '/api/launches/causes?reason=redirect_uri_unregistered'
  const appsFor = async (token: string) => {
    const { items } = (await call(token, 'GET', query)).json()
    assert.equal(items.length, 1)
    return items[0].apps.map(({ app }: { app: { id: string } }) => app.id)
  }
  const [first, second] = vendors
  const all = await appsFor(first.people.platformAdmin.token)
  assert.ok(all.includes(first.app.id) && all.includes(second.app.id))
  for (const { app, people } of vendors) {
    for (const { token } of [people.developer, people.accountAdmin]) {
      assert.deepEqual(await appsFor(token), [app.id])
    }
  }
})

test('names twenty apps of a cause, and counts them all', async () => {
  const vendor = await createFixture(node)
  const { id } = await launchIn(vendor)
  const { db, randomness } = node.service
  const made = Array.from({ length: 25 }, () => ({
    id: newIdIn(partOf(vendor.accountId), 'lau', node.clock(), randomness),
    app: newId('app', node.clock(), randomness),
  }))
  await db.write(
    ...made.map(
      (
        one,
      ) => sql`INSERT INTO launches (id, part, launch_hash, app_id, client_id, kind, session_id, sign_in_id,
          context, created_at, expires_at, app_disabled_count)
        SELECT ${one.id}, part, '', ${one.app}, client_id, kind, session_id, sign_in_id,
          context, created_at, expires_at, 0 FROM launches WHERE id = ${id}`,
    ),
  )
  for (const one of made) {
    await insertLaunchFailure(db, {
      ...{ id: newId('evt', node.clock(), randomness), launchId: one.id, step: 'exchange' },
      ...{ reason: 'secret_wrong', code: 'invalid_client', detail: undefined, traceId: '' },
      failedAt: node.clock(),
    })
  }
  const { token } = vendor.people.accountAdmin
  const query = `accountId=${vendor.accountId}&practiceId=${vendor.accountId}`
  const { items } = (await call(token, 'GET', `/api/launches/causes?${query}`)).json()
  const [{ apps, appCount, count }] = items
  assert.deepEqual([items.length, apps.length, appCount, count], [1, 20, 25, 25])
})

test('filters by state and outcome exactly as the timeline decides them', async () => {
  const { db } = node.service
  const now = node.clock()
  const times = [null, now - 1000, now, now + 1000]
  const cutoff = livenessCutoff(now, 600)
  const idle = 600_000
  // A live sign-in, and sign-ins that have ended, were idle or had expired at times around now.
  const signIns = [
    [null, now, now + 5000],
    [now - 1500, now - 5000, now + 5000],
    [now - 500, now - 5000, now + 5000],
    [null, now - idle - 1500, now + 5000],
    [null, now - idle - 500, now + 5000],
    [null, now - 5000, now - 1500],
    [null, now - 5000, now],
  ] as const
  let made = 0
  const statements: Statement[] = signIns.map(
    ([endedAt, seenAt, expiresAt], i) => sql`INSERT INTO ehr_sessions (id, part, sign_in_id,
        user_id, account_id, ehr_type, device_id, apps, created_at, signed_in_at, last_seen_at, expires_at,
        ended_at)
      VALUES (${`ses_state${i}`}, 1, '', '', '', '', '', '[]', 0, 0, ${seenAt}, ${expiresAt},
        ${endedAt})`,
  )
  for (let code = 0; code < 2 ** 5 * 2 * signIns.length; code++) {
    const session = `ses_state${code >> 6}`
    // Every combination of columns that are set, before and after now.
    const at = (bit: number) => (code & (1 << bit) ? (times[1 + ((code + bit) % 3)] ?? null) : null)
    const expiresAt = code & 32 ? now + 1000 : now
    statements.push(sql`INSERT INTO launches (id, part, launch_hash, app_id, client_id, kind, session_id,
        sign_in_id, context, app_disabled_count, created_at, expires_at, authorized_at, code_spent_at,
        token_expires_at, token_revoked_at, ended_at, context_at, failure_count)
      VALUES (${`lau_state${String(made++).padStart(17, '0')}`}, 1, '', 'app_states', '', 'ui',
        ${session}, '', '{}', 0, 0, ${expiresAt}, ${at(0)}, ${at(1)}, ${at(2)}, ${at(3)}, ${at(4)},
        ${code % 3 === 0 ? now : null}, ${[0, 2][code % 4] ?? 1})`)
  }
  await db.write(...statements)
  const all = (await db.read(sql`${SELECT_LAUNCHES} WHERE l.app_id = 'app_states'`)).map(launchOf)
  const states: LaunchState[] = ['opened', 'authorized', 'exchanged', 'ended', 'expired']
  for (const state of states) {
    const found = await db.read(
      sql`SELECT l.id FROM launches l WHERE l.app_id = 'app_states' AND ${hasState(state, cutoff)}`,
    )
    const expected = all.filter((launch) => decideLaunchState(launch, cutoff) === state)
    assert.ok(expected.length > 0, state)
    assert.deepEqual(found.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort(), state)
  }
  for (const outcome of LAUNCH_OUTCOMES) {
    const found = await db.read(sql`SELECT l.id FROM launches l
      WHERE l.app_id = 'app_states' AND ${hasOutcome(outcome, cutoff)}`)
    const expected = all.filter((launch) => decideLaunchOutcome(launch, cutoff) === outcome)
    assert.ok(expected.length > 0, outcome)
    assert.deepEqual(found.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort(), outcome)
  }
})
