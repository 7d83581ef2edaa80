// The SQL of the partitions of a database on several machines, as Citus keeps them: whether there are any, and how
// many are on a machine that no other machine can connect to. Reads the catalog of Citus only.
import type { Database } from '../db/database.ts'
import { integer } from '../db/row.ts'
import { sql } from '../db/sql.ts'

export interface PartitionCount {
  readonly all: number
  readonly unavailable: number
}

/** @throws DatabaseUnavailable */
export const spansMachines = async (db: Database): Promise<boolean> =>
  (await db.read(sql`SELECT 1 AS found FROM pg_extension WHERE extname = 'citus'`)).length > 0

/** Counts the partitions of one divided table; the others lie beside it. @throws DatabaseUnavailable */
export async function countPartitions(db: Database): Promise<PartitionCount> {
  const [row] = await db.read(
    sql`SELECT COUNT(*) AS partitions, COALESCE(SUM(CASE WHEN EXISTS (SELECT 1
          FROM citus_check_cluster_node_health() h WHERE h.to_nodename = n.nodename
            AND h.to_nodeport = n.nodeport AND h.result) THEN 0 ELSE 1 END), 0) AS unavailable
      FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid
      JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
      WHERE s.logicalrelid = 'launches'::regclass`,
  )
  return row
    ? { all: integer(row, 'partitions'), unavailable: integer(row, 'unavailable') }
    : { all: 0, unavailable: 0 }
}
