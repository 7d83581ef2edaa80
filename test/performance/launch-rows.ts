// Fills a database with very many launches, by one statement for each table on either engine: a week at an even
// pace, a practice with a third of them, 999 others, an app with 40 %, a vendor with 1,000 apps. Owns no expectation.
import type { Statement } from '../../packages/server/src/db/sql.ts'
import { partChars, partOf } from '../../packages/server/src/kernel/partitions.ts'
import { administerAt } from '../../packages/server/test/postgres.ts'
import type { TestService } from '../../packages/server/test/test-service.ts'

export const PRACTICES = 1000
export const VENDOR_APPS = 1000
const OTHER_APPS = 50
const WEEK_MS = 7 * 24 * 60 * 60_000
/** Sessions that began before have ended. */
const SESSION_MS = 30 * 60_000
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

const raw = (sql: string): Statement => ({ sql, args: [] })
const text = (value: string) => `'${value.replaceAll("'", "''")}'`

/** The ten characters of time in an identifier. */
const timeChars = (at: string) =>
  Array.from({ length: 10 }, (_, i) => 32 ** (9 - i))
    .map((unit) => `substr('${ALPHABET}', CAST(1 + ((${at}) / ${unit}) % 32 AS INTEGER), 1)`)
    .join(' || ')

const nineDigits = (n: string) => `substr(CAST(1000000000 + ${n} AS TEXT), 2)`

const numbers = (count: number) =>
  `WITH RECURSIVE n (i) AS
    (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`

/** Of the practice and the app that have the most launches. */
export interface Owners {
  readonly accountId: string
  readonly people: { readonly provider: { readonly id: string } }
  readonly app: { readonly id: string }
}

export interface FilledRows {
  /** Has 1,000 apps. */
  readonly vendorId: string
  /** One of the practices with few launches. */
  readonly smallPracticeId: string
}

