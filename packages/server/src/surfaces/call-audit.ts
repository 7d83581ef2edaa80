// Audits every call of the API and every form that changes something, also when it is refused: after the
// change and before the answer, so that every acknowledged change is in the trail. Reads the route
// table, so new routes are included. Steps of a launch insert their events in their own write. Contract §4, security P02, P06.

import { type AuditEvent, PLATFORM } from '../audit/audit.ts'
import { findOwner, findTrails, insertEventStatement } from '../audit/audit-store.ts'
import type { HasDatabase } from '../db/database.ts'
import { DatabaseUnavailable } from '../db/database.ts'
import { networkOf } from '../http/admission/client-address.ts'
import { minuteCounter } from '../http/admission/minute-counter.ts'
import type { PageCall, Reply, UncheckedCall } from '../http/call.ts'
import { ApiError, type ApiErrorCode } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { normalizeEmail } from '../kernel/user.ts'
import type { ApiRoute, PageRoute } from '../route.ts'
import { describeChanges, isPersonalRead, showsOthers } from './call-audit-rules.ts'

/** Audited by the room itself, or not security-relevant: the reports of hosts. */
const EXCLUDED_OPERATIONS = new Set([
  'openLaunch',
  'reportActivity',
  'reportMyActivity',
  'reportStep',
])
/** GET requests with an effect, and exports of a trail. */
const AUDITED_READS = new Set([
  'oidcCallback',
  'pollToken',
  'exportAuditEvents',
  'exportPlatformAuditEvents',
])
/** Refusals without a signed-in caller that are audited; rate limits bound their number. */
const CREDENTIAL_GUESSES = new Set<ApiErrorCode>(['wrong_credentials'])
/** Further refusals of one caller in a minute are one event of each trail: the trail is kept for ever. */
const MAX_REFUSALS_A_MINUTE = 30
/** A page that polls a list leaves one event a minute. */
const MAX_READS_A_MINUTE = 1

/** Further field names are not stored. */
const MAX_FIELDS = 20

export const isAudited = ({ method, operation }: ApiRoute | PageRoute) =>
  (method !== 'GET' || AUDITED_READS.has(operation) || isPersonalRead(operation)) &&
  !EXCLUDED_OPERATIONS.has(operation)

export interface CallAudit {
  /** Audits a call of the API, after authentication. */
  api(route: ApiRoute, call: UncheckedCall, work: () => Promise<Reply>): Promise<Reply>
  /** Audits a form. Only `call.trail` names the user: the input may be anything. */
  page(route: PageRoute, call: PageCall, work: () => Promise<Reply>): Promise<Reply>
}

export function callAudit(service: HasDatabase & HasLog & HasRandomness): CallAudit {
  const refusals = minuteCounter()
  const reads = minuteCounter()
  /** Events on their way: a second read does not leave before the event that stands for both. */
  const pendingReads = new Map<string, Promise<void>>()

  /**
   * Writes the refusal into each trail. Beyond a number for this caller and this trail one event says
   * that further ones of the minute are left out: noise in one trail hides nothing in another. [V08]
   */
  async function writeRefusal(
    route: ApiRoute,
    call: UncheckedCall,
    caller: string,
    code: ApiErrorCode,
  ): Promise<void> {
    const trails = await apiTrails(service, call, {})
    for (const accountId of trailsOf(trails)) {
      const key = `${caller} ${accountId}`
      const { isAdmitted, leftOut } = refusals.admit(key, call.now, MAX_REFUSALS_A_MINUTE)
      const isFirstLeftOut = !isAdmitted && leftOut === 1
      if (!isAdmitted && !isFirstLeftOut) continue
      const detail = isFirstLeftOut
        ? { suppressed: `further refusals of this caller in this minute` }
        : leftOut > 0
          ? { suppressed: `${leftOut} refusals before this one` }
          : {}
      await write(service, route, call, {
        ...trails,
        accountIds: [accountId],
        detail,
        refusal: code,
      })
    }
  }

  /**
   * One event a minute for each caller and target. A read whose event cannot be stored is refused with
   * 503, as a change is: access without a trace is no access (45 CFR 164.312(b)).
   * @throws DatabaseUnavailable
   */
  async function writeRead(route: ApiRoute, call: UncheckedCall): Promise<void> {
    const trails = await apiTrails(service, call, {})
    const key = `${call.person?.user.id} ${route.operation} ${trails.target}`
    if (!reads.admit(key, call.now, MAX_READS_A_MINUTE).isAdmitted) return pendingReads.get(key)
    const written = write(service, route, call, { ...trails, isDone: true }).catch((error) => {
      reads.takeBack(key)
      throw error
    })
    pendingReads.set(key, written)
    await written.finally(() => pendingReads.delete(key))
  }

  return {
    async api(route, call, work) {
      if (!isAudited(route)) return work()
      const { person } = call
      try {
        const reply = await work()
        if (isPersonalRead(route.operation)) {
          if (showsOthers(route.operation, call, reply)) await writeRead(route, call)
          return reply
        }
        // Polling without a result has no effect.
        if (reply.status !== 202) {
          const created = objectOf(reply.body)
          const { before, reason } = call.noted
          const isChange = route.method === 'PATCH' && before !== undefined
          await write(service, route, call, {
            ...(await apiTrails(service, call, created)),
            detail: {
              ...(isChange ? describeChanges(objectOf(before), created) : {}),
              ...(reason === undefined ? {} : { reason }),
            },
            isDone: true,
          })
        }
        return reply
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (person || CREDENTIAL_GUESSES.has(error.code)) {
          // Guesses without a user are bounded by the limits on failures, for each network.
          await writeRefusal(route, call, person?.user.id ?? networkOf(call.address), error.code)
        }
        throw error
      }
    },
    async page(route, call, work) {
      if (!isAudited(route)) return work()
      const reply = await work()
      const { trail } = call
      const { refusal = reply.status >= 400 ? String(reply.status) : undefined } = trail
      const isRefused = refusal !== undefined
      // A refusal without an authenticated user is not audited: any caller can cause it.
      if (isRefused && trail.userId === undefined && trail.email === undefined) return reply
      const trails = await personTrails(service, trail, trail.accountId)
      const result = isRefused ? { refusal } : { isDone: true as const }
      const actor = isRefused ? undefined : trail.userId
      await write(service, route, call, { ...trails, actor, ...result })
      return reply
    },
  }
}

