// What the stores of the kit need of an app's SQL database: one statement at a time, by the app's own driver,
// and tables that several servers may create at once. Knows no table.

export interface SqlStoreOptions {
  /** Runs one statement with the app's driver and returns its rows. */
  readonly run: (sql: string, values: readonly (string | number)[]) => Promise<readonly unknown[]>
  /** Returns the nth parameter as the driver writes it, from 1. Default `?`; for PostgreSQL `(n) => '$' + n`. */
  readonly placeholder?: (n: number) => string
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * PostgreSQL refuses concurrent creations but one, also with IF NOT EXISTS. The second attempt finds
 * what was created, unless there is another cause.
 */
export async function createOnce(run: SqlStoreOptions['run'], statement: string): Promise<void> {
  const create = () => run(statement, [])
  await create().catch(create)
}
