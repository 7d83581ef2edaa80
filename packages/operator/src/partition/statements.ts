// The statements that divide the tables that grow: into hash partitions of one PostgreSQL, or over the
// machines of Citus. Pure: it gets what the catalog says and returns text. docs/operate/scaling.md.
import {
  LOCAL_TABLES,
  PARTITIONED_TABLES,
  SPREAD_TABLES,
} from '@chartside/server/operator/database'

/** What the catalog of the database says about one table. */
export interface TableFacts {
  readonly name: string
  readonly columns: readonly string[]
  readonly primaryKeyName: string
  /** The definitions of the other indexes. */
  readonly indexes: readonly string[]
  /** `GRANT … ON … TO …`, which a table that is made anew would lose. */
  readonly grants: readonly string[]
  readonly isDivided: boolean
}

/** Keeps the order of the layout: Citus places the others beside the first table. */
const pendingOf = (tables: readonly TableFacts[], layout: Readonly<Record<string, unknown>>) =>
  Object.keys(layout).flatMap((wanted) =>
    tables.filter(({ name, isDivided }) => name === wanted && !isDivided),
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
    ({ name, isDivided }) =>
      !isDivided &&
      !Object.hasOwn(PARTITIONED_TABLES, name) &&
      !Object.hasOwn(SPREAD_TABLES, name) &&
      !LOCAL_TABLES.includes(name),
  )
  // An earlier version put these on every machine.
  const moved = tables.filter(({ name, isDivided }) => isDivided && LOCAL_TABLES.includes(name))
  if (divided.length + spread.length + references.length + moved.length === 0) return []
  const [first = ''] = Object.keys(PARTITIONED_TABLES)
  return [
    ...moved.map(({ name }) => `SELECT undistribute_table('${name}')`),
    ...references.map(({ name }) => `SELECT create_reference_table('${name}')`),
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
