// A thousand wrong passwords at once: they wait for each other, and launches do not wait for them. The
// token exchange stays near twice the p99 that it has under as many requests which carry no
// password, since any thousand requests take their time on one thread. Security K04, U07.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import { exchange, freshCode, type Practice, setUpPractice } from './story-verbs.ts'

const GUESSES = 1000
const ROUNDS = 3
const EXCHANGES_A_ROUND = 40
const EVERY_MS = 20
/**
 * What two cores add that also run the crowd and its clock. Without the bound on hashing the exchange
 * waits for well over half a second.
 */
const NOISE_MS = 150

let service: ServiceProcess
let practice: Practice
before(async () => {
  const environment = {
    CHARTSIDE_CODE_LIFETIME_SECONDS: '600',
    CHARTSIDE_TRUSTED_PROXIES: 'loopback',
  }
  service = await startService({ environment })
  practice = await setUpPractice(service.baseUrl, ADMIN)
})
after(() => service?.discard())

async function makeCodes(count: number): Promise<string[]> {
  const codes: string[] = []
  for (let i = 0; i < count; i++) codes.push(await freshCode(practice))
  return codes
}

/** How long each exchange takes, sent at a steady pace. */
async function timeExchanges(codes: readonly string[]): Promise<number[]> {
  return Promise.all(
    codes.map(async (code, i) => {
      await sleep(i * EVERY_MS)
      const began = performance.now()
      const answer = await exchange(practice, code)
      assert.equal(answer.status, 200, answer.text)
      return performance.now() - began
    }),
  )
}

async function sendAll(fields: object): Promise<number[]> {
  const worker = new Worker(new URL('./password-flood.ts', import.meta.url), {
    workerData: { baseUrl: service.baseUrl, count: GUESSES, fields },
  })
  const [statuses] = await once(worker, 'message')
  await worker.terminate()
  return statuses
}

const p99 = (times: readonly number[]) =>
  [...times].sort((a, b) => a - b).at(Math.ceil(times.length * 0.99) - 1) ?? 0

test('a thousand wrong passwords at once delay the token exchange little more than a thousand requests without [K04]', async (t) => {
  const quiet = await timeExchanges(await makeCodes(EXCHANGES_A_ROUND))
  const slowest = { guesses: [] as number[], others: [] as number[] }
  const statuses = new Map<number, number>()
  // In turns, so that what else the machine does touches both alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['others', 'guesses'] as const) {
      const codes = await makeCodes(EXCHANGES_A_ROUND)
      const fields = kind === 'guesses' ? { password: 'a wrong password' } : {}
      const [answers, took] = await Promise.all([sendAll(fields), timeExchanges(codes)])
      slowest[kind].push(p99(took))
      for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  // The quietest round of each: what the machine did besides is in the others.
  const [guesses, others] = [Math.min(...slowest.guesses), Math.min(...slowest.others)]
  t.diagnostic(
    `p99 of the exchange: quiet ${p99(quiet).toFixed(1)} ms, under ${GUESSES} requests without a password ${others.toFixed(1)} ms, under ${GUESSES} guesses ${guesses.toFixed(1)} ms`,
  )
  t.diagnostic(`answers: ${JSON.stringify([...statuses])}`)
  assert.deepEqual([...statuses.keys()].sort(), [400, 401, 503])
  assert.ok(guesses <= 2 * others + NOISE_MS, `${guesses} ms against ${others} ms`)
})
