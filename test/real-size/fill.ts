// Fills the database of a service with an installation of real size, and gives the people who sign in there. It
// takes some seconds. The same seed, count and time give the same rows.
import type { Statement } from '../../packages/server/src/db/sql.ts'
import type { TestService } from '../../packages/server/test/test-service.ts'
import { buildLaunches } from './launches.ts'
import { buildRecords, type Records, startRandom } from './records.ts'

export const LAUNCHES = 20_000
export const PASSWORD = 'correct horse battery staple'
const STATEMENTS_OF_WRITE = 500

export async function fillRealSize(
  node: TestService,
  { seed, launches = LAUNCHES }: { readonly seed: string; readonly launches?: number },
): Promise<Records> {
  const { service, clock } = node
  const random = startRandom(seed)
  const now = clock()
  const records = buildRecords(node, random, now, await service.passwords.hash(PASSWORD))
  const left: Statement[] = [
    ...records.statements,
    ...buildLaunches(random, records, launches, now),
  ]
  while (left.length > 0) await service.db.write(...left.splice(0, STATEMENTS_OF_WRITE))
  service.apps.forget()
  return records
}