interface Trails {
  readonly accountIds: readonly string[]
  readonly target: string
  readonly actor?: string | undefined
  readonly fields?: string
  readonly detail?: Readonly<Record<string, string>>
}

const trailsOf = ({ accountIds }: Trails): readonly string[] =>
  accountIds.length > 0 ? accountIds : [PLATFORM]

async function write(
  service: HasDatabase & HasRandomness,
  { operation }: ApiRoute | PageRoute,
  call: { readonly now: number; readonly address: string; readonly traceId: string },
  result: Trails & ({ readonly isDone: true } | { readonly refusal: string }),
): Promise<void> {
  const { fields } = result
  const isDone = 'isDone' in result
  const event: Omit<AuditEvent, 'id' | 'accountId'> = {
    at: call.now,
    actor: result.actor ?? 'nobody',
    action: operation,
    target: result.target,
    launchId: undefined,
    ip: call.address,
    outcome: isDone ? 'ok' : 'refused',
    detail: {
      trace: call.traceId,
      ...(isDone ? {} : { code: result.refusal }),
      ...(fields ? { fields } : {}),
      ...result.detail,
    },
  }
  const statements = trailsOf(result).map((accountId) =>
    insertEventStatement({ ...event, id: newId('evt', call.now, service.randomness), accountId }),
  )
  try {
    await service.db.write(...statements)
  } catch (error) {
    // A refusal is answered anyway; a change that cannot be audited is not acknowledged.
    if (isDone || !(error instanceof DatabaseUnavailable)) throw error
  }
}

/** Names only: a value may be personal, or a secret in the wrong field. */
const fieldNames = (body: Readonly<Record<string, unknown>>) =>
  Object.keys(body).slice(0, MAX_FIELDS).sort().join(' ')

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

/** Other text may be a secret, so only identifiers are stored. */
const ID = /^[a-z]{3}_[0-9a-z]{22}$/
const asId = (value: unknown) => (typeof value === 'string' && ID.test(value) ? value : undefined)

/** The trails, the target and the actor of a call of the API. */
async function apiTrails(
  service: HasDatabase,
  call: UncheckedCall,
  created: Readonly<Record<string, unknown>>,
): Promise<Trails> {
  const { params, person } = call
  const body = objectOf(call.body)
  const id = asId(params.id)
  // The last identifier of the address: a member, a secret, a login method, else the record.
  const named = asId(params.userId) ?? asId(params.secretId) ?? asId(params.methodId) ?? id
  const fields = Object.keys(body).length > 0 ? { fields: fieldNames(body) } : {}
  const record =
    id ??
    asId(call.query.accountId) ??
    asId(body.accountId) ??
    asId(created.accountId) ??
    asId(created.id)
  const owner = (record && (await findOwner(service.db, record))) ?? asId(created.accountId)
  if (owner) {
    const target = named ?? asId(created.id) ?? owner
    return { accountIds: [owner], target, actor: person?.user.id, ...fields }
  }
  // About a user: of the address, the caller, or the one who tries to sign in.
  const about = id?.startsWith('usr_') ? id : (person?.user.id ?? asId(objectOf(created.user).id))
  const email = typeof body.email === 'string' ? normalizeEmail(body.email) : ''
  const trails = await personTrails(service, about ? { userId: about } : { email })
  const signedIn = Object.keys(created).length > 0 ? asId(trails.target) : undefined
  // What the platform decides about a user belongs into its own trail as well.
  const isPlatforms = about === id && person?.user.role === 'admin'
  return {
    ...trails,
    accountIds: isPlatforms ? [...trails.accountIds, PLATFORM] : trails.accountIds,
    target: named ?? trails.target,
    actor: person?.user.id ?? signedIn,
    ...fields,
  }
}

/** The trail of each account of the user, or of the given account. */
async function personTrails(
  { db }: HasDatabase,
  who: { readonly userId?: string; readonly email?: string },
  accountId?: string,
): Promise<Trails> {
  const { userId, email = '' } = who
  const person = await findTrails(db, userId === undefined ? { email } : { userId })
  return {
    accountIds: accountId === undefined ? person.accountIds : [accountId],
    target: userId ?? person.userId ?? 'unknown',
  }
}
