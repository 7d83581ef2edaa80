// Kills the real service with SIGKILL under load, at a random time, starts it again on the same data
// directory, and compares it with everything that it acknowledged. Repeat a run with
// CHARTSIDE_TEST_SEED. Security C05, C09, F02.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Facts, seededNumbers, startLoad } from './launch-load.ts'
import { ADMIN, startService } from './service-process.ts'
import { exchange, type Practice, setUpPractice } from './story-verbs.ts'
import { isRefused, listLostFacts, mapInBatches } from './verify-facts.ts'

const ROUNDS = 5
const LOAD_MS = { least: 150, most: 900 }

const seed = Number(process.env.CHARTSIDE_TEST_SEED ?? Math.floor(Math.random() * 1e9))
const dataDir = mkdtempSync(join(tmpdir(), 'chartside-crash-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

test(`loses nothing acknowledged and redeems no code twice at SIGKILL [C05, C09, F02]`, async () => {
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
      assert.deepEqual(await listLostFacts(practice, facts), [], `round ${round}`)
      const spent = await countSpentOfUnknown(practice, facts.unknownCodes)
      unknown += facts.unknownCodes.length
      unknownSpent += spent
      totals.launches += facts.launches.length
      totals.held += facts.unredeemedCodes.length
      totals.redeemed += facts.redeemed.length
      totals.revoked += facts.revokedTokens.length
      totals.apps += facts.apps.length
      totals.cut += facts.cutRequests
    }
    assert.deepEqual(await listLostFacts(practice, inventedFacts(practice)), INVENTED_BREAKS)
  } finally {
    await service.discard()
  }
  console.log(`seed ${seed}, ${ROUNDS} kills, acknowledged and checked:`, totals)
  console.log(`exchanges cut off: ${unknown}; of these committed before the kill: ${unknownSpent}`)
  assert.ok(totals.launches > 50 && totals.redeemed > 20 && totals.held > 5 && totals.apps > 5)
  assert.ok(totals.cut >= ROUNDS * 8, 'the kills came while requests were in flight')
})

/** A cut exchange was committed or not; whichever it was, its code buys at most one answer. */
async function countSpentOfUnknown(practice: Practice, codes: readonly string[]): Promise<number> {
  const counts: number[] = await mapInBatches(codes, async (code) => {
    const answers = await Promise.all([exchange(practice, code), exchange(practice, code)])
    const good = answers.filter(({ status }) => status === 200).length
    assert.ok(answers.every((answer) => answer.status === 200 || isRefused(answer)))
    assert.ok(good <= 1, 'a code whose exchange was cut off was redeemed twice')
    return good
  })
  return counts.filter((good) => good === 0).length
}

/** Facts that the service never acknowledged: the checks must notice that they are missing. */
function inventedFacts({ app }: Practice): Facts {
  const row = '0'.repeat(22)
  const secret = 'A'.repeat(43)
  return {
    launches: [{ id: `lau_${row}`, launchId: `lnch_${row}${secret}` }],
    unredeemedCodes: [`code_${row}${secret}`],
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
