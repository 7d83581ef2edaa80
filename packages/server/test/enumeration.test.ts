// The time of a refusal does not tell whether an address is known: a rank test over interleaved
// attempts, which also shows that it would notice a missing check. Text and status are compared in
// sign-out.story.test.ts and client-flow.story.test.ts. Security U07.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertUserWithPasswordStatements } from '../src/credentials/login-method-store.ts'
import type { PasswordCost } from '../src/credentials/password.ts'
import { sql } from '../src/db/sql.ts'
import { newId } from '../src/kernel/identifiers.ts'
import { insertUserStatement } from '../src/users/user-store.ts'
import { startTestService, type TestService } from './test-service.ts'

/** So few for each address that no rate limit applies. */
const PEOPLE = 16
const ROUNDS = 2
/** A quarter of production's: the hash is still most of an attempt, and a missing one shows. */
const COST: PasswordCost = { memory: 4864, passes: 2, parallelism: 1 }
/** One in fifteen thousand by chance. */
const MAX_Z = 4

const KINDS = ['with a password', 'without a password', 'disabled', 'unknown'] as const
type Kind = (typeof KINDS)[number]

let service: TestService
before(async () => {
  service = await startTestService(
    { CHARTSIDE_TRUSTED_PROXIES: 'loopback' },
    { passwordCost: COST },
  )
  const { db, passwords, randomness } = service.service
  const hash = await passwords.hash('the right password')
  const now = service.clock()
  for (let i = 0; i < PEOPLE; i++) {
    const person = (kind: Kind) => ({
      id: newId('usr', now, randomness),
      email: emailOf(kind, i),
      name: 'x',
      role: 'member' as const,
      createdAt: now,
      updatedAt: now,
    })
    const gone = person('disabled')
    await db.write(
      ...insertUserWithPasswordStatements(
        person('with a password'),
        newId('mth', now, randomness),
        hash,
      ),
      insertUserStatement(person('without a password')),
      ...insertUserWithPasswordStatements(gone, newId('mth', now, randomness), hash),
      sql`UPDATE users SET disabled_at = ${now} WHERE id = ${gone.id}`,
    )
  }
})
after(() => service.close())

const emailOf = (kind: Kind, i: number) => `${kind.replaceAll(' ', '-')}-${i}@test.example`

async function timeRefusal(kind: Kind, i: number, round: number): Promise<number> {
  const began = performance.now()
  const answer = await service.server.inject({
    method: 'POST',
    url: '/auth/sign-in',
    headers: { 'x-forwarded-for': `10.${round}.${i}.${KINDS.indexOf(kind)}` },
    payload: { email: emailOf(kind, i), password: 'a wrong password' },
  })
  const took = performance.now() - began
  assert.deepEqual([answer.statusCode, answer.json().code], [401, 'wrong_credentials'])
  return took
}

/** Mann and Whitney: how many standard deviations the ranks of one sample are off the middle. */
function rankDifference(left: readonly number[], right: readonly number[]): number {
  let wins = 0
  for (const a of left) for (const b of right) wins += a > b ? 1 : a === b ? 0.5 : 0
  const [n, m] = [left.length, right.length]
  return (wins - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
}

/** A noisy machine hides the difference; a check that is left out would show in every attempt. */
const ATTEMPTS = 3

test('refuses an unknown address as slowly as a known one [U07]', async (t) => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const differences = await measureDifferences()
    t.diagnostic(differences.map(({ name, z }) => `${name}: z = ${z.toFixed(2)}`).join('; '))
    const wrong = differences.filter(({ z, isExpected }) => Math.abs(z) > MAX_Z !== isExpected)
    if (wrong.length === 0) return
    if (attempt === ATTEMPTS) assert.deepEqual(wrong, [])
    // No limit of the attempt before counts in the next one.
    service.clock.advance(2 * 3600)
  }
})

/** By how much each kind differs from a known address, and what a missing check would look like. */
async function measureDifferences() {
  const times = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < PEOPLE; i++) {
      // Another order each time, so that a pause of the machine does not always hit the same kind.
      for (let k = 0; k < KINDS.length; k++) {
        const kind = KINDS[(k + i + round) % KINDS.length] ?? 'unknown'
        times.get(kind)?.push(await timeRefusal(kind, i, round))
      }
    }
  }
  const known = times.get('with a password') ?? []
  const differences = KINDS.slice(1).map((kind) => ({
    name: String(kind),
    z: rankDifference(known, times.get(kind) ?? []),
    isExpected: false,
  }))
  // Without the work for an unknown address, a refusal would take less than half the time.
  const shortcut = (times.get('unknown') ?? []).map((took) => took / 2)
  const z = rankDifference(known, shortcut)
  return [...differences, { name: 'the check left out', z, isExpected: true }]
}
