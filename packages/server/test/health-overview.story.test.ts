// The overview "Is it well?": counts of launches, what does not open and since when, changes; and that a practice, a
// vendor and the platform each get their own. Contract §16, security P01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { backgroundJobs } from '../src/jobs/jobs.ts'
import { partOf } from '../src/kernel/partitions.ts'
import { countLaunchesByTime } from '../src/launches/health/launch-counting.ts'
import { EHR } from './account-fixture.ts'
import { type PracticeWithVendor, startPracticeWithVendor } from './practice-fixture.ts'

const DAY_MS = 24 * 60 * 60_000

let at: PracticeWithVendor
before(async () => {
  at = await startPracticeWithVendor()
  await makeReady(3)
  for (let i = 0; i < 4; i += 1) await at.exchange(await at.launch(), { client_secret: 'cs_wrong' })
  assert.equal(await count(), true)
})
after(() => at.node.close())

const count = () => countLaunchesByTime(at.node.service)

async function makeReady(seconds: number) {
  const launch = await at.launch()
  await at.report(launch, 'opened')
  assert.equal((await at.exchange(launch)).statusCode, 200)
  at.node.clock.advance(seconds)
  await at.report(launch, 'handshake', 'context')
}

const ask = (token: string, query: string) => at.call(token, 'GET', `/api/health/overview?${query}`)

