// Changes a record between the moment at which a request reads it and the one at which it writes. Owns no
// expectation.
import type { Database } from '../src/db/database.ts'
import type { Statement } from '../src/db/sql.ts'

/** Runs `change` once, just before the first write that has such a statement. Gives what says whether it ran. */
export function runBeforeWrite(
  db: Database,
  of: RegExp,
  change: () => Promise<unknown>,
): () => boolean {
  const { write } = db
  let hasRun = false
  Object.assign(db, {
    async write(...statements: readonly Statement[]) {
      if (statements.some((statement) => of.test(statement.sql))) {
        Object.assign(db, { write })
        hasRun = true
        await change()
      }
      return write.call(db, ...statements)
    },
  })
  return () => {
    Object.assign(db, { write })
    return hasRun
  }
}
