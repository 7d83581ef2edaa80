// The audit trail in the page: its verification accepts what the service exports, and says of every export that was
// tampered with what `chartside audit verify` says; and each action that is written has a sentence. Security P07, V09.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readLines, verifyTrail } from '../packages/console/src/pages/audit/verify-trail.ts'
import { ACTIONS } from '../packages/console/src/parts/audit-words.ts'
import { AUDIT_KINDS } from '../packages/protocol/src/audit-actions.ts'
import { chainRootText, formatHead } from '../packages/protocol/src/audit-trail.ts'
import { AUDIT_FILTERS } from '../packages/server/src/audit/audit-schema.ts'
import { ROUTES } from '../packages/server/src/routes.ts'
import { isAudited } from '../packages/server/src/surfaces/call-audit-rules.ts'
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

test('every action that the service or a command writes has a sentence, and no other', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const sources = globSync('packages/{server,operator}/src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(`${root}/${path}`, 'utf8'))
    .join('\n')
  const named = [...sources.matchAll(/\baction: '(\w+)'/g)].map(([, action = '']) => action)
  const routes = ROUTES.flatMap((route) =>
    (route.surface === 'api' || route.surface === 'page') && isAudited(route)
      ? [route.operation]
      : [],
  )
  const written = new Set([...named, ...routes])
  assert.deepEqual([...written].filter((action) => !ACTIONS[action]).toSorted(), [])
  const unused = Object.keys(ACTIONS).filter((action) => !written.has(action))
  // The first is chosen by the outcome of an exchange.
  assert.deepEqual(unused, ['replay'])
})

test('every action with a sentence has one kind, and a kind fits in an address', () => {
  const kinds = Object.values(AUDIT_KINDS)
  assert.deepEqual(kinds.flat().toSorted(), Object.keys(ACTIONS).toSorted())
  const { maxLength } = AUDIT_FILTERS.action
  for (const actions of kinds) assert.ok(actions.join(',').length <= maxLength)
})
