// Two weeks of launches in an installation of real size: by day and hour as practices work, with four outages, and
// the sessions around them. Plain rows of the three tables, since the service would stamp its own time on them.
import type { App } from '../../packages/server/src/apps/app.ts'
import { countRefusedSignInStatements } from '../../packages/server/src/audit/refused-sign-in-store.ts'
import { type Statement, sql } from '../../packages/server/src/db/sql.ts'
import { newId, newIdIn } from '../../packages/server/src/kernel/identifiers.ts'
import { partOf } from '../../packages/server/src/kernel/partitions.ts'
import type { Reason } from '../../packages/server/src/kernel/reasons.ts'
import { SLOT_MS } from '../../packages/server/src/launches/health/launch-count-store.ts'
import { EHRS, type Person, type Practice, type Random, type Records } from './records.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const DAYS = 14
/** A session without a launch for this time has ended. */
const IDLE_MS = 30 * MINUTE_MS
/** Launches of each hour of a day, in UTC; practices work in the hours of the United States. */
const HOURS = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 6, 10, 11, 10, 7, 8, 10, 9, 7, 4, 2, 1]
const USUAL_FAILURES = 0.006

interface Outage {
  /** The vendor whose launches fail; absent: all. */
  readonly vendor?: number
  readonly daysAgo: number
  readonly hour: number
  readonly minutes: number
  readonly step: 'authorize' | 'exchange' | 'handshake' | 'context'
  readonly code: string
  readonly reason: Reason
  readonly detail?: string
}

interface Dated extends Outage {
  readonly from: number
}

export const OUTAGES: readonly Outage[] = [
  {
    ...{ vendor: 0, daysAgo: 2, hour: 14, minutes: 40, step: 'context', code: 'TOKEN_UNAVAILABLE' },
    ...{ reason: 'host_reported', detail: 'The token endpoint answered 503.' },
  },
  {
    ...{ vendor: 3, daysAgo: 5, hour: 16, minutes: 90, step: 'exchange', code: 'invalid_client' },
    reason: 'secret_retired',
  },
  {
    ...{
      vendor: 7,
      daysAgo: 8,
      hour: 13,
      minutes: 120,
      step: 'authorize',
      code: 'invalid_request',
    },
    reason: 'redirect_uri_unregistered',
  },
  {
    ...{ daysAgo: 11, hour: 18, minutes: 12, step: 'handshake', code: 'HANDSHAKE_TIMEOUT' },
    reason: 'host_reported',
  },
]

const dayOf = (at: number) => Math.floor(at / DAY_MS) * DAY_MS

/** No outage falls on a weekend, when few would notice. */
function startOf({ daysAgo, hour }: Outage, now: number): number {
  const at = dayOf(now) - daysAgo * DAY_MS + hour * 60 * MINUTE_MS
  const weekday = new Date(at).getUTCDay()
  return weekday === 0 ? at - 2 * DAY_MS : weekday === 6 ? at - DAY_MS : at
}

/** `minutesOfNow`: how long by now every exchange of the first vendor fails, whose secret was retired. */
function dateOutages(now: number, minutesOfNow: number): readonly Dated[] {
  const past = OUTAGES.map((one): Dated => ({ ...one, from: startOf(one, now) }))
  const retired = past.filter(({ reason }) => minutesOfNow > 0 && reason === 'secret_retired')
  const from = now - minutesOfNow * MINUTE_MS
  return [...past, ...retired.map((one) => ({ ...one, vendor: 0, from, minutes: minutesOfNow }))]
}