const read = async (token: string, query: string) => {
  const answer = await ask(token, query)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

test('says what does not open, since when, where and why', async () => {
  const { accountAdmin, platformAdmin } = at.practice.people
  const { developer } = at.vendor.people
  const asked = [
    [accountAdmin, at.practice.accountId],
    [developer, at.vendor.accountId],
    [platformAdmin, ''],
  ] as const
  for (const [who, accountId] of asked) {
    const query = accountId === '' ? 'hours=1' : `hours=1&accountId=${accountId}`
    const overview = await read(who.token, query)
    const [incident, none] = overview.incidents
    assert.equal(none, undefined)
    assert.deepEqual(
      [incident.app.id, incident.isNow, incident.failed, incident.launches, incident.practices],
      [at.vendor.app.id, true, 4, 5, 1],
    )
    assert.equal(incident.reason, 'secret_wrong')
    assert.deepEqual(overview.figures.readyShare, { value: 0.2, usual: null })
    assert.deepEqual(overview.figures.practices, { value: 1, usual: null })
    const [worst] = overview.practices
    assert.deepEqual(
      [worst.practice.id, worst.failed, worst.worstApp.name],
      [at.practice.accountId, 4, 'Notes'],
    )
    assert.equal(overview.slots.length, 12)
    const sum = overview.slots.reduce((all: number, one: { failed: number }) => all + one.failed, 0)
    assert.equal(sum, 4)
    const [app] = overview.apps
    assert.deepEqual(
      [app.app.id, app.failed, app.worstPractice.id],
      [at.vendor.app.id, 4, at.practice.accountId],
    )
    const shares = worst.readyShares.filter((share: number | null) => share !== null)
    assert.deepEqual([worst.readyShares.length, shares], [12, [0.2]])
    assert.deepEqual(app.readyShares, worst.readyShares)
  }
})

test('shows the parts of the service to the platform alone, and when they are due', async () => {
  const { accountAdmin, platformAdmin } = at.practice.people
  const parts = async () => {
    const { service } = await read(platformAdmin.token, 'hours=1')
    return new Map<string, { state: string; at: string | null; nextAt: string | null }>(
      service.map(({ name, ...part }: { name: string }) => [name, part]),
    )
  }
  assert.equal((await parts()).get('keys')?.state, 'bad', 'no successor is published')
  for (const { name, run } of backgroundJobs(at.node.service)) {
    if (name === 'keys') await run(AbortSignal.timeout(10_000))
  }
  const well = await parts()
  assert.deepEqual([...well.keys()], ['database', 'backup', 'sweep', 'jobs', 'keys', 'mail'])
  const now = at.node.clock()
  const [jobs, keys] = [well.get('jobs'), well.get('keys')]
  assert.equal(jobs?.state, 'good')
  assert.ok(Date.parse(jobs?.nextAt ?? '') > now - 60_000)
  assert.equal(keys?.state, 'good')
  assert.ok(Date.parse(keys?.at ?? '') <= now && Date.parse(keys?.nextAt ?? '') > now)
  await at.node.service.db.write(
    sql`INSERT INTO leases (name, due_at) VALUES ('a job that stands still', ${now - 60 * 60_000})`,
  )
  assert.equal((await parts()).get('jobs')?.state, 'bad')
  await at.node.service.db.write(sql`DELETE FROM leases WHERE name = 'a job that stands still'`)
  assert.deepEqual((await read(accountAdmin.token, 'hours=1')).service, [])
})

test('counts refused sign-ins for those who administer, beside the usual number [P01]', async () => {
  const { node, practice, vendor } = at
  const { accountAdmin, platformAdmin, provider } = practice.people
  const refusedOf = async (token: string, query = '') =>
    (await read(token, `hours=1${query}`)).figures.refusedSignIns
  const guess = async (email: string) => {
    const payload = { email, password: 'a wrong password' }
    const answer = await node.server.inject({ method: 'POST', url: '/auth/sign-in', payload })
    assert.equal(answer.statusCode, 401, answer.body)
  }
  const before = await refusedOf(platformAdmin.token)
  await guess(`${provider.id}@test.example`)
  await guess('a-stranger@test.example')
  const inPractice = `&accountId=${practice.accountId}`
  assert.equal((await refusedOf(platformAdmin.token)).value, before.value + 2)
  assert.deepEqual(await refusedOf(accountAdmin.token, inPractice), { value: 1, usual: null })
  const { developer } = vendor.people
  const ofVendor = await refusedOf(developer.token, `&accountId=${vendor.accountId}`)
  assert.deepEqual(ofVendor, { value: null, usual: null })
  await node.service.db.write(
    ...[1, 2, 3, 4].map(
      (days) => sql`INSERT INTO refused_sign_ins (part, account_id, at, refused)
        VALUES (${partOf(practice.accountId)}, ${practice.accountId},
          ${node.clock() - days * DAY_MS - (node.clock() % 300_000)}, ${days * 2})`,
    ),
  )
  assert.deepEqual(await refusedOf(accountAdmin.token, inPractice), { value: 1, usual: 4 })
})

test('shows a practice its versions, and a vendor its own secrets [P01]', async () => {
  const { accountAdmin, platformAdmin } = at.practice.people
  const { node, practice, vendor } = at
  const url = `/api/apps/${vendor.app.id}/secrets`
  const { token } = vendor.people.developer
  await at.call(token, 'DELETE', `${url}/${vendor.secretId}`)
  node.clock.advance(60)
  const kinds = async (who: string, accountId: string) => {
    const { changes } = await read(who, `hours=24&accountId=${accountId}`)
    return [...new Set(changes.map(({ kind }: { kind: string }) => kind))]
  }
  assert.deepEqual(await kinds(accountAdmin.token, practice.accountId), ['version_published'])
  assert.deepEqual(await kinds(token, vendor.accountId), ['secret_retired', 'version_published'])
  const everything = await read(platformAdmin.token, 'hours=24')
  const published = everything.changes.filter(
    ({ kind }: { kind: string }) => kind === 'version_published',
  )
  assert.ok(published.length > 2)
})

test('compares with the same hours of the days before', async () => {
  const { node, practice, vendor } = at
  const now = node.clock()
  const yesterday = now - DAY_MS - (now % 300_000)
  await node.service.db.write(
    sql`INSERT INTO launch_counts (part, account_id, app_id, at, ready_within_ms, launches, failed)
      VALUES (${partOf(practice.accountId)}, ${practice.accountId}, ${vendor.app.id},
        ${yesterday}, 1400, 30, 0)`,
  )
  const { figures } = await read(practice.people.platformAdmin.token, 'hours=1')
  assert.deepEqual(figures.launches, { value: 5, usual: 30 })
  assert.deepEqual(figures.readyShare, { value: 0.2, usual: 1 })
  assert.equal(figures.mostWithinMs.usual, 1400)
  assert.ok(figures.mostWithinMs.value >= 3000)
})

test('shows nothing of another account, and nothing to a provider [P01]', async () => {
  const { node, practice, vendor } = at
  const { otherAdmin, provider } = practice.people
  assert.equal((await ask(otherAdmin.token, `accountId=${practice.accountId}`)).statusCode, 404)
  assert.equal((await ask(provider.token, `accountId=${practice.accountId}`)).statusCode, 403)
  assert.equal((await ask(provider.token, '')).statusCode, 403)
  for (const query of ['hours=168', 'hours=24']) {
    const foreign = await read(otherAdmin.token, query)
    assert.deepEqual(
      [foreign.figures.launches.value, foreign.practices, foreign.incidents, foreign.changes],
      [0, [], [], []],
    )
    assert.ok(!JSON.stringify(foreign).includes(vendor.app.id))
  }
  node.clock.advance(60)
  assert.equal(await count(), true)
  assert.equal(await count(), false)
})

test('names who runs a published version to those who see them [P01]', async () => {
  const { practice, vendor } = at
  const { accountAdmin, platformAdmin } = practice.people
  const { collectionId } = vendor
  const change = async (token: string, method: 'PATCH' | 'POST', path: string, body: object) => {
    const answer = await at.call(token, method, `/api/${path}`, body)
    assert.ok(answer.statusCode < 300, answer.body)
  }
  const publish = async () => {
    at.node.clock.advance(1)
    const draft = { ehrs: [EHR], apps: [{ appId: vendor.app.id, autoLaunch: true }] }
    const owner = vendor.people.accountAdmin.token
    await change(owner, 'PATCH', `collections/${collectionId}`, { draft })
    await change(owner, 'POST', `collections/${collectionId}/versions`, {})
  }
  const run = (version: number | 'latest') =>
    change(platformAdmin.token, 'PATCH', `accounts/${practice.accountId}`, {
      collection: { id: collectionId, version },
    })
  const takenOf = async ({ token }: { token: string }, accountId?: string) => {
    const query = accountId === undefined ? 'hours=1' : `hours=1&accountId=${accountId}`
    const { changes } = await read(token, query)
    return changes.find(({ what }: { what: { id: string } }) => what.id === collectionId)?.taken
  }
  await run(1)
  await publish()
  const { name } = (
    await at.call(platformAdmin.token, 'GET', `/api/accounts/${practice.accountId}`)
  ).json()
  const older = [{ practice: { id: practice.accountId, name }, version: 1 }]
  assert.deepEqual(await takenOf(platformAdmin), { by: 0, of: 1, older })
  assert.deepEqual(await takenOf(accountAdmin, practice.accountId), { by: 0, of: 1, older })
  const { developer } = vendor.people
  assert.deepEqual(await takenOf(developer, vendor.accountId), { by: 0, of: 1, older: [] })
  assert.equal(await takenOf(practice.people.otherAdmin), undefined)
  await run('latest')
  assert.deepEqual(await takenOf(developer, vendor.accountId), { by: 1, of: 1, older: [] })
})
