// Every table of the service, as numbered steps that only go forward. Ids, hashes and JSON are TEXT, times are
// milliseconds since 1970, flags are nullable times; of bearer values only hashes. docs/inside/storage.md has who writes
// and reads each table, docs/inside/decisions/0012 what a step may do while older nodes run.

export interface Migration {
  readonly version: number
  readonly name: string
  /** `expand` only adds; every start applies it. `contract` removes, by chartside migrate --contract only. */
  readonly phase: 'expand' | 'contract'
  readonly statements: readonly string[]
  /** These statements say how PostgreSQL stores the rows; SQLite has no such statement. */
  readonly onPostgres?: readonly string[]
}

const ACCOUNTS = [
  `CREATE TABLE accounts (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, external_id TEXT,
    collection_id TEXT, collection_version BIGINT, second_factor_required_at BIGINT,
    created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, deleted_at BIGINT)`,
  // No two accounts share what other systems call them.
  'CREATE UNIQUE INDEX accounts_by_external_id ON accounts (external_id) WHERE deleted_at IS NULL',
  // A user who has not accepted yet is no member, whatever the role. What the account sees of the user
  // until then has an id of its own: the id of a user has the time of its creation.
  `CREATE TABLE members (
    account_id TEXT NOT NULL, user_id TEXT NOT NULL, role TEXT NOT NULL,
    invited_at BIGINT, invited_name TEXT, invited_id TEXT,
    created_at BIGINT NOT NULL, PRIMARY KEY (account_id, user_id))`,
  'CREATE INDEX members_by_user ON members (user_id)',
  'CREATE INDEX members_by_invited_id ON members (account_id, invited_id)',
  `CREATE TABLE collections (
    id TEXT PRIMARY KEY, account_id TEXT NOT NULL, name TEXT NOT NULL,
    description TEXT NOT NULL, draft TEXT NOT NULL, latest_version BIGINT NOT NULL,
    created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, deleted_at BIGINT)`,
  'CREATE INDEX collections_by_account ON collections (account_id, id)',
  `CREATE TABLE collection_versions (
    collection_id TEXT NOT NULL, version BIGINT NOT NULL, notes TEXT NOT NULL,
    content TEXT NOT NULL, published_by TEXT NOT NULL, published_at BIGINT NOT NULL,
    PRIMARY KEY (collection_id, version))`,
]

const APPS = [
  // disabled_by is 'platform' or 'account', and null while the app is enabled. disabled_count is how
  // often it was disabled: a launch that was created under another number is of no use.
  `CREATE TABLE apps (
    id TEXT PRIMARY KEY, client_id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL,
    name TEXT NOT NULL, icon_url TEXT, launch_url TEXT, worker_launch_url TEXT,
    redirect_uris TEXT NOT NULL, token_endpoint TEXT, allowed_iframe_urls TEXT NOT NULL,
    exchange TEXT NOT NULL, jwks TEXT, require_pkce_at BIGINT,
    access_token_lifetime_seconds BIGINT NOT NULL, id_token_lifetime_seconds BIGINT NOT NULL,
    staging_access_at BIGINT, disabled_at BIGINT, disabled_by TEXT,
    disabled_count BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, deleted_at BIGINT)`,
  'CREATE INDEX apps_by_account ON apps (account_id, id)',
  `CREATE TABLE client_secrets (
    id TEXT PRIMARY KEY, app_id TEXT NOT NULL, secret_hash TEXT NOT NULL, label TEXT,
    created_at BIGINT NOT NULL, expires_at BIGINT, last_used_at BIGINT, retired_at BIGINT)`,
  'CREATE INDEX client_secrets_by_app ON client_secrets (app_id, id)',
  // An assertion that was used, until it could not be accepted any more.
  `CREATE TABLE client_assertions (
    jti_hash TEXT NOT NULL, expires_at BIGINT NOT NULL, PRIMARY KEY (jti_hash))`,
  'CREATE INDEX client_assertions_by_end ON client_assertions (expires_at)',
]

