// A PostgreSQL whose tables are divided as an operator does it before the first node: `chartside migrate`, then
// `chartside db partition --apply`, which refuses while anything else is connected.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Division, divide } from '../../operator/src/partition/partition.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { openDatabase } from '../src/db/open.ts'

const TRIES = 200

/** The server notices a moment later that connections are closed. Gives the statements. */
export async function divideAlone(url: string, division: Division): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await divide(url, division, () => {})
    } catch (error) {
      if (tries === TRIES || !/connected/.test((error as Error).message)) throw error
      await sleep(20)
    }
  }
}

export async function migrateAndDivide(
  url: string,
  division: Division,
  clock: () => number = Date.now,
): Promise<string[]> {
  const db = await openDatabase(url)
  await migrate(db, clock).finally(() => db.close())
  return divideAlone(url, division)
}
