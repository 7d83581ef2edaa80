// The verification of an audit trail in the page: it accepts what the service exports, and says of every export
// that was tampered with what `chartside audit verify` says. Security P07, V09.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLines, verifyTrail } from '../packages/console/src/pages/audit/verify-trail.ts'
import { chainRootText, formatHead } from '../packages/protocol/src/audit-trail.ts'
import { END, sha256, TAMPERED, WHOLE } from './tampered-trails.ts'

/** As `fetch` gives it: pieces of any size. */
const verify = (lines: readonly string[], size = 100_000) => {
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.slice(at * size, (at + 1) * size),
  )
  return verifyTrail(readLines(ReadableStream.from(pieces) as never))
}

test('accepts the export of the service, in pieces of any size [P07]', async () => {
  for (const size of [1, 7, 100_000]) {
    assert.deepEqual(await verify(WHOLE, size), { events: 4, problem: undefined, head: END })
  }
  const empty = [formatHead('acc_2', { seq: 0, hash: sha256(chainRootText('acc_2')) })]
  assert.equal((await verify(empty)).problem, undefined)
})

test('says of each tampered export what is wrong, as the command line does [V09]', async () => {
  for (const { what, lines, says } of TAMPERED) {
    const { problem = 'whole', head } = await verify(lines)
    assert.match(problem, new RegExp(says.source, 'i'), what)
    assert.equal(head, undefined, what)
  }
})