export async function fillLaunches(
  { service, clock }: TestService,
  { accountId, people, app }: Owners,
  count: number,
): Promise<FilledRows> {
  const now = clock()
  const { databaseUrl } = service.config
  const isPostgres = databaseUrl.startsWith('postgres')
  /** On PostgreSQL beside the driver of the service, which stops a statement that takes long. */
  const write = async (...statements: Statement[]) => {
    if (!isPostgres) return void (await service.db.write(...statements))
    for (const statement of statements) await administerAt(databaseUrl, statement.sql)
  }
  const everyMs = Math.floor(WEEK_MS / count)
  const first = now - count * everyMs
  const practiceIds = [
    accountId,
    ...Array.from({ length: PRACTICES - 1 }, (_, i) => `acc_00practice${10_000 + i}`),
  ]
  const vendorId = 'acc_00vendor'
  const at = `(${first} + i * ${everyMs})`
  const session = 'i / 5'
  const sessionAt = `(${first} + (i - i % 5) * ${everyMs})`
  const practice = '(CASE WHEN i / 5 % 10 < 3 THEN 0 ELSE 1 + i / 5 % 999 END)'
  const appOf = `(CASE WHEN i % 5 < 2 THEN 0 WHEN i % 5 = 2 THEN 1 + i / 5 % ${VENDOR_APPS}
    ELSE ${VENDOR_APPS + 1} + i / 5 % ${OTHER_APPS} END)`
  const userOf = `(CASE WHEN i / 5 % 1000 = 0 THEN ${text(people.provider.id)}
    WHEN p.k = 0 THEN 'usr_big' || (i / 50 % 200) ELSE 'usr_of' || p.k END)`
  const sessionId = `'ses_' || ${timeChars(sessionAt)} || p.chars || ${nineDigits(session)}`
  const isOver = (created: string) => `${created} < ${now - SESSION_MS}`
  const isFailed = '(i / 5 + i) % 50 = 7'
  const isOpening = `i > ${count - 20}`
  const reason = `CASE i / 50 % 7 WHEN 0 THEN 'redirect_uri_unknown' WHEN 1 THEN 'code_expired'
    WHEN 2 THEN 'host_reported' ELSE 'secret_retired' END`
  const hex = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'
  const context = JSON.stringify({
    ...{ name: 'Dr. Sam Provider', email: 'sam@practice.example', ehr_type: 'meadow' },
    ...{ sid: 'ses_00000000000000000000000', device_id: 'dev_0123456789abcdef' },
  }).slice(1)
  await write(
    raw('CREATE TABLE perf_practices (k BIGINT PRIMARY KEY, id TEXT, part INTEGER, chars TEXT)'),
    raw('CREATE TABLE perf_apps (k BIGINT PRIMARY KEY, id TEXT)'),
    raw(
      `INSERT INTO perf_practices VALUES ${practiceIds
        .map((id, k) => `(${k}, ${text(id)}, ${partOf(id)}, ${text(partChars(partOf(id)))})`)
        .join(', ')}`,
    ),
    raw(`${numbers(VENDOR_APPS + OTHER_APPS + 1)} INSERT INTO perf_apps
      SELECT i, CASE WHEN i = 0 THEN ${text(app.id)} ELSE 'app_00perf' || (10000 + i) END FROM n`),
    raw(`INSERT INTO accounts (id, name, created_at, updated_at)
      SELECT id, 'Practice ' || k, 0, 0 FROM perf_practices WHERE k > 0
      UNION ALL SELECT '${vendorId}', 'Vendor', 0, 0`),
    raw(`INSERT INTO apps (id, client_id, account_id, name, redirect_uris, allowed_iframe_urls, exchange,
        access_token_lifetime_seconds, id_token_lifetime_seconds, created_at, updated_at)
      SELECT id, 'client-' || id, CASE WHEN k > ${VENDOR_APPS} THEN 'acc_00other' ELSE '${vendorId}' END,
        'App ' || k, '[]', '[]', 'body', 3600, 3600, 0, 0 FROM perf_apps WHERE k > 0`),
    raw(`INSERT INTO users (id, email, name, role, created_at, updated_at)
      SELECT 'usr_of' || k, 'of' || k || '@perf.example', 'Provider ' || k, 'member', 0, 0 FROM perf_practices`),
    raw(`${numbers(200)} INSERT INTO users (id, email, name, role, created_at, updated_at)
      SELECT 'usr_big' || i, 'big' || i || '@perf.example', 'Big ' || i, 'member', 0, 0 FROM n`),
  )
  await write(
    raw(`${numbers(Math.ceil(count / 5))
      .replace('i + 1', 'i + 5')
      .replace(/i < \d+/, `i < ${count - 5}`)}
      INSERT INTO ehr_sessions (id, part, sign_in_id, user_id, account_id, ehr_type, device_id, apps,
        created_at, signed_in_at, last_seen_at, expires_at, ended_at)
      SELECT ${sessionId}, p.part, 'sgn_00perf' || (i / 50), ${userOf}, p.id, 'meadow', 'dev', '[]',
        ${sessionAt}, ${sessionAt}, CASE WHEN ${isOver(sessionAt)} THEN ${sessionAt} + 600000 ELSE ${now} END,
        ${sessionAt} + 43200000, CASE WHEN ${isOver(sessionAt)} THEN ${sessionAt} + 1200000 END
      FROM n JOIN perf_practices p ON p.k = ${practice}`),
  )
  await write(
    raw(`${numbers(count)} INSERT INTO launches (id, part, launch_hash, app_id, client_id, kind, session_id,
        sign_in_id, context, created_at, expires_at, authorized_at, code_hash, code_spent_at, token_hash,
        token_expires_at, opened_at, handshake_at, context_at, ended_at, failure_count,
        app_disabled_count)
      SELECT 'lau_' || ${timeChars(at)} || p.chars || ${nineDigits('i')}, p.part, '${hex}', a.id, 'client-' || a.id,
        'ui', ${sessionId}, 'sgn_00perf' || (i / 50),
        '{"sub":"' || ${userOf} || '","account":{"id":"' || p.id || '","name":"Practice"},' || ${text(context)},
        ${at}, ${at} + 300000, ${at} + 400, '${hex}', ${at} + 500, '${hex}', ${sessionAt} + 43200000,
        ${at} + 100, CASE WHEN ${isFailed} OR ${isOpening} THEN NULL ELSE ${at} + 800 END,
        CASE WHEN ${isFailed} OR ${isOpening} THEN NULL ELSE ${at} + 900 + i % 400 END,
        CASE WHEN ${isOver(sessionAt)} THEN ${sessionAt} + 1200000 END,
        CASE WHEN ${isFailed} THEN 1 ELSE 0 END, 0
      FROM n JOIN perf_practices p ON p.k = ${practice} JOIN perf_apps a ON a.k = ${appOf}`),
  )
  await write(
    raw(`${numbers(count)} INSERT INTO launch_failures (id, part, launch_id, step, code, reason, trace_id, failed_at)
      SELECT 'evt_' || ${timeChars(`${at} + 600`)} || 'fff' || ${nineDigits('i')}, p.part,
        'lau_' || ${timeChars(at)} || p.chars || ${nineDigits('i')}, 'exchange', 'invalid_client', ${reason},
        'trace' || i, ${at} + 600
      FROM n JOIN perf_practices p ON p.k = ${practice} WHERE ${isFailed}`),
  )
  if (isPostgres) {
    for (const table of ['launches', 'launch_failures', 'ehr_sessions', 'accounts', 'apps']) {
      await write(raw(`VACUUM ANALYZE ${table}`))
    }
  }
  service.apps.forget()
  return { vendorId, smallPracticeId: practiceIds[500] ?? '' }
}
