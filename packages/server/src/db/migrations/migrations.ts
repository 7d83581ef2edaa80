// Every table of the service, as numbered steps that only go forward. Ids, hashes and JSON are TEXT, times are
// milliseconds since 1970, flags are nullable times; of bearer values only hashes. docs/inside/storage.md has who writes
// and reads each table, docs/inside/decisions/0012 what a step may do while older nodes run.

import { MIGRATIONS_FROM_14 } from './migrations-from-14.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  /** `expand` only adds; every start applies it. `contract` removes, by chartside migrate --contract only. */
  readonly phase: 'expand' | 'contract'
  readonly statements: readonly string[]
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'the spine: apps, people, collections, sessions, launches, keys',
    phase: 'expand',
    statements: [
      `CREATE TABLE accounts (
        id TEXT PRIMARY KEY, name TEXT NOT NULL,
        collection_id TEXT, collection_version BIGINT,
        created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, deleted_at BIGINT)`,
      `CREATE TABLE users (
        id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, role TEXT NOT NULL,
        created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, disabled_at BIGINT)`,
      `CREATE TABLE login_methods (
        id TEXT PRIMARY KEY, user_id TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL,
        password_hash TEXT, created_at BIGINT NOT NULL, last_used_at BIGINT)`,
      'CREATE INDEX login_methods_by_user ON login_methods (user_id)',
      `CREATE TABLE members (
        account_id TEXT NOT NULL, user_id TEXT NOT NULL, role TEXT NOT NULL,
        created_at BIGINT NOT NULL, PRIMARY KEY (account_id, user_id))`,
      'CREATE INDEX members_by_user ON members (user_id)',
      `CREATE TABLE apps (
        id TEXT PRIMARY KEY, client_id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL,
        name TEXT NOT NULL, icon_url TEXT, launch_url TEXT, worker_launch_url TEXT,
        redirect_uris TEXT NOT NULL, token_endpoint TEXT, allowed_iframe_urls TEXT NOT NULL,
        exchange TEXT NOT NULL, require_pkce_at BIGINT,
        access_token_lifetime_seconds BIGINT NOT NULL, id_token_lifetime_seconds BIGINT NOT NULL,
        staging_access_at BIGINT, disabled_at BIGINT,
        created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, deleted_at BIGINT)`,
      'CREATE INDEX apps_by_account ON apps (account_id, id)',
      'CREATE TABLE changes (topic TEXT PRIMARY KEY, version BIGINT NOT NULL)',
      `CREATE TABLE client_secrets (
        id TEXT PRIMARY KEY, app_id TEXT NOT NULL, secret_hash TEXT NOT NULL, label TEXT,
        created_at BIGINT NOT NULL, expires_at BIGINT, last_used_at BIGINT, retired_at BIGINT)`,
      'CREATE INDEX client_secrets_by_app ON client_secrets (app_id, id)',
      `CREATE TABLE collections (
        id TEXT PRIMARY KEY, account_id TEXT NOT NULL, name TEXT NOT NULL,
        description TEXT NOT NULL, draft TEXT NOT NULL, latest_version BIGINT NOT NULL,
        created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, deleted_at BIGINT)`,
      'CREATE INDEX collections_by_account ON collections (account_id, id)',
      `CREATE TABLE collection_versions (
        collection_id TEXT NOT NULL, version BIGINT NOT NULL, notes TEXT NOT NULL,
        content TEXT NOT NULL, published_by TEXT NOT NULL, published_at BIGINT NOT NULL,
        PRIMARY KEY (collection_id, version))`,
      `CREATE TABLE sign_ins (
        id TEXT PRIMARY KEY, token_hash TEXT NOT NULL, user_id TEXT NOT NULL,
        created_at BIGINT NOT NULL, last_seen_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
        ended_at BIGINT)`,
      'CREATE INDEX sign_ins_by_user ON sign_ins (user_id)',
      `CREATE TABLE ehr_sessions (
        id TEXT PRIMARY KEY, sign_in_id TEXT NOT NULL, user_id TEXT NOT NULL,
        account_id TEXT NOT NULL, ehr_type TEXT NOT NULL, device_id TEXT NOT NULL,
        apps TEXT NOT NULL, created_at BIGINT NOT NULL, ended_at BIGINT)`,
      'CREATE INDEX ehr_sessions_by_sign_in ON ehr_sessions (sign_in_id)',
      'CREATE INDEX ehr_sessions_by_account ON ehr_sessions (account_id)',
      `CREATE TABLE launches (
        id TEXT PRIMARY KEY, launch_hash TEXT NOT NULL, app_id TEXT NOT NULL,
        client_id TEXT NOT NULL, kind TEXT NOT NULL, session_id TEXT NOT NULL,
        sign_in_id TEXT NOT NULL, context TEXT NOT NULL,
        created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
        authorized_at BIGINT, code_hash TEXT, code_expires_at BIGINT, code_redirect_uri TEXT,
        code_challenge TEXT, code_nonce TEXT, code_scope TEXT, code_spent_at BIGINT,
        token_hash TEXT, token_expires_at BIGINT, token_revoked_at BIGINT,
        opened_at BIGINT, handshake_at BIGINT, context_at BIGINT,
        ended_at BIGINT)`,
      'CREATE INDEX launches_by_session ON launches (session_id)',
      `CREATE TABLE launch_failures (
        id TEXT PRIMARY KEY, launch_id TEXT NOT NULL, step TEXT NOT NULL, code TEXT NOT NULL,
        reason TEXT NOT NULL, detail TEXT, trace_id TEXT NOT NULL, failed_at BIGINT NOT NULL)`,
      'CREATE INDEX launch_failures_by_launch ON launch_failures (launch_id)',
      `CREATE TABLE keys (
        id TEXT PRIMARY KEY, purpose TEXT NOT NULL, public_jwk TEXT, sealed TEXT NOT NULL,
        created_at BIGINT NOT NULL, signs_from BIGINT NOT NULL, retired_at BIGINT)`,
    ],
  },
  {
    version: 2,
    name: 'many nodes: key generations, duties, news of sessions',
    phase: 'expand',
    statements: [
      'ALTER TABLE schema_migrations ADD COLUMN phase TEXT',
      "UPDATE schema_migrations SET phase = 'expand'",
      // Who makes the next key takes the next number, and of several nodes one gets it.
      'ALTER TABLE keys ADD COLUMN generation BIGINT',
      'UPDATE keys SET generation = 1',
      'CREATE UNIQUE INDEX keys_by_generation ON keys (purpose, generation)',
      'CREATE TABLE duties (name TEXT PRIMARY KEY, due_at BIGINT NOT NULL)',
      `CREATE TABLE session_watches (
        session_id TEXT NOT NULL, node_id TEXT NOT NULL, expires_at BIGINT NOT NULL,
        PRIMARY KEY (session_id, node_id))`,
      `CREATE TABLE session_news (
        node_id TEXT NOT NULL, id TEXT NOT NULL, session_id TEXT NOT NULL, launch_id TEXT,
        ended TEXT, created_at BIGINT NOT NULL, PRIMARY KEY (node_id, id))`,
    ],
  },
  {
    version: 3,
    name: 'people, audit, limits',
    phase: 'expand',
    statements: [
      // Of a passkey the credential id, of a provider's account its issuer and subject; what else
      // the method needs (public key, counter) is JSON in details.
      'ALTER TABLE login_methods ADD COLUMN subject TEXT',
      'ALTER TABLE login_methods ADD COLUMN details TEXT',
      'CREATE UNIQUE INDEX login_methods_by_subject ON login_methods (kind, subject)',
      // The version that steers a session, and of it the definition of the session's EHR (JSON).
      'ALTER TABLE ehr_sessions ADD COLUMN collection_id TEXT',
      'ALTER TABLE ehr_sessions ADD COLUMN collection_version BIGINT',
      'ALTER TABLE ehr_sessions ADD COLUMN ehr TEXT',
      // A user who has not accepted yet is no member, whatever the role.
      'ALTER TABLE members ADD COLUMN invited_at BIGINT',
      'ALTER TABLE members ADD COLUMN invited_name TEXT',
      // A TOTP secret, sealed with the master key; it counts once confirmed, and each step once.
      `CREATE TABLE second_factors (
        user_id TEXT PRIMARY KEY, sealed TEXT NOT NULL, created_at BIGINT NOT NULL,
        confirmed_at BIGINT, last_step BIGINT)`,
      // One-time addresses at which a person sets a password or a passkey.
      `CREATE TABLE invitations (
        id TEXT PRIMARY KEY, token_hash TEXT NOT NULL, purpose TEXT NOT NULL,
        user_id TEXT NOT NULL, account_id TEXT, created_by TEXT NOT NULL,
        created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, used_at BIGINT, method_id TEXT,
        sign_in_id TEXT)`,
      'CREATE INDEX invitations_by_user ON invitations (user_id)',
      `CREATE TABLE sign_in_flows (
        session_hash TEXT PRIMARY KEY, challenge TEXT NOT NULL, user_id TEXT,
        created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, approved_at BIGINT,
        delivered_at BIGINT, sign_in_id TEXT)`,
      'CREATE INDEX sign_in_flows_by_end ON sign_in_flows (expires_at)',
      // What a browser is in the middle of: a passkey challenge, a visit to an identity provider.
      // Bound to the browser by the hash of its cookie, used once.
      `CREATE TABLE browser_steps (
        id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
        created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, used_at BIGINT)`,
      'CREATE INDEX browser_steps_by_end ON browser_steps (expires_at)',
      `CREATE TABLE audit_events (
        id TEXT PRIMARY KEY, at BIGINT NOT NULL, account_id TEXT NOT NULL, actor TEXT NOT NULL,
        action TEXT NOT NULL, target TEXT NOT NULL, launch_id TEXT, ip TEXT NOT NULL,
        outcome TEXT NOT NULL, detail TEXT NOT NULL)`,
      'CREATE INDEX audit_events_by_account ON audit_events (account_id, id)',
      // The place of an event in its account's chain, given afterwards, in batches.
      `CREATE TABLE audit_chain (
        account_id TEXT NOT NULL, seq BIGINT NOT NULL, event_id TEXT NOT NULL, hash TEXT NOT NULL,
        PRIMARY KEY (account_id, seq))`,
      'CREATE UNIQUE INDEX audit_chain_by_event ON audit_chain (event_id)',
      `CREATE TABLE rate_limits (
        key TEXT PRIMARY KEY, count BIGINT NOT NULL, window_ends_at BIGINT NOT NULL)`,
      'CREATE INDEX rate_limits_by_end ON rate_limits (window_ends_at)',
    ],
  },
  {
    version: 4,
    name: 'launches: counters, evidence, times of requests, filters of lists',
    phase: 'expand',
    statements: [
      // Bounds on what a page in a loop writes: authorizes, and failed steps of which few are kept.
      'ALTER TABLE launches ADD COLUMN authorize_count BIGINT',
      'ALTER TABLE launches ADD COLUMN failure_count BIGINT',
      // When a request arrived, and when its answer was ready. Of authorize the last one.
      'ALTER TABLE launches ADD COLUMN authorize_received_at BIGINT',
      'ALTER TABLE launches ADD COLUMN authorize_answered_at BIGINT',
      'ALTER TABLE launches ADD COLUMN exchange_received_at BIGINT',
      'ALTER TABLE launches ADD COLUMN exchange_answered_at BIGINT',
      'ALTER TABLE launch_failures ADD COLUMN received_at BIGINT',
      // What was sent, and a fix that is more precise than that of the reason (JSON).
      'ALTER TABLE launch_failures ADD COLUMN evidence TEXT',
      'CREATE INDEX launch_failures_by_reason ON launch_failures (reason, launch_id)',
      'CREATE INDEX launch_failures_by_trace ON launch_failures (trace_id)',
      'CREATE INDEX launches_by_app ON launches (app_id, id)',
      'CREATE INDEX ehr_sessions_by_user ON ehr_sessions (user_id)',
    ],
  },
  {
    version: 5,
    name: 'invited members have an id of their own',
    phase: 'expand',
    statements: [
      // What the account sees before the user accepts: the id of a user has its time.
      'ALTER TABLE members ADD COLUMN invited_id TEXT',
      'CREATE INDEX members_by_invited_id ON members (account_id, invited_id)',
    ],
  },
  {
    version: 6,
    name: 'ends: their reasons, and who disabled an app',
    phase: 'expand',
    statements: [
      'ALTER TABLE sign_ins ADD COLUMN ended_reason TEXT',
      'ALTER TABLE ehr_sessions ADD COLUMN ended_reason TEXT',
      'ALTER TABLE launches ADD COLUMN ended_reason TEXT',
      // 'platform' or 'account'; null while the app is enabled.
      'ALTER TABLE apps ADD COLUMN disabled_by TEXT',
      // How often it was disabled, and that number when a launch was created; another one: no use.
      'ALTER TABLE apps ADD COLUMN disabled_count BIGINT',
      'ALTER TABLE launches ADD COLUMN app_disabled_count BIGINT',
    ],
  },
  {
    version: 7,
    name: 'required second factors, recovery codes, the emergency account',
    phase: 'expand',
    statements: [
      'ALTER TABLE accounts ADD COLUMN second_factor_required_at BIGINT',
      // The account for emergencies: its sign-ins are short, and each is an alert.
      'ALTER TABLE users ADD COLUMN emergency_at BIGINT',
      `CREATE TABLE recovery_codes (
        user_id TEXT NOT NULL, code_hash TEXT NOT NULL, created_at BIGINT NOT NULL, used_at BIGINT,
        PRIMARY KEY (user_id, code_hash))`,
    ],
  },
  {
    version: 8,
    name: 'the installation that a database belongs to',
    phase: 'expand',
    statements: [
      `CREATE TABLE installation (
        id TEXT PRIMARY KEY, environment TEXT NOT NULL, issuer TEXT NOT NULL,
        created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
    ],
  },
  {
    version: 9,
    name: 'with what a user has signed in',
    phase: 'expand',
    statements: [
      // Of the request that got the token, so that its user recognises it.
      'ALTER TABLE sign_ins ADD COLUMN user_agent TEXT',
      'ALTER TABLE sign_ins ADD COLUMN address TEXT',
    ],
  },
  {
    version: 10,
    name: 'launches: who exchanged, versions and times of the page, lists of failed ones',
    phase: 'expand',
    statements: [
      // Address, country, method and secret of the exchange; versions and times of the page (JSON).
      'ALTER TABLE launches ADD COLUMN exchange_client TEXT',
      'ALTER TABLE launches ADD COLUMN page_facts TEXT',
      // Only failed launches are in these, so a launch that succeeds writes nothing more.
      'CREATE INDEX launches_failed ON launches (id) WHERE failure_count > 0',
      'CREATE INDEX launches_failed_by_app ON launches (app_id, id) WHERE failure_count > 0',
      'CREATE INDEX ehr_sessions_by_account_id ON ehr_sessions (account_id, id)',
      'CREATE INDEX ehr_sessions_by_user_id ON ehr_sessions (user_id, id)',
    ],
  },
  {
    version: 11,
    name: 'one partition key, and sessions that carry the times of their sign-in',
    phase: 'expand',
    statements: [
      // Made from the account. 0: a row of an earlier version, which no statement of a token finds.
      ...['ehr_sessions', 'launches', 'launch_failures', 'audit_events', 'audit_chain'].map(
        (table) => `ALTER TABLE ${table} ADD COLUMN part INTEGER NOT NULL DEFAULT 0`,
      ),
      // Of the sign-in: its creation, its expiry, its last activity. A session without is not live.
      'ALTER TABLE ehr_sessions ADD COLUMN signed_in_at BIGINT',
      'ALTER TABLE ehr_sessions ADD COLUMN expires_at BIGINT',
      'ALTER TABLE ehr_sessions ADD COLUMN last_seen_at BIGINT',
      // The parts in which the sign-in has EHR sessions, so that activity finds them.
      'ALTER TABLE sign_ins ADD COLUMN parts TEXT',
      'CREATE INDEX session_watches_by_node ON session_watches (node_id)',
      'CREATE INDEX session_watches_by_end ON session_watches (expires_at)',
    ],
  },
  {
    version: 12,
    name: 'what other systems call an account',
    phase: 'expand',
    statements: ['ALTER TABLE accounts ADD COLUMN external_id TEXT'],
  },
  {
    version: 13,
    name: 'no two accounts share what other systems call them',
    phase: 'expand',
    statements: [
      'CREATE UNIQUE INDEX accounts_by_external_id ON accounts (external_id) WHERE deleted_at IS NULL',
    ],
  },
  ...MIGRATIONS_FROM_14,
]
