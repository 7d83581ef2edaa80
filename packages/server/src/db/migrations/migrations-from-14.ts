// The steps from version 14 on; those before are in migrations.ts, which has the rules.
// docs/inside/storage.md says who writes and reads each table.
import type { Migration } from './migrations.ts'

export const MIGRATIONS_FROM_14: readonly Migration[] = [
  {
    version: 14,
    name: 'launches of a practice in the order of their list',
    phase: 'expand',
    statements: [
      // part + 0: where a statement names a part and a session, SQLite must not choose this one.
      'CREATE INDEX launches_by_part ON launches ((part + 0), id)',
      'CREATE INDEX launches_failed_by_part ON launches (part, id) WHERE failure_count > 0',
    ],
  },
  {
    version: 15,
    name: 'a compact audit trail, and its archives',
    phase: 'expand',
    statements: [
      // One event, in bytes (audit/audit-entry.ts). The account is null where another row has it.
      `CREATE TABLE audit_entries (
        part INTEGER NOT NULL, n INTEGER NOT NULL, at BIGINT NOT NULL, account_id TEXT,
        content BYTEA NOT NULL, PRIMARY KEY (at, n, part))`,
      // The place of some events in the chain of their account, with the hash of the last one.
      `CREATE TABLE audit_links (
        part INTEGER NOT NULL, seq INTEGER NOT NULL, trail BYTEA NOT NULL, hash BYTEA NOT NULL,
        events BYTEA NOT NULL, PRIMARY KEY (trail, seq, part))`,
      // Up to which number the events of a trail are in a file, and no longer here.
      `CREATE TABLE audit_archives (
        part INTEGER NOT NULL, seq INTEGER NOT NULL, account_id TEXT NOT NULL, hash TEXT NOT NULL,
        file TEXT NOT NULL, file_digest TEXT NOT NULL, archived_at BIGINT NOT NULL,
        PRIMARY KEY (account_id, seq, part))`,
    ],
  },
  {
    version: 16,
    name: 'apps authenticate with a private key',
    phase: 'expand',
    statements: [
      'ALTER TABLE apps ADD COLUMN jwks TEXT',
      // An assertion that was used, until it could not be accepted any more.
      `CREATE TABLE client_assertions (
        jti_hash TEXT NOT NULL, expires_at BIGINT NOT NULL, PRIMARY KEY (jti_hash))`,
      'CREATE INDEX client_assertions_by_end ON client_assertions (expires_at)',
    ],
  },
]
