// Fills the database of a service with an installation of real size, and gives the people who sign in there. It
// takes some seconds. The same seed, count and time give the same rows.
import type { Statement } from '../../packages/server/src/db/sql.ts'
import {
  SLOT_MS,
  writeCountsStatements,
} from '../../packages/server/src/launches/health/launch-count-store.ts'
import type { TestService } from '../../packages/server/test/test-service.ts'
import { buildLaunches, buildRefusedSignIns, type LaunchesSize } from './launches.ts'
import { buildRecords, type Records, startRandom } from './records.ts'

export const LAUNCHES = 20_000
export const PASSWORD = 'correct horse battery staple'
const STATEMENTS_OF_WRITE = 500
/** All launches are younger. */
const COUNTED_MS = 15 * 24 * 60 * 60_000

export async function fillRealSize(
  node: TestService,
  {
    seed,
    launches = LAUNCHES,
    minutesOfNow = 0,
  }: { readonly seed: string } & Partial<LaunchesSize>,
): Promise<Records> {
  const { service, clock } = node
  const random = startRandom(seed)
  const now = clock()
  const records = buildRecords(node, random, now, await service.passwords.hash(PASSWORD))
  const left: Statement[] = [
    ...records.statements,
    ...buildLaunches(random, records, { launches, minutesOfNow }, now),
    ...buildRefusedSignIns(random, records, now),
  ]
  while (left.length > 0) await service.db.write(...left.splice(0, STATEMENTS_OF_WRITE))
  const end = now - (now % SLOT_MS) + SLOT_MS
  await service.db.write(...writeCountsStatements(end - COUNTED_MS, end))
  service.apps.forget()
  return records
}