const USERS = [
  // emergency_at marks the account for emergencies: its sign-ins are short, and each is an alert.
  `CREATE TABLE users (
    id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, role TEXT NOT NULL,
    emergency_at BIGINT,
    created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, disabled_at BIGINT)`,
  // subject is the credential id of a passkey, or issuer and subject of a provider's account; what else
  // the method needs (public key, counter) is JSON in details.
  `CREATE TABLE login_methods (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL,
    password_hash TEXT, subject TEXT, details TEXT,
    created_at BIGINT NOT NULL, last_used_at BIGINT)`,
  'CREATE INDEX login_methods_by_user ON login_methods (user_id)',
  'CREATE UNIQUE INDEX login_methods_by_subject ON login_methods (kind, subject)',
  // A TOTP secret, sealed with the master key; it counts once confirmed, and each step once.
  `CREATE TABLE second_factors (
    user_id TEXT PRIMARY KEY, sealed TEXT NOT NULL, created_at BIGINT NOT NULL,
    confirmed_at BIGINT, last_step BIGINT)`,
  `CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL, code_hash TEXT NOT NULL, created_at BIGINT NOT NULL, used_at BIGINT,
    PRIMARY KEY (user_id, code_hash))`,
  // One-time addresses at which a person sets a password or a passkey.
  `CREATE TABLE invitations (
    id TEXT PRIMARY KEY, token_hash TEXT NOT NULL, purpose TEXT NOT NULL,
    user_id TEXT NOT NULL, account_id TEXT, created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, used_at BIGINT, method_id TEXT,
    sign_in_id TEXT)`,
  'CREATE INDEX invitations_by_user ON invitations (user_id)',
]

const SIGN_INS = [
  // user_agent and address are of the request that got the token, so that its user recognizes it. parts are
  // those in which the sign-in has EHR sessions, so that activity finds them.
  `CREATE TABLE sign_ins (
    id TEXT PRIMARY KEY, token_hash TEXT NOT NULL, user_id TEXT NOT NULL,
    user_agent TEXT, address TEXT, parts TEXT,
    created_at BIGINT NOT NULL, last_seen_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
    ended_at BIGINT, ended_reason TEXT)`,
  'CREATE INDEX sign_ins_by_user ON sign_ins (user_id)',
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
]

const SESSIONS_AND_LAUNCHES = [
  // part is made from the account. signed_in_at, expires_at and last_seen_at are of the sign-in; ehr is
  // the definition of the session's EHR in the version that steers the session (JSON).
  `CREATE TABLE ehr_sessions (
    id TEXT PRIMARY KEY, part INTEGER NOT NULL,
    sign_in_id TEXT NOT NULL, user_id TEXT NOT NULL, account_id TEXT NOT NULL,
    ehr_type TEXT NOT NULL, device_id TEXT NOT NULL, apps TEXT NOT NULL,
    collection_id TEXT, collection_version BIGINT, ehr TEXT,
    signed_in_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, last_seen_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL, ended_at BIGINT, ended_reason TEXT)`,
  'CREATE INDEX ehr_sessions_by_sign_in ON ehr_sessions (sign_in_id)',
  'CREATE INDEX ehr_sessions_by_account ON ehr_sessions (account_id)',
  'CREATE INDEX ehr_sessions_by_user ON ehr_sessions (user_id)',
  'CREATE INDEX ehr_sessions_by_account_id ON ehr_sessions (account_id, id)',
  'CREATE INDEX ehr_sessions_by_user_id ON ehr_sessions (user_id, id)',
  // The counts bound what a page in a loop writes: authorizes, and failed steps of which few are kept.
  // Received and answered are of a request, of authorize of the last one. exchange_client and page_facts
  // are JSON: who exchanged the code, and versions and times of the page.
  `CREATE TABLE launches (
    id TEXT PRIMARY KEY, part INTEGER NOT NULL, launch_hash TEXT NOT NULL,
    app_id TEXT NOT NULL, client_id TEXT NOT NULL, kind TEXT NOT NULL,
    app_disabled_count BIGINT NOT NULL,
    session_id TEXT NOT NULL, sign_in_id TEXT NOT NULL, context TEXT NOT NULL,
    created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
    authorize_count BIGINT NOT NULL DEFAULT 0, authorize_received_at BIGINT, authorize_answered_at BIGINT,
    authorized_at BIGINT, code_hash TEXT, code_expires_at BIGINT, code_redirect_uri TEXT,
    code_challenge TEXT, code_nonce TEXT, code_scope TEXT, code_spent_at BIGINT,
    exchange_received_at BIGINT, exchange_answered_at BIGINT, exchange_client TEXT,
    token_hash TEXT, token_expires_at BIGINT, token_revoked_at BIGINT,
    opened_at BIGINT, handshake_at BIGINT, context_at BIGINT, page_facts TEXT,
    failure_count BIGINT NOT NULL DEFAULT 0, ended_at BIGINT, ended_reason TEXT)`,
  'CREATE INDEX launches_by_session ON launches (session_id)',
  'CREATE INDEX launches_by_app ON launches (app_id, id)',
  // part + 0: where a statement names a part and a session, SQLite must not choose this one.
  'CREATE INDEX launches_by_part ON launches ((part + 0), id)',
  // Only failed launches are in these, so a launch that succeeds writes nothing more.
  'CREATE INDEX launches_failed ON launches (id) WHERE failure_count > 0',
  'CREATE INDEX launches_failed_by_app ON launches (app_id, id) WHERE failure_count > 0',
  'CREATE INDEX launches_failed_by_part ON launches (part, id) WHERE failure_count > 0',
  // evidence is JSON: what was sent, and a fix that is more precise than that of the reason.
  `CREATE TABLE launch_failures (
    id TEXT PRIMARY KEY, part INTEGER NOT NULL, launch_id TEXT NOT NULL,
    step TEXT NOT NULL, code TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT, evidence TEXT,
    trace_id TEXT NOT NULL, received_at BIGINT, failed_at BIGINT NOT NULL)`,
  'CREATE INDEX launch_failures_by_launch ON launch_failures (launch_id)',
  'CREATE INDEX launch_failures_by_reason ON launch_failures (reason, launch_id)',
  'CREATE INDEX launch_failures_by_trace ON launch_failures (trace_id)',
]

