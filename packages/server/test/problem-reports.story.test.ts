// Problem reports: a member sends one to the administrators of the account, with a launch of their own, and
// learns nothing about records of others by it. Contract §11, security P01, V01, V34.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_PROBLEM_REPORTS } from '../src/accounts/problem-report-store.ts'
import { sql } from '../src/db/sql.ts'
import { deleteBatch } from '../src/jobs/sweep-store.ts'
import { newId } from '../src/kernel/identifiers.ts'
import { partOf } from '../src/kernel/partitions.ts'
import { deleteMember } from '../src/members/member-store.ts'
import { type PracticeWithVendor, startPracticeWithVendor } from './practice-fixture.ts'

const DAY = 24 * 3600
const LINE = 'Die Notiz lädt nicht – seit 9:12.'

let at: PracticeWithVendor
before(async () => {
  at = await startPracticeWithVendor()
})
after(() => at.node.close())

interface Report {
  readonly id: string
  readonly userId: string
  readonly userName: string
  readonly message?: string
  readonly app?: { readonly id: string; readonly name: string }
  readonly launchId?: string
}

const pathOf = (accountId = at.practice.accountId) => `/api/accounts/${accountId}/problem-reports`

const send = (token: string, body: object, accountId?: string) =>
  at.call(token, 'POST', pathOf(accountId), body)