function listMoments(random: Random, count: number, now: number): number[] {
  const weightOf = (at: number) =>
    (HOURS[new Date(at).getUTCHours()] ?? 0) * ([0, 6].includes(new Date(at).getUTCDay()) ? 0.1 : 1)
  const hours = Array.from({ length: DAYS * 24 }, (_, i) => now - (i + 1) * 60 * MINUTE_MS)
  let total = 0
  const upTo = hours.map((at) => {
    total += weightOf(at)
    return total
  })
  const moments = Array.from({ length: count }, () => {
    const drawn = random.number() * total
    const hour = hours[upTo.findIndex((sum) => sum > drawn)] ?? now
    return hour + Math.floor(random.number() * 60 * MINUTE_MS)
  })
  return moments.sort((one, other) => one - other)
}

interface Session {
  readonly id: string
  readonly practice: Practice
  readonly provider: Person
  readonly ehrType: string
  readonly at: number
  lastAt: number
}

interface Drawn {
  readonly at: number
  readonly session: Session
  readonly app: App
  readonly outage: Outage | undefined
  readonly hasFailed: boolean
}

function drawLaunches(
  random: Random,
  { practices, vendors }: Records,
  { launches: count, minutesOfNow }: LaunchesSize,
  now: number,
) {
  const outages = dateOutages(now, minutesOfNow)
  const open = new Map<string, Session>()
  const sessions: Session[] = []
  const launches = listMoments(random, count, now).map((at): Drawn => {
    // The first practices have most of the work.
    const practice = practices[Math.floor(random.number() ** 2 * practices.length)] as Practice
    const provider = random.pick(practice.providers)
    let session = open.get(provider.id)
    if (!session || at - session.lastAt > IDLE_MS) {
      const id = newIdIn(partOf(practice.id), 'ses', at, random.randomness)
      const { ehrType } = random.pick(EHRS)
      session = { id, practice, provider, ehrType, at, lastAt: at }
      open.set(provider.id, session)
      sessions.push(session)
    }
    session.lastAt = at
    const app = practice.apps[Math.floor(random.number() ** 2 * practice.apps.length)] as App
    const outage = outages.find((one) => {
      const isTheirs = one.vendor === undefined || vendors[one.vendor]?.id === app.accountId
      return isTheirs && at >= one.from && at < one.from + one.minutes * MINUTE_MS
    })
    const hasFailed = random.number() < (outage ? 0.95 : USUAL_FAILURES)
    return { at, session, app, outage, hasFailed }
  })
  return { sessions, launches }
}

export interface LaunchesSize {
  readonly launches: number
  /** Of an outage that goes on; 0 for none. */
  readonly minutesOfNow: number
}

export function buildLaunches(
  random: Random,
  records: Records,
  size: LaunchesSize,
  now: number,
): Statement[] {
  const { sessions, launches } = drawLaunches(random, records, size, now)
  return [
    ...sessions.map((session) => sessionStatement(session, now)),
    ...launches.flatMap((launch) => launchStatements(random, launch, now)),
  ]
}

/** A few each working day in each practice, and of strangers. */
export function buildRefusedSignIns(
  random: Random,
  { practices }: Records,
  now: number,
): Statement[] {
  const slot = now - (now % SLOT_MS)
  return Array.from({ length: (DAYS + 1) * 24 }, (_, hour) => slot - hour * 60 * MINUTE_MS).flatMap(
    (at) => {
      const count = Math.floor(((HOURS[new Date(at).getUTCHours()] ?? 0) * random.number()) / 4)
      return Array.from({ length: count }, () => random.pick(practices).id).flatMap((id) =>
        countRefusedSignInStatements([id], at),
      )
    },
  )
}

const endOf = ({ lastAt }: Session, now: number) =>
  lastAt + IDLE_MS < now ? lastAt + IDLE_MS : null

