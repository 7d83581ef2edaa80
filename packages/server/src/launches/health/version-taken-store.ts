// The SQL of who has taken a published version: of the accounts that chose the collection, how many run this version or
// a newer one, and which of those that the caller sees run an older one. Contract §16.
import { latestBelow } from '../../accounts/account-store.ts'
import { type Database, readOne } from '../../db/database.ts'
import { integer, text } from '../../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../../db/sql.ts'

export interface Taken {
  readonly by: number
  readonly of: number
  readonly older: readonly {
    readonly practice: { readonly id: string; readonly name: string }
    readonly version: number
  }[]
}

/** Accounts of which the caller may know it. */
export type Known = 'all' | readonly string[]

const MAX_OLDER = 10
const ABOVE_ALL = 2 ** 31 - 1

/** Finds what is taken; `counted` and `named` differ for a vendor, who counts all and names none. */
export async function findTaken(
  db: Database,
  { id, version }: { readonly id: string; readonly version: number },
  { counted, named }: { readonly counted: Known; readonly named: Known },
): Promise<Taken> {
  const isIn = (known: Known) => (known === 'all' ? ALWAYS : sql`a.id IN (${list(known)})`)
  const runners = (known: Known): Statement =>
    sql`SELECT a.id, a.name, COALESCE(a.collection_version, ${latestBelow(id, ABOVE_ALL)}) AS version
      FROM accounts a WHERE a.collection_id = ${id} AND a.deleted_at IS NULL AND ${isIn(known)}`
  const [counts, older] = await Promise.all([
    readOne(
      db,
      sql`SELECT COUNT(*) AS of_all, COUNT(CASE WHEN r.version >= ${version} THEN 1 END) AS taken_by
        FROM (${runners(counted)}) AS r`,
    ),
    db.read(
      sql`SELECT r.* FROM (${runners(named)}) AS r WHERE r.version < ${version}
        ORDER BY r.version, r.name, r.id LIMIT ${MAX_OLDER}`,
    ),
  ])
  return {
    by: counts ? integer(counts, 'taken_by') : 0,
    of: counts ? integer(counts, 'of_all') : 0,
    older: older.map((row) => ({
      practice: { id: text(row, 'id'), name: text(row, 'name') },
      version: integer(row, 'version'),
    })),
  }
}
