// The doctor on an app in a folder, as its developer runs it: the app handles what is put in, or the message says
// what failed and by what it was seen.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type RunOptions, runFaults } from '../../packages/faults/src/run.ts'

/** One that each kind of fault is put in by. */
export const SOME_FAULTS = ['state-changed', 'secret-wrong', 'token-audience', 'sign-out']

/** Prints the seconds of the run. @throws AssertionError below an A */
export async function assertGradeA(
  t: Pick<TestContext, 'diagnostic'>,
  directory: string,
  only: RunOptions['only'] = [],
): Promise<void> {
  const { faults, grade, tookMs } = await runFaults({ app: directory, only, env: process.env })
  const failed = faults.flatMap(({ name, checks }) =>
    checks
      .filter(({ state }) => state === 'failed')
      .map(({ name: check, evidence }) => `${name}: ${check}: ${evidence}`),
  )
  assert.equal(grade.level, 'A', failed.join('\n'))
  t.diagnostic(`${faults.length} faults in ${(tookMs / 1000).toFixed(1)} s`)
}
