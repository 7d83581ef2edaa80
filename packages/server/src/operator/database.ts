// What the command line uses of the database: it opens and migrates one, copies and divides its tables, and
// holds leases and the record of the installation.
// A part of the contract with @chartside/operator (README.md); owns nothing itself.

export { readDatabaseTime } from '../cluster/database-time.ts'
export type { Installation } from '../cluster/installation.ts'
export { findInstallation, updateInstallation } from '../cluster/installation-store.ts'
export { acquireLease, updateLeaseExpiry } from '../cluster/leases.ts'
export { recordOccurrenceStatement } from '../cluster/occurrence-store.ts'
export { type Database, DatabaseUnavailable, type Row } from '../db/database.ts'
export {
  isLocal,
  KEYED_BY_PART,
  PARTITIONED_TABLES,
  REFERENCE_TABLES,
  SPREAD_TABLES,
} from '../db/migrations/layout.ts'
export {
  listMigrations,
  MigrationFailed,
  type MigrationState,
  migrate,
  requireKnownOrigin,
  SchemaTooOld,
} from '../db/migrations/migrate.ts'
export { MIGRATIONS, type Migration } from '../db/migrations/migrations.ts'
export { isShared, openDatabase } from '../db/open.ts'
export { integer, optionalInteger, optionalText, text } from '../db/row.ts'
export { ALWAYS, type SqlValue, type Statement, sql } from '../db/sql.ts'