function sessionStatement(session: Session, now: number): Statement {
  const { id, practice, provider, ehrType, at, lastAt } = session
  const end = endOf(session, now)
  return sql`INSERT INTO ehr_sessions (id, part, sign_in_id, user_id, account_id, ehr_type, device_id, apps,
      collection_id, collection_version, created_at, signed_in_at, last_seen_at, expires_at, ended_at,
      ended_reason)
    VALUES (${id}, ${partOf(practice.id)}, ${`sgn_of_${id}`}, ${provider.id}, ${practice.id}, ${ehrType},
      ${`room-${1 + (at % 9)}`}, '[]', ${practice.collectionId}, ${practice.version}, ${at}, ${at},
      ${end === null ? now : lastAt}, ${at + DAY_MS / 2}, ${end}, ${end === null ? null : 'idle'})`
}

function launchStatements(
  { randomness, number }: Random,
  { at, session, app, outage, hasFailed }: Drawn,
  now: number,
): Statement[] {
  const { practice, provider } = session
  const part = partOf(practice.id)
  const id = newIdIn(part, 'lau', at, randomness)
  const end = endOf(session, now)
  const context = {
    ...{ sub: provider.id, name: provider.name, email: provider.email },
    ...{ account: { id: practice.id, name: practice.name }, sid: session.id },
    ...{ ehr_type: session.ehrType, device_id: 'room', auth_time: Math.floor(session.at / 1000) },
  }
  const { step, code, reason, detail } = hasFailed ? (outage ?? SILENCE) : NO_FAILURE
  const order = ['authorize', 'exchange', 'handshake', 'context', undefined]
  const has = (name: (typeof order)[number]) => order.indexOf(name) < order.indexOf(step)
  const took = 200 + Math.floor(number() ** 3 * 4000)
  const time = (name: (typeof order)[number], share: number) =>
    has(name) ? at + Math.floor(took * share) : null
  const [authorizedAt, spentAt] = [time('authorize', 0.3), time('exchange', 0.6)]
  const launch = sql`INSERT INTO launches (id, part, launch_hash, app_id, client_id, kind, session_id,
      sign_in_id, context, created_at, expires_at, app_disabled_count, opened_at, authorize_received_at,
      authorize_answered_at, authorized_at, code_hash, code_scope, code_spent_at, exchange_received_at,
      exchange_answered_at, token_hash, token_expires_at, handshake_at, context_at, failure_count, ended_at,
      ended_reason)
    VALUES (${id}, ${part}, ${`hash of ${id}`}, ${app.id}, ${app.clientId}, 'ui', ${session.id},
      ${`sgn_of_${session.id}`}, ${JSON.stringify(context)}, ${at}, ${at + 5 * MINUTE_MS}, 0,
      ${at + Math.floor(took * 0.1)}, ${at + Math.floor(took * 0.28)}, ${at + Math.floor(took * 0.3)},
      ${authorizedAt}, ${authorizedAt === null ? null : `code of ${id}`},
      ${app.id.endsWith('0') ? 'launch openid profile email' : 'launch openid profile'}, ${step === 'exchange' ? at + took : spentAt},
      ${time('exchange', 0.5)}, ${spentAt}, ${spentAt === null ? null : `token of ${id}`},
      ${spentAt === null ? null : at + 60 * MINUTE_MS}, ${time('handshake', 0.85)},
      ${time('context', 1)}, ${hasFailed ? 1 : 0}, ${end}, ${end === null ? null : 'idle'})`
  if (step === undefined) return [launch]
  const failure = sql`INSERT INTO launch_failures (id, part, launch_id, step, code, reason, detail, trace_id,
      received_at, failed_at)
    VALUES (${newId('evt', at + took, randomness)}, ${part}, ${id}, ${step}, ${code}, ${reason},
      ${detail ?? null}, ${randomness.bytes(8).toString('hex').repeat(2)},
      ${step === 'exchange' ? at + Math.floor(took * 0.9) : null}, ${at + took})`
  return [launch, failure]
}

const SILENCE = {
  ...{ step: 'handshake', code: 'HANDSHAKE_TIMEOUT', reason: 'host_reported', detail: undefined },
} as const
const NO_FAILURE = { step: undefined, code: '', reason: '', detail: undefined } as const
