// The tables that grow, and the key of each on an engine that divides tables: the partition key is part
// of every primary key there. On SQLite and on an undivided PostgreSQL the keys of the migrations stay,
// because an identifier is unique without its part. Also where Citus keeps the other tables.
// docs/inside/decisions/0035, 0096.

/** These tables are divided by `part`; rows of one account stand in one partition of all of them. */
export const PARTITIONED_TABLES: Readonly<Record<string, readonly string[]>> = {
  ehr_sessions: ['id', 'part'],
  launches: ['id', 'part'],
  launch_failures: ['id', 'part'],
  logout_debts: ['part', 'session_id', 'app_id'],
  problem_reports: ['id', 'part'],
  launch_counts: ['part', 'account_id', 'app_id', 'at', 'ready_within_ms'],
  refused_sign_ins: ['part', 'account_id', 'at'],
  audit_entries: ['at', 'n', 'part'],
  audit_links: ['trail', 'seq', 'part'],
  audit_archives: ['account_id', 'seq', 'part'],
}

/** The key of a row is unique only with its part; without it, it is only very probably so. */
export const KEYED_BY_PART: readonly string[] = ['audit_entries']

/** Their rows are short-lived, and are found by another column, which their primary key has already. */
export const SPREAD_TABLES: Readonly<Record<string, string>> = {
  session_subscriptions: 'session_id',
  session_notifications: 'node_id',
  client_assertions: 'jti_hash',
  logout_outcomes: 'app_id',
}

/**
 * These tables are on every machine, because rows of divided tables are joined with them there. A write of
 * one needs every machine, so nothing that a sign-in, an EHR session or a launch writes is here. All other
 * tables stay on the coordinator. docs/inside/decisions/0096.
 */
export const REFERENCE_TABLES: readonly string[] = [
  'accounts',
  'apps',
  'collections',
  'collection_versions',
  'identity_providers',
  'stopped_apps',
  'stopped_ehrs',
]

/** Whether Citus keeps it on the coordinator, beside no divided table. */
export const isLocal = (table: string): boolean =>
  !REFERENCE_TABLES.includes(table) &&
  !Object.hasOwn(PARTITIONED_TABLES, table) &&
  !Object.hasOwn(SPREAD_TABLES, table)
