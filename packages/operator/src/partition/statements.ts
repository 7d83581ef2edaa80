// The statements that divide the tables that grow: into hash partitions of one PostgreSQL, or over the
// machines of Citus. Pure: it gets what the catalog says and returns text. docs/operate/scaling.md.
import {
  isLocal,
  PARTITIONED_TABLES,
  REFERENCE_TABLES,
  SPREAD_TABLES,
} from '@chartside/server/operator/database'

/** The facts that the catalog of the database has about one table. */
export interface TableFacts {
  readonly name: string
  readonly columns: readonly string[]
  readonly primaryKeyName: string
  /** The definitions of the other indexes. */
  readonly indexes: readonly string[]
  /** The statements `GRANT … ON … TO …`, which a table that is made anew would lose. */
  readonly grants: readonly string[]
  /** `plain` is as a migration made it, `reference` on every machine, `local` on the coordinator and known to Citus. */
  readonly placement: 'plain' | 'divided' | 'reference' | 'local'
}

/** Keeps the order of the layout: Citus places the others beside the first table. */
const pendingOf = (tables: readonly TableFacts[], layout: Readonly<Record<string, unknown>>) =>
  Object.keys(layout).flatMap((wanted) =>
    tables.filter(({ name, placement }) => name === wanted && placement === 'plain'),
  )

/** A unique index has the partition key too. */
const withPart = (definition: string) =>
  definition.startsWith('CREATE UNIQUE INDEX')
    ? definition.replace(/\)(?=( WHERE .*)?$)/, ', part)')
    : definition

const nameOfIndex = (definition: string) => /INDEX (\S+) ON/.exec(definition)?.[1] ?? ''

/** Makes each table anew with so many hash partitions, and copies its rows. */
export function hashStatements(tables: readonly TableFacts[], partitions: number): string[] {
  return pendingOf(tables, PARTITIONED_TABLES).flatMap(({ name, columns, indexes, grants }) => {
    const key = PARTITIONED_TABLES[name]?.join(', ')
    const list = columns.join(', ')
    return [
      `CREATE TABLE ${name}_divided (LIKE ${name} INCLUDING DEFAULTS) PARTITION BY HASH (part)`,
      ...Array.from(
        { length: partitions },
        (_, i) =>
          `CREATE TABLE ${name}_p${i} PARTITION OF ${name}_divided FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${i})`,
      ),
      `INSERT INTO ${name}_divided (${list}) SELECT ${list} FROM ${name}`,
      `DROP TABLE ${name}`,
      `ALTER TABLE ${name}_divided RENAME TO ${name}`,
      `ALTER TABLE ${name} ADD PRIMARY KEY (${key})`,
      ...indexes.map(withPart),
      ...grants,
    ]
  })
}

/** Gives each table the key that it needs, and hands it to Citus, which moves its rows. */
export function citusStatements(tables: readonly TableFacts[]): string[] {
  const divided = pendingOf(tables, PARTITIONED_TABLES)
  const spread = pendingOf(tables, SPREAD_TABLES)
  const references = tables.filter(
    ({ name, placement }) => placement === 'plain' && REFERENCE_TABLES.includes(name),
  )
  // Without its metadata Citus sends a change that also reads a reference table to a worker, where the table is not.
  const local = tables.filter(({ name, placement }) => placement !== 'local' && isLocal(name))
  // An earlier version put these on every machine.
  const moved = local.filter(({ placement }) => placement === 'reference')
  if (divided.length + spread.length + references.length + local.length === 0) return []
  const [first = ''] = Object.keys(PARTITIONED_TABLES)
  return [
    ...moved.map(({ name }) => `SELECT undistribute_table('${name}')`),
    ...references.map(({ name }) => `SELECT create_reference_table('${name}')`),
    ...local.map(({ name }) => `SELECT citus_add_local_table_to_metadata('${name}')`),
    ...divided.flatMap(({ name, primaryKeyName, indexes }) => [
      `ALTER TABLE ${name} DROP CONSTRAINT ${primaryKeyName}`,
      `ALTER TABLE ${name} ADD PRIMARY KEY (${PARTITIONED_TABLES[name]?.join(', ')})`,
      // Citus places tables beside each other by a column of one type; some were made with BIGINT.
      `ALTER TABLE ${name} ALTER COLUMN part TYPE INTEGER`,
      ...indexes
        .filter((definition) => withPart(definition) !== definition)
        .flatMap((definition) => [`DROP INDEX ${nameOfIndex(definition)}`, withPart(definition)]),
      name === first
        ? `SELECT create_distributed_table('${name}', 'part', colocate_with => 'none')`
        : `SELECT create_distributed_table('${name}', 'part', colocate_with => '${first}')`,
    ]),
    ...spread.map(
      ({ name }) =>
        `SELECT create_distributed_table('${name}', '${SPREAD_TABLES[name]}', colocate_with => 'none')`,
    ),
  ]
}
