// Lists of launches with a million launches in the database: what each caller of the Launch Inspector waits for,
// on SQLite, or on PostgreSQL in 16 hash partitions (CHARTSIDE_TEST_ENGINE=postgres). Prints every time.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../packages/server/src/db/sql.ts'
import { insertMemberStatement } from '../../packages/server/src/members/member-store.ts'
import { type Actor, createFixture, person } from '../../packages/server/test/account-fixture.ts'
import { startTestService, type TestService } from '../../packages/server/test/test-service.ts'
import { type FilledRows, fillLaunches } from './launch-rows.ts'

const LAUNCHES = Number(process.env.CHARTSIDE_PERF_LAUNCHES ?? 1_000_000)
const LIMIT_MS = 1000
const DAY_MS = 86_400_000

let node: TestService
let rows: FilledRows
let appId: string
let accountId: string
let callers: Record<'platform' | 'practice' | 'small' | 'person' | 'developer' | 'vendor', Actor>
before(async () => {
  node = await startTestService()
  const fixture = await createFixture(node)
  const begun = performance.now()
  rows = await fillLaunches(node, fixture, LAUNCHES)
  console.log(`${LAUNCHES} launches in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  const { service, clock } = node
  const join = async (account: string, role: 'admin' | 'developer', name: string) => {
    const { actor, statements } = person(node, 'member', name)
    await service.db.write(...statements, insertMemberStatement(account, actor.id, role, clock()))
    return actor
  }
  const { people } = fixture
  appId = fixture.app.id
  accountId = fixture.accountId
  callers = {
    platform: people.platformAdmin,
    practice: people.accountAdmin,
    small: await join(rows.smallPracticeId, 'admin', 'Small'),
    person: people.provider,
    developer: people.developer,
    vendor: await join(rows.vendorId, 'developer', 'Vendor'),
  }
})
after(() => node.close())

test('answers every list of the Launch Inspector within a second', async () => {
  const ago = (ms: number) => new Date(node.clock() - ms).toISOString()
  const day = ago(DAY_MS)
  const week = ago(7 * DAY_MS)
  const [middle] = await node.service.db.read(
    sql`SELECT id FROM launches WHERE created_at < ${node.clock() - 3 * DAY_MS} ORDER BY id DESC LIMIT 1`,
  )
  const paths = [
    'launches?limit=50',
    `launches?limit=50&from=${day}`,
    `launches?limit=50&from=${week}&cursor=${middle?.id}`,
    ...['failed', 'opening', 'ready', 'ended'].map(
      (outcome) => `launches?limit=50&from=${week}&outcome=${outcome}`,
    ),
    `launches?limit=50&from=${week}&appId=${appId}`,
    `launches?limit=50&from=${week}&appId=app_00perf10007`,
    `launches?limit=50&from=${week}&reason=secret_retired`,
    `launches?limit=50&from=${week}&reason=host_reported&outcome=failed&appId=${appId}`,
    'launches?limit=50&traceId=none',
    ...[ago(3_600_000), day, week].flatMap((from) => [
      `launches/summary?from=${from}`,
      `launches/causes?from=${from}`,
    ]),
    `launches/summary?from=${week}&reason=secret_retired`,
    'sessions?limit=50&state=live',
    'sessions?limit=50&state=ended',
    'sessions?limit=50',
  ]
  const slow: string[] = []
  const measure = async (who: keyof typeof callers, path: string) => {
    const headers = { authorization: `Bearer ${callers[who].token}` }
    const times: number[] = []
    let status = 0
    for (let turn = 0; turn < 3; turn++) {
      const begun = performance.now()
      const answer = await node.server.inject({ url: `/api/${path}`, headers })
      times.push(performance.now() - begun)
      status = answer.statusCode
      // One slow answer is enough to know.
      if (status !== 200 || (times[0] ?? 0) > 3 * LIMIT_MS) break
    }
    const [best = 0] = times.toSorted((a, b) => a - b)
    const text = `${String(Math.round(best)).padStart(6)} to ${Math.round(Math.max(...times))} ms  ${status === 200 ? '' : `${status} `}${who} ${path}`
    console.log(text)
    if (status !== 200 || best > LIMIT_MS) slow.push(text)
  }
  const of: Record<keyof typeof callers, string> = {
    ...{ platform: '', practice: accountId, small: rows.smallPracticeId },
    ...{ person: '', developer: accountId, vendor: rows.vendorId },
  }
  for (const [who, account] of Object.entries(of) as [keyof typeof callers, string][]) {
    for (const path of paths) {
      const scope = account && `${path.includes('?') ? '&' : '?'}accountId=${account}`
      await measure(who, path + scope)
    }
  }
  await measure('developer', `apps/${appId}/health`)
  await measure('vendor', 'apps/app_00perf10007/health')
  assert.deepEqual(slow, [])
})
