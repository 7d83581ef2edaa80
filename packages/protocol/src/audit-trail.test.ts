// The check of an exported trail: it accepts what the service writes, and says of everything else what is wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { END, sha256, TAMPERED, WHOLE } from '../../../test/tampered-trails.ts'
import { TrailCheck } from './audit-trail.ts'

function check(lines: readonly string[]) {
  const trail = new TrailCheck()
  for (const line of lines) {
    const steps = trail.take(line)
    for (let step = steps.next(); !step.done; ) step = steps.next(sha256(step.value))
  }
  return trail.finish()
}

test('accepts a whole export and shows its end [P07]', () => {
  const { accountId, events, head, problems } = check(WHOLE)
  assert.deepEqual([problems, accountId, events, head], [[], 'acc_1', 4, END])
})

for (const { what, lines, says } of TAMPERED) {
  test(`finds ${what} [V09, V44]`, () => {
    assert.match(check(lines).problems[0] ?? 'whole', says)
  })
}
