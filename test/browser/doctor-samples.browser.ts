// The doctor on the sample apps: an A. One of them over all faults, the others over one of each kind; release
// tests play all of them.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type RunOptions, runFaults } from '../../packages/faults/src/run.ts'
import { findChromium } from '../../scripts/chromium.ts'

before(() => findChromium())

const run = (app: string, only: RunOptions['only'] = []) =>
  runFaults({
    app: fileURLToPath(new URL(`../../examples/${app}`, import.meta.url)),
    ...{ only, env: process.env },
  })

/** What failed, for a message that says it. */
const listFailed = ({ faults }: Awaited<ReturnType<typeof run>>) =>
  faults.flatMap(({ name, checks }) =>
    checks
      .filter(({ state }) => state === 'failed')
      .map(({ name: check, evidence }) => `${name}: ${check}: ${evidence}`),
  )

test('gives Visit Notes an A over all faults', async () => {
  const result = await run('visit-notes')
  assert.equal(result.grade.level, 'A', listFailed(result).join('\n'))
})

/** One that each kind of fault is put in by. */
const SOME = ['state-changed', 'secret-wrong', 'token-audience', 'sign-out']

for (const app of ['care-gaps', 'coding-watch', 'growth-chart', 'referral-desk']) {
  test(`gives ${app} an A over some faults`, async () => {
    const result = await run(app, SOME)
    assert.equal(result.grade.level, 'A', listFailed(result).join('\n'))
  })
}