async function sent(token: string, body: object): Promise<Report> {
  const answer = await send(token, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json()
}

async function list(query = ''): Promise<Report[]> {
  const { token } = at.practice.people.accountAdmin
  const answer = await at.call(token, 'GET', `${pathOf()}?${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().items
}

/** Another hour, in which no user becomes idle: the limit of each user begins again. */
async function waitAnHour() {
  for (let i = 0; i < 3; i++) {
    at.node.clock.advance(1201)
    for (const { token } of Object.values(at.practice.people)) {
      await at.call(token, 'POST', '/api/users/me/activity')
    }
  }
}

test('shows a report of a member to the administrators of the account only', async () => {
  const launch = await at.launch()
  const { provider, developer, accountAdmin, platformAdmin, otherAdmin } = at.practice.people
  const traceId = '4bf92f3577b34da65f0c2d7e9b1a4c68'
  const versions = { host: '1.4.0', sdk: '1.2.0', browser: 'Chromium 156 (Linux)' }
  const body = { message: LINE, launchId: launch.id, traceId, versions }
  const report = await sent(provider.token, body)
  const app = { id: at.vendor.app.id, name: 'Notes' }
  const { id, createdAt } = report as Report & { createdAt: string }
  const expected = { id, userId: provider.id, userName: 'Provider', createdAt, ...body, app }
  assert.deepEqual(report, expected)
  assert.deepEqual((await list())[0], expected)
  for (const { token } of [accountAdmin, platformAdmin]) {
    assert.equal((await at.call(token, 'GET', pathOf())).statusCode, 200)
  }
  for (const { token } of [provider, developer]) {
    assert.equal((await at.call(token, 'GET', pathOf())).statusCode, 403)
  }
  for (const { token } of [otherAdmin, at.vendor.people.accountAdmin]) {
    assert.equal((await at.call(token, 'GET', pathOf())).statusCode, 404)
    assert.equal((await send(token, { message: LINE })).statusCode, 404)
  }
})

test('answers the same for a launch of another as for one that does not exist [P01]', async () => {
  const { developer, provider } = at.practice.people
  const launch = await at.launch()
  const unknown = `${launch.id.slice(0, -4)}0000`
  const foreign = await sent(developer.token, { message: 'Mine', launchId: launch.id })
  const none = await sent(developer.token, { message: 'Mine', launchId: unknown })
  assert.deepEqual({ ...foreign, id: '' }, { ...none, id: '' })
  assert.deepEqual([foreign.launchId, foreign.app], [undefined, undefined])
  // The own launch, in the name of another account of the same person.
  const { otherAccountId } = at.practice
  assert.equal(
    (await send(provider.token, { launchId: launch.id }, otherAccountId)).statusCode,
    404,
  )
  const { platformAdmin } = at.practice.people
  const elsewhere = await send(platformAdmin.token, { launchId: launch.id }, otherAccountId)
  assert.deepEqual(
    [elsewhere.statusCode, elsewhere.json().launchId, elsewhere.json().app],
    [201, undefined, undefined],
  )
})

test('names an app without a launch when a session of the caller has it', async () => {
  await at.launch()
  const { provider, developer } = at.practice.people
  const appId = at.vendor.app.id
  assert.equal((await sent(provider.token, { appId })).app?.name, 'Notes')
  // Neither who has no session with it, nor an app that runs elsewhere, nor a pattern of the database.
  assert.equal((await sent(developer.token, { appId })).app, undefined)
  assert.equal((await sent(provider.token, { appId: at.practice.app.id })).app, undefined)
  const pattern = `${appId.slice(0, -1)}_`
  assert.equal((await send(provider.token, { appId: pattern })).statusCode, 400)
})

test('refuses what is too long, unknown, of another form or has no place [V01] [V34]', async () => {
  await waitAnHour()
  const { token } = at.practice.people.provider
  const refused = [
    {},
    { message: '' },
    { message: '   ' },
    { message: 'x'.repeat(501) },
    { message: 'two\nlines' },
    { message: 'evil \u202egnp.exe' },
    { message: 'nul \0' },
    { message: ['x'] },
    { launchId: 'lnch_01jnye6xw8q2v5n0m4r7taZm9yLXRoaXMtZXhhbXBsZS1vbmx5LW5vdC1hLXNlY3Jl' },
    { launchId: "lau_' OR 1=1 --" },
    { traceId: 'https://ehr.example/patients/42' },
    { versions: { host: 'x'.repeat(65) } },
    { versions: { host: '<b>1</b>' } },
    { versions: { patient: '1' } },
    { message: LINE, chart: 'https://ehr.example/patients/42' },
    { message: LINE, userId: at.practice.people.accountAdmin.id },
  ]
  for (const body of refused) {
    const answer = await send(token, body)
    assert.equal(answer.statusCode, 400, JSON.stringify(body))
  }
  assert.equal((await send(token, { message: LINE, x: 'x'.repeat(20_000) })).statusCode, 413)
  const longest = await sent(token, { message: '😀'.repeat(250) })
  assert.equal(longest.message?.length, 500)
  const bearer = `at_${'a'.repeat(60)}`
  assert.equal((await sent(token, { message: `It says ${bearer}` })).message, 'It says at_…')
})

test('takes ten reports of a user in an hour, and those of others besides', async () => {
  await waitAnHour()
  const { developer, accountAdmin } = at.practice.people
  for (let i = 0; i < 10; i++) await sent(developer.token, { message: `Number ${i}` })
  const refused = await send(developer.token, { message: 'One more' })
  assert.equal(refused.statusCode, 429, refused.body)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  await sent(accountAdmin.token, { message: 'Of another' })
  await waitAnHour()
  await sent(developer.token, { message: 'One more' })
})

test('pages through the reports, newest first', async () => {
  const all = await list('limit=200')
  assert.deepEqual(
    all.map(({ id }) => id),
    all
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  )
  const found: Report[] = []
  for (let cursor = ''; ; ) {
    const { token } = at.practice.people.accountAdmin
    const answer = await at.call(token, 'GET', `${pathOf()}?limit=4&cursor=${cursor}`)
    found.push(...answer.json().items)
    cursor = answer.json().nextCursor
    if (cursor === null) break
  }
  assert.deepEqual(found, all)
  assert.ok(all.length > 10)
})

test('keeps the line out of the log and out of the audit trail [V11] [P06]', async () => {
  await waitAnHour()
  const { provider, accountAdmin } = at.practice.people
  const secret = 'Kittenberg is the name'
  await sent(provider.token, { message: secret })
  await list()
  const url = `/api/accounts/${at.practice.accountId}/audit-events`
  const { items } = (await at.call(accountAdmin.token, 'GET', url)).json()
  const of = (action: string) =>
    items.find((event: { action: string }) => event.action === action) ?? assert.fail(action)
  assert.deepEqual(
    [of('sendProblemReport').actor, of('sendProblemReport').target],
    [provider.id, at.practice.accountId],
  )
  assert.equal(of('listProblemReports').actor, accountAdmin.id)
  assert.doesNotMatch(JSON.stringify(items), /Kittenberg/)
  assert.doesNotMatch(at.node.logText(), /Kittenberg/)
})

test('keeps the newest reports of an account, and those of others', async () => {
  const { db, randomness } = at.node.service
  const { accountId, people } = at.practice
  const part = partOf(accountId)
  const insert = (account: string, atMs: number) =>
    sql`INSERT INTO problem_reports (id, part, account_id, user_id, message, created_at)
      VALUES (${newId('rpt', atMs, randomness)}, ${part}, ${account}, ${people.provider.id}, 'Old',
        ${atMs})`
  const begin = at.node.clock() - 10_000
  const old = Array.from({ length: MAX_PROBLEM_REPORTS }, (_, i) => insert(accountId, begin + i))
  await db.write(...old, insert('acc_other', begin))
  await waitAnHour()
  const { id } = await sent(people.provider.token, { message: 'The newest' })
  const count = async (account: string) => {
    const [row] = await db.read(
      sql`SELECT COUNT(*) AS n, MAX(id) AS newest FROM problem_reports
        WHERE part = ${part} AND account_id = ${account}`,
    )
    return [Number(row?.n), row?.newest]
  }
  assert.deepEqual(await count(accountId), [MAX_PROBLEM_REPORTS, id])
  assert.equal((await count('acc_other'))[0], 1)
})

test('goes with its user, its member, its account and after thirty days [F06]', async () => {
  await waitAnHour()
  const { db } = at.node.service
  const { accountId, people } = at.practice
  const { provider, developer, platformAdmin } = people
  const launch = await at.launch()
  const { id } = await sent(provider.token, { message: 'With a launch', launchId: launch.id })
  await sent(developer.token, { message: 'Of a developer' })
  const find = async () => (await list('limit=200')).find((one) => one.id === id)
  assert.equal((await find())?.launchId, launch.id)
  const part = partOf(accountId)
  await db.write(sql`DELETE FROM launches WHERE part = ${part} AND id = ${launch.id}`)
  assert.deepEqual(
    [(await find())?.message, (await find())?.launchId],
    ['With a launch', undefined],
  )

  await db.write(sql`UPDATE users SET disabled_at = 1 WHERE id = ${provider.id}`)
  assert.equal(await find(), undefined, 'a disabled user is not shown')
  await db.write(sql`UPDATE users SET disabled_at = NULL WHERE id = ${provider.id}`)
  const rows = async (userId: string) =>
    (
      await db.read(
        sql`SELECT id FROM problem_reports WHERE part = ${part} AND account_id = ${accountId}
          AND user_id = ${userId}`,
      )
    ).length
  await deleteMember(db, accountId, developer.id, at.node.clock())
  assert.deepEqual([await rows(developer.id), (await rows(provider.id)) > 0], [0, true])

  const now = at.node.clock()
  const sweep = (atMs: number) =>
    deleteBatch(db, 'problem_reports', { after: '', createdBefore: now, limit: 5000, now: atMs })
  await sweep(now + 29 * DAY * 1000)
  assert.ok(await find(), 'however short the retention of launches is')
  await sweep(now + 31 * DAY * 1000)
  assert.equal(await rows(provider.id), 0)

  await sent(provider.token, { message: 'The last one' })
  const account = `/api/accounts/${accountId}`
  assert.equal((await at.call(platformAdmin.token, 'DELETE', account)).statusCode, 204)
  assert.equal(await rows(provider.id), 0)
})