const KEYS = [
  // Who makes the next key takes the next generation, and of several nodes one gets it.
  `CREATE TABLE keys (
    id TEXT PRIMARY KEY, purpose TEXT NOT NULL, generation BIGINT NOT NULL,
    public_jwk TEXT, sealed TEXT NOT NULL,
    created_at BIGINT NOT NULL, signs_from BIGINT NOT NULL, retired_at BIGINT)`,
  'CREATE UNIQUE INDEX keys_by_generation ON keys (purpose, generation)',
]

const CLUSTER = [
  `CREATE TABLE installation (
    id TEXT PRIMARY KEY, environment TEXT NOT NULL, issuer TEXT NOT NULL,
    created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  'CREATE TABLE changes (topic TEXT PRIMARY KEY, version BIGINT NOT NULL)',
  'CREATE TABLE leases (name TEXT PRIMARY KEY, due_at BIGINT NOT NULL)',
  `CREATE TABLE session_subscriptions (
    session_id TEXT NOT NULL, node_id TEXT NOT NULL, expires_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, node_id))`,
  'CREATE INDEX session_subscriptions_by_node ON session_subscriptions (node_id)',
  'CREATE INDEX session_subscriptions_by_end ON session_subscriptions (expires_at)',
  `CREATE TABLE session_notifications (
    node_id TEXT NOT NULL, id TEXT NOT NULL, session_id TEXT NOT NULL, launch_id TEXT,
    ended TEXT, created_at BIGINT NOT NULL, PRIMARY KEY (node_id, id))`,
  `CREATE TABLE rate_limits (
    key TEXT PRIMARY KEY, count BIGINT NOT NULL, window_ends_at BIGINT NOT NULL)`,
  'CREATE INDEX rate_limits_by_end ON rate_limits (window_ends_at)',
]

const AUDIT = [
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
]

/** Lower numbers belong to versions before 1.0.0, which were never published. */
export const FIRST_VERSION = 100

export const MIGRATIONS: readonly Migration[] = [
  {
    version: FIRST_VERSION,
    name: 'the tables of 1.0.0',
    phase: 'expand',
    statements: [
      ...ACCOUNTS,
      ...APPS,
      ...USERS,
      ...SIGN_INS,
      ...SESSIONS_AND_LAUNCHES,
      ...KEYS,
      ...CLUSTER,
      ...AUDIT,
    ],
  },
  {
    version: 101,
    name: 'charts that were changed beside a launch',
    phase: 'expand',
    // One short entry for each report of the host (launches/chart-changes.ts).
    statements: ['ALTER TABLE launches ADD COLUMN chart_changes TEXT'],
  },
  {
    version: 102,
    name: 'when the user of a sign-in has authenticated',
    phase: 'expand',
    // At an identity provider: its auth_time, 0 when it says none. NULL: as the sign-in was made.
    statements: [
      'ALTER TABLE sign_ins ADD COLUMN authenticated_at BIGINT',
      'ALTER TABLE sign_in_flows ADD COLUMN authenticated_at BIGINT',
    ],
  },
  {
    version: 103,
    name: 'an approval that goes to the browser of the user',
    phase: 'expand',
    statements: [
      'ALTER TABLE sign_in_flows ADD COLUMN host_origin TEXT',
      'ALTER TABLE sign_in_flows ADD COLUMN proof_hash TEXT',
    ],
  },
  {
    version: 104,
    name: 'problems that members report to the administrators of their account',
    phase: 'expand',
    // The launch is one of the user in this account, or null. versions is JSON: host, SDK, browser.
    statements: [
      `CREATE TABLE problem_reports (
        id TEXT PRIMARY KEY, part INTEGER NOT NULL, account_id TEXT NOT NULL, user_id TEXT NOT NULL,
        app_id TEXT, launch_id TEXT, trace_id TEXT, message TEXT, versions TEXT,
        created_at BIGINT NOT NULL)`,
      'CREATE INDEX problem_reports_by_account ON problem_reports (account_id, id)',
    ],
  },
  {
    version: 105,
    name: 'from which network a program asks for its user',
    phase: 'expand',
    // The last poll before the approval; and the network to which an approval without a typed code goes.
    statements: [
      'ALTER TABLE sign_in_flows ADD COLUMN asked_from TEXT',
      'ALTER TABLE sign_in_flows ADD COLUMN approved_for TEXT',
    ],
  },
  {
    version: 106,
    name: 'logout notices to the servers of apps',
    phase: 'expand',
    statements: [
      'ALTER TABLE apps ADD COLUMN backchannel_logout_uri TEXT',
      // What became of the notice: one short entry (logout/logout.ts).
      'ALTER TABLE launches ADD COLUMN logout_notice TEXT',
      // An app with an address that exchanged a code in an EHR session, until it has its notice.
      `CREATE TABLE logout_debts (
        part INTEGER NOT NULL, session_id TEXT NOT NULL, app_id TEXT NOT NULL,
        user_id TEXT NOT NULL, account_id TEXT NOT NULL, sign_in_id TEXT NOT NULL,
        due_at BIGINT NOT NULL, ended_at BIGINT, attempts BIGINT NOT NULL, PRIMARY KEY (part, session_id, app_id))`,
      'CREATE INDEX logout_debts_by_due ON logout_debts (due_at)',
      // The newest attempt of each outcome, for the developers of the app.
      `CREATE TABLE logout_outcomes (
        app_id TEXT NOT NULL, outcome TEXT NOT NULL, count BIGINT NOT NULL, at BIGINT NOT NULL,
        status BIGINT, answer TEXT, PRIMARY KEY (app_id, outcome))`,
    ],
  },
  {
    version: 107,
    name: 'apps that an account has stopped in it',
    phase: 'expand',
    // The row stays when the app runs again: launches from before that time are dead for ever.
    statements: [
      `CREATE TABLE stopped_apps (
        part INTEGER NOT NULL, app_id TEXT NOT NULL, account_id TEXT NOT NULL, reason TEXT NOT NULL,
        stopped_by TEXT NOT NULL, stopped_at BIGINT NOT NULL, resumed_at BIGINT,
        PRIMARY KEY (part, app_id, account_id))`,
    ],
  },
  {
    version: 108,
    name: 'tokens of the directory of an account',
    phase: 'expand',
    statements: [
      `CREATE TABLE directory_tokens (
        id TEXT PRIMARY KEY, account_id TEXT NOT NULL, token_hash TEXT NOT NULL, label TEXT,
        created_at BIGINT NOT NULL, last_used_at BIGINT)`,
      'CREATE INDEX directory_tokens_by_account ON directory_tokens (account_id, id)',
    ],
  },
  {
    version: 109,
    name: 'memberships that the directory of an account manages',
    phase: 'expand',
    statements: [
      // What the directory says of a membership; it is inactive where members has no row. names is JSON.
      `CREATE TABLE directory_members (
        account_id TEXT NOT NULL, user_id TEXT NOT NULL, id TEXT NOT NULL, external_id TEXT,
        user_name TEXT NOT NULL, user_name_key TEXT NOT NULL, work_email TEXT NOT NULL,
        names TEXT NOT NULL, was_accepted BIGINT NOT NULL, created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL, PRIMARY KEY (account_id, user_id))`,
      'CREATE UNIQUE INDEX directory_members_by_id ON directory_members (account_id, id)',
      'CREATE UNIQUE INDEX directory_members_by_user_name ON directory_members (account_id, user_name_key)',
      'CREATE UNIQUE INDEX directory_members_by_external_id ON directory_members (account_id, external_id)',
    ],
  },
  {
    version: 110,
    name: 'apps that are launched as SMART App Launch has it',
    phase: 'expand',
    statements: ['ALTER TABLE apps ADD COLUMN launch_style TEXT'],
  },
  {
    version: 111,
    name: 'identity providers of an account, and its short name',
    phase: 'expand',
    statements: [
      // sealed: the client secret; null for a public client. authorize_params is JSON.
      `CREATE TABLE identity_providers (
        id TEXT PRIMARY KEY, account_id TEXT NOT NULL, name TEXT NOT NULL, issuer TEXT NOT NULL,
        client_id TEXT NOT NULL, sealed TEXT, scopes TEXT NOT NULL, authorize_params TEXT NOT NULL,
        created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
      'CREATE INDEX identity_providers_by_account ON identity_providers (account_id, id)',
      // What people of the account type at the sign-in page.
      'ALTER TABLE accounts ADD COLUMN short_name TEXT',
    ],
  },
  {
    version: 112,
    name: 'users who were removed, not only disabled',
    phase: 'expand',
    // A removed user is disabled too, so that every older statement leaves them out.
    statements: ['ALTER TABLE users ADD COLUMN removed_at BIGINT'],
  },
  {
    version: 113,
    name: 'short names of accounts are unique',
    phase: 'expand',
    statements: [
      'CREATE UNIQUE INDEX accounts_by_short_name ON accounts (short_name) WHERE deleted_at IS NULL',
    ],
  },
  {
    version: 114,
    name: 'when something happened for the last time',
    phase: 'expand',
    // A backup, an archive, a sweep, a sign-in of the account for emergencies (cluster/occurrence-store.ts).
    statements: ['CREATE TABLE occurrences (name TEXT PRIMARY KEY, at BIGINT NOT NULL)'],
  },
  {
    version: 115,
    name: 'sign-ins at the provider of an account',
    phase: 'expand',
    statements: [
      'ALTER TABLE identity_providers ADD COLUMN required_at BIGINT',
      // The ids of those that are required, each with a comma after it, so that no look-up of a sign-in joins them.
      'ALTER TABLE accounts ADD COLUMN required_providers TEXT',
      // Only of a provider of an account: it, and the account that it reaches.
      'ALTER TABLE login_methods ADD COLUMN provider_id TEXT',
      'ALTER TABLE login_methods ADD COLUMN account_id TEXT',
      'ALTER TABLE sign_in_flows ADD COLUMN provider_id TEXT',
      'ALTER TABLE sign_in_flows ADD COLUMN account_id TEXT',
      'ALTER TABLE sign_ins ADD COLUMN provider_id TEXT',
      'ALTER TABLE sign_ins ADD COLUMN account_id TEXT',
    ],
  },
  {
    version: 116,
    name: 'what hangs on a provider of an account is found',
    phase: 'expand',
    statements: [
      'CREATE INDEX login_methods_by_provider ON login_methods (provider_id) WHERE provider_id IS NOT NULL',
      'CREATE INDEX sign_ins_by_provider ON sign_ins (provider_id) WHERE provider_id IS NOT NULL',
    ],
  },
  {
    version: 117,
    name: 'webhooks of vendors',
    phase: 'expand',
    statements: [
      // sealed: the secret, and after it the one before, which signs too until previous_until.
      `CREATE TABLE webhooks (
        id TEXT PRIMARY KEY, account_id TEXT NOT NULL, url TEXT NOT NULL, sealed TEXT NOT NULL,
        previous_until BIGINT, switched_off_at BIGINT, created_at BIGINT NOT NULL)`,
      'CREATE INDEX webhooks_by_account ON webhooks (account_id, id)',
      // An event for one webhook. due_at is null once it is settled. detail is JSON.
      `CREATE TABLE webhook_deliveries (
        webhook_id TEXT NOT NULL, id TEXT NOT NULL, once TEXT NOT NULL, type TEXT NOT NULL,
        app_id TEXT NOT NULL, practice_id TEXT, detail TEXT NOT NULL, created_at BIGINT NOT NULL,
        due_at BIGINT, attempts BIGINT NOT NULL, outcome TEXT, status BIGINT, answer TEXT,
        attempted_at BIGINT, PRIMARY KEY (webhook_id, id))`,
      'CREATE UNIQUE INDEX webhook_deliveries_by_change ON webhook_deliveries (webhook_id, once)',
      'CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (due_at)',
    ],
  },
  {
    version: 118,
    name: 'memberships that end at a time',
    phase: 'expand',
    statements: ['ALTER TABLE members ADD COLUMN expires_at BIGINT'],
  },
  {
    version: 119,
    name: 'memberships that end are found',
    phase: 'expand',
    statements: [
      'CREATE INDEX members_by_end ON members (expires_at) WHERE expires_at IS NOT NULL',
    ],
  },
  {
    version: 120,
    name: 'launches counted by five minutes, practice and app',
    phase: 'expand',
    statements: [
      // ready_within_ms: a bound of the time to ready; 0 for those that never became ready.
      `CREATE TABLE launch_counts (
        part BIGINT NOT NULL, account_id TEXT NOT NULL, app_id TEXT NOT NULL, at BIGINT NOT NULL,
        ready_within_ms BIGINT NOT NULL, launches BIGINT NOT NULL, failed BIGINT NOT NULL,
        PRIMARY KEY (part, account_id, app_id, at, ready_within_ms))`,
      'CREATE INDEX launch_counts_by_time ON launch_counts (at)',
      'CREATE INDEX launch_counts_by_app ON launch_counts (app_id, at)',
      'CREATE INDEX launch_counts_by_practice ON launch_counts (part, account_id, at)',
    ],
  },
  {
    version: 121,
    name: 'who has disabled an app, and why',
    phase: 'expand',
    statements: [
      'ALTER TABLE apps ADD COLUMN disabled_user_id TEXT',
      'ALTER TABLE apps ADD COLUMN disabled_reason TEXT',
    ],
  },
  {
    version: 122,
    name: 'client secrets that retire later',
    phase: 'expand',
    statements: ['ALTER TABLE client_secrets ADD COLUMN retires_at BIGINT'],
  },
  {
    version: 123,
    name: 'e-mail domains of an account, proved by DNS',
    phase: 'expand',
    statements: [
      `CREATE TABLE domains (
        id TEXT PRIMARY KEY, account_id TEXT NOT NULL, domain TEXT NOT NULL, token TEXT NOT NULL,
        created_at BIGINT NOT NULL, verified_at BIGINT, proved_at BIGINT, checked_at BIGINT,
        finding TEXT)`,
      'CREATE UNIQUE INDEX domains_by_account ON domains (account_id, domain)',
      // One account holds a domain; others may claim it and wait.
      'CREATE UNIQUE INDEX domains_verified ON domains (domain) WHERE verified_at IS NOT NULL',
      'CREATE INDEX domains_by_check ON domains (checked_at) WHERE proved_at IS NOT NULL',
      // 'provider', or null.
      'ALTER TABLE accounts ADD COLUMN join_by_domain TEXT',
    ],
  },
  {
    version: 124,
    name: 'versions of a collection that are given to some accounts',
    phase: 'expand',
    statements: [
      // A JSON list of accounts; null: all that follow the latest version.
      'ALTER TABLE collection_versions ADD COLUMN audience TEXT',
      // Of the last change of the audience; null: as published.
      'ALTER TABLE collection_versions ADD COLUMN audience_at BIGINT',
    ],
  },
  {
    version: 125,
    name: 'runs of the fault studio',
    phase: 'expand',
    statements: [
      `CREATE TABLE fault_runs (
        id TEXT PRIMARY KEY, app_id TEXT NOT NULL, received_at BIGINT NOT NULL,
        summary TEXT NOT NULL, run TEXT NOT NULL)`,
      'CREATE INDEX fault_runs_by_app ON fault_runs (app_id, id)',
    ],
  },
  {
    version: 126,
    name: 'EHR sessions without the indexes that another one begins with',
    phase: 'expand',
    statements: ['DROP INDEX ehr_sessions_by_account', 'DROP INDEX ehr_sessions_by_user'],
  },
  {
    version: 127,
    name: 'versions that are given to all accounts by themselves',
    phase: 'expand',
    statements: [
      // Not before this time, while so many percent of its launches become ready.
      'ALTER TABLE collection_versions ADD COLUMN widen_at BIGINT',
      'ALTER TABLE collection_versions ADD COLUMN widen_percent BIGINT',
      // When a node stopped it, and what its launches had done.
      'ALTER TABLE collection_versions ADD COLUMN widen_stopped_at BIGINT',
      'ALTER TABLE collection_versions ADD COLUMN widen_ready BIGINT',
      'ALTER TABLE collection_versions ADD COLUMN widen_failed BIGINT',
    ],
  },
  {
    version: 128,
    name: 'the versions that wait to be given to all',
    phase: 'expand',
    statements: [
      `CREATE INDEX collection_versions_by_widening ON collection_versions (widen_at)
        WHERE widen_at IS NOT NULL AND widen_stopped_at IS NULL`,
    ],
  },
  {
    version: 129,
    name: 'the algorithm that signs the ID tokens of an app',
    phase: 'expand',
    // Null: RS256.
    statements: ['ALTER TABLE apps ADD COLUMN id_token_signed_response_alg TEXT'],
  },
  {
    version: 130,
    name: 'apps that are switched off on one EHR',
    phase: 'expand',
    // As of stopped_apps: the row stays when the app runs again.
    statements: [
      `CREATE TABLE stopped_ehrs (
        app_id TEXT NOT NULL, ehr_type TEXT NOT NULL, reason TEXT NOT NULL,
        stopped_by TEXT NOT NULL, stopped_side TEXT NOT NULL, stopped_at BIGINT NOT NULL,
        resumed_at BIGINT, PRIMARY KEY (app_id, ehr_type))`,
    ],
  },
  {
    version: 131,
    name: 'until when a user counts as one who administered something',
    phase: 'expand',
    statements: ['ALTER TABLE users ADD COLUMN administered_until BIGINT'],
  },
  {
    version: 132,
    name: 'refused sign-ins by five minutes',
    phase: 'expand',
    statements: [
      `CREATE TABLE refused_sign_ins (
        part BIGINT NOT NULL, account_id TEXT NOT NULL, at BIGINT NOT NULL,
        refused BIGINT NOT NULL, PRIMARY KEY (part, account_id, at))`,
      'CREATE INDEX refused_sign_ins_by_time ON refused_sign_ins (at)',
    ],
  },
  {
    version: 133,
    name: 'apps, users and accounts by name',
    phase: 'expand',
    // The order of the lists (db/page.ts).
    statements: [
      'CREATE INDEX apps_by_name ON apps (LOWER(name), id)',
      'CREATE INDEX users_by_name ON users (LOWER(name), id)',
      'CREATE INDEX accounts_by_name ON accounts (LOWER(name), id)',
    ],
  },
  {
    version: 134,
    name: 'the last pre-flight of an app',
    phase: 'expand',
    statements: [
      `CREATE TABLE preflights (
        app_id TEXT PRIMARY KEY, checked_at BIGINT NOT NULL, outcome TEXT NOT NULL,
        subject TEXT NOT NULL)`,
    ],
  },
  {
    version: 135,
    name: 'keys of developers',
    phase: 'expand',
    statements: [
      `CREATE TABLE developer_keys (
        id TEXT PRIMARY KEY, user_id TEXT NOT NULL, account_id TEXT NOT NULL,
        token_hash TEXT NOT NULL, name TEXT NOT NULL, created_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL, last_used_at BIGINT)`,
      'CREATE INDEX developer_keys_by_user ON developer_keys (user_id, id)',
    ],
  },
  {
    version: 136,
    name: 'room in the pages of launches and sessions',
    phase: 'expand',
    statements: [],
    // An update whose page has room writes no index again. Each launch is updated twice within seconds.
    onPostgres: [
      'ALTER TABLE launches SET (fillfactor = 60)',
      'ALTER TABLE ehr_sessions SET (fillfactor = 80)',
    ],
  },
]
