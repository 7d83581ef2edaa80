// A job that fails runs again, and its failure is logged once; what deletes waits for a clock without doubt.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { DatabaseUnavailable } from '../db/database.ts'
import { type BackgroundJob, startJobRunner } from './job-runner.ts'

/** Runs a job until it has run so often. Returns the jobs that were logged. */
async function runTimes(times: number, fail: (run: number) => unknown): Promise<string[]> {
  const logged: string[] = []
  const log: Logger = pino({}, { write: (line: string) => logged.push(JSON.parse(line).job) })
  let runs = 0
  const job: BackgroundJob = {
    name: 'a job',
    everyMs: 1,
    async run() {
      runs += 1
      const error = fail(runs)
      if (error) throw error
      return undefined
    },
  }
  const runner = startJobRunner([job], log, () => true)
  const began = performance.now()
  while (runs < times && performance.now() - began < 5000) await sleep(1)
  await runner.stop()
  assert.ok(runs >= times, `${runs} runs`)
  return logged
}

test('runs a job again that failed, and logs the failure once', async () => {
  assert.deepEqual(await runTimes(4, (run) => run < 4 && new Error('not yet')), ['a job'])
})

test('logs the next failure of a job that has succeeded since', async () => {
  const logged = await runTimes(4, (run) => (run === 1 || run === 3) && new Error('again'))
  assert.deepEqual(logged, ['a job', 'a job'])
})

test('leaves it to readiness to log that the database is unavailable [F01]', async () => {
  assert.deepEqual(await runTimes(3, () => new DatabaseUnavailable('gone')), [])
})

test('runs no job that deletes while the clock is in doubt [V13]', async () => {
  let runs = 0
  const run = async () => {
    runs += 1
    return undefined
  }
  const job: BackgroundJob = { name: 'deletes', everyMs: 1, deletes: true, run }
  const runner = startJobRunner([job], pino({ level: 'silent' }), () => false)
  await sleep(20)
  await runner.stop()
  assert.equal(runs, 0)
})
