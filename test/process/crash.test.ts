// Kills the real service with SIGKILL under load, at a random moment, starts it again on the same
// data directory and holds it to everything that it had acknowledged: nothing is lost, and no code
// is redeemed twice. Repeat a run with CHARTSIDE_TEST_SEED. Security C05, C09, F02.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Facts, seededNumbers, startLoad } from './launch-load.ts'
import { ADMIN, startService } from './service-process.ts'
import { api, exchange, isActive, type Practice, sendJson, setUpPractice } from './story-verbs.ts'

const ROUNDS = 5
const LOAD_MS = { least: 150, most: 900 }
const CHECKS_IN_FLIGHT = 16

const seed = Number(process.env.CHARTSIDE_TEST_SEED ?? Math.floor(Math.random() * 1e9))
const dataDir = mkdtempSync(join(tmpdir(), 'chartside-crash-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

test(`SIGKILL under load loses nothing acknowledged and redeems no code twice [C05, C09, F02]`, async () => {
  const random = seededNumbers(seed)
  const totals = { launches: 0, held: 0, redeemed: 0, revoked: 0, apps: 0, cut: 0 }
  let unknown = 0
  let unknownSpent = 0
  // A long code life, so that a slow machine does not expire what is still to be checked.
  const options = { dataDir, environment: { CHARTSIDE_CODE_LIFETIME_SECONDS: '600' } }
  let service = await startService(options)
  try {
    const practice = await setUpPractice(service.baseUrl, ADMIN)
    for (let round = 1; round <= ROUNDS; round++) {
      const load = startLoad(practice, seed + round)
      await sleep(LOAD_MS.least + random() * (LOAD_MS.most - LOAD_MS.least))
      const ending = await service.end('SIGKILL')
      assert.equal(ending.signal, 'SIGKILL', `it had already ended: ${service.output()}`)
      const facts = await load.stop()
      service = await startService({ ...options, port: service.port })

      assert.deepEqual(facts.surprises, [], 'answers under load')
      assert.deepEqual(await listBrokenPromises(practice, facts), [], `round ${round}`)
      const spent = await countSpentOfUnknown(practice, facts.unknownCodes)
      unknown += facts.unknownCodes.length
      unknownSpent += spent
      totals.launches += facts.launches.length
      totals.held += facts.heldCodes.length
      totals.redeemed += facts.redeemed.length
      totals.revoked += facts.revokedTokens.length
      totals.apps += facts.apps.length
      totals.cut += facts.cutRequests
    }
    assert.deepEqual(await listBrokenPromises(practice, inventedFacts(practice)), INVENTED_BREAKS)
  } finally {
    await service.discard()
  }
  console.log(`seed ${seed}, ${ROUNDS} kills, acknowledged and checked:`, totals)
  console.log(`exchanges cut off: ${unknown}; of these committed before the kill: ${unknownSpent}`)
  assert.ok(totals.launches > 50 && totals.redeemed > 20 && totals.held > 5 && totals.apps > 5)
  assert.ok(totals.cut >= ROUNDS * 8, 'the kills came while requests were in flight')
})

/** Every fact that the restarted service does not stand by, in words. */
async function listBrokenPromises(practice: Practice, facts: Facts): Promise<string[]> {
  const broken: string[] = []
  const check = async <T>(
    items: readonly T[],
    isKept: (item: T) => Promise<string | undefined>,
  ) => {
    const results = await inTurns(items, isKept)
    broken.push(...results.filter((result) => result !== undefined))
  }
  await check(facts.launches, async ({ id, launchId }) => {
    const byId = await api(practice, 'GET', `/api/launches/${id}`)
    const held = await api(practice, 'GET', `/api/launches?launch_id=${launchId}`)
    const isFound = byId.status === 200 && (held.body.items as unknown[])?.length === 1
    return isFound ? undefined : 'a launch is lost'
  })
  await check(facts.heldCodes, async (code) => {
    const answers = await Promise.all([exchange(practice, code), exchange(practice, code)])
    const statuses = answers.map(({ status }) => status).sort()
    const isOnce = String(statuses) === '200,400' && isRefused(await exchange(practice, code))
    return isOnce ? undefined : `a code that was never sent to token answered ${statuses}`
  })
  await check(facts.redeemed, async ({ code, accessToken }) => {
    if (!(await isActive(practice, accessToken))) return 'an issued access token is dead'
    if (!isRefused(await exchange(practice, code))) return 'a redeemed code was taken again'
    return (await isActive(practice, accessToken)) ? 'a replay left the token alive' : undefined
  })
  await check(facts.revokedTokens, async (token) =>
    (await isActive(practice, token)) ? 'a revoked token is alive again' : undefined,
  )
  await check(facts.apps, async (app) => {
    const found = await api(practice, 'GET', `/api/apps/${app.id}`)
    if (found.status !== 200 || found.body.clientId !== app.clientId) return 'an app is lost'
    const { clientId: client_id, secret: client_secret } = app
    const credentials = { token: 'at_any', client_id, client_secret }
    const { status } = await sendJson(practice.baseUrl, '/app-auth/introspect', credentials)
    const isRetired = facts.retired.includes(app)
    if (status === (isRetired ? 401 : 200)) return undefined
    // The retirement of a secret may have been cut off; then both outcomes are honest.
    const mayBeRetired = app === facts.apps.at(-1) && status === 401
    return mayBeRetired ? undefined : `a secret answers ${status}, retired: ${isRetired}`
  })
  return broken
}

const isRefused = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  status === 400 && body.error === 'invalid_grant'

/** A cut exchange was committed or not; whichever it was, its code buys at most one answer. */
async function countSpentOfUnknown(practice: Practice, codes: readonly string[]): Promise<number> {
  const counts: number[] = await inTurns(codes, async (code) => {
    const answers = await Promise.all([exchange(practice, code), exchange(practice, code)])
    const good = answers.filter(({ status }) => status === 200).length
    assert.ok(answers.every((answer) => answer.status === 200 || isRefused(answer)))
    assert.ok(good <= 1, 'a code whose exchange was cut off was redeemed twice')
    return good
  })
  return counts.filter((good) => good === 0).length
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += CHECKS_IN_FLIGHT) {
    results.push(...(await Promise.all(items.slice(at, at + CHECKS_IN_FLIGHT).map(work))))
  }
  return results
}

/** Promises that nobody made: the checks must notice that they are not kept. */
function inventedFacts({ app }: Practice): Facts {
  const row = '0'.repeat(22)
  const secret = 'A'.repeat(43)
  return {
    launches: [{ id: `lau_${row}`, launchId: `lnch_${row}${secret}` }],
    heldCodes: [`code_${row}${secret}`],
    redeemed: [{ code: `code_${row}${secret}`, accessToken: `at_${row}${secret}` }],
    revokedTokens: [],
    unknownCodes: [],
    apps: [{ ...app, id: `app_${row}` }],
    retired: [],
    cutRequests: 0,
    surprises: [],
  }
}

const INVENTED_BREAKS = [
  'a launch is lost',
  'a code that was never sent to token answered 400,400',
  'an issued access token is dead',
  'an app is lost',
]
