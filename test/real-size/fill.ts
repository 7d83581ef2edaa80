// Fills the database of a service with an installation of real size, and gives the people who sign in there. It
// takes some seconds. The same seed, count and time give the same rows.
import type { Statement } from '../../packages/server/src/db/sql.ts'
import {
  SLOT_MS,
  writeCountsStatements,
} from '../../packages/server/src/launches/health/launch-count-store.ts'
import { buildLaunches, buildRefusedSignIns, type LaunchesSize } from './launches.ts'
import { buildRecords, type FilledNode, type Records, startRandom } from './records.ts'

export const LAUNCHES = 20_000
export const PASSWORD = 'correct horse battery staple'
const STATEMENTS_OF_WRITE = 500
/** All launches are younger. */
const COUNTED_MS = 15 * 24 * 60 * 60_000

export async function fillRealSize(
  node: FilledNode,
  {
    seed,
    launches = LAUNCHES,
    minutesOfNow = 0,
    onProgress = () => {},
  }: {
    readonly seed: string
    /** With the share that is written. */
    readonly onProgress?: (share: number) => void
  } & Partial<LaunchesSize>,
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
  const total = left.length
  while (left.length > 0) {
    await service.db.write(...left.splice(0, STATEMENTS_OF_WRITE))
    onProgress(1 - left.length / total)
  }
  const end = now - (now % SLOT_MS) + SLOT_MS
  await service.db.write(...writeCountsStatements(end - COUNTED_MS, end))
  service.apps.forget()
  return records
}
