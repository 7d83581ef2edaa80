// Writes the events of audited calls: finds the trails that a call belongs to, and bounds how many events of
// refusals and of repeated reads there are. Decides nothing about which calls are audited (call-audit-rules.ts).
// Security P02, V08.

import { type AuditEvent, PLATFORM } from '../audit/audit.ts'
import { findOwner, findTrails, insertEventStatement } from '../audit/audit-store.ts'
import { countRefusedSignInStatements } from '../audit/refused-sign-in-store.ts'
import { DatabaseUnavailable, type HasDatabase } from '../db/database.ts'
import { minuteCounter } from '../http/admission/minute-counter.ts'
import type { PageCall, Reply, UncheckedCall } from '../http/call.ts'
import type { ApiErrorCode } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { normalizeEmail } from '../kernel/user.ts'
import type { ApiRoute, PageRoute } from '../route.ts'
import {
  describeEffect,
  describeSuppressed,
  fieldNames,
  objectOf,
  signInMethodOf,
} from './call-audit-rules.ts'

/** The refusals of one caller in a minute beyond it are one event of each trail: the trail is kept for ever. */
const MAX_REFUSALS_A_MINUTE = 30
/** A page that polls a list leaves one event a minute. */
const MAX_READS_A_MINUTE = 1

export interface AuditWriter {
  /**
   * Writes the refusal into each trail. Beyond a number for this caller and this trail one event says
   * that further ones of the minute are left out: noise in one trail hides nothing in another. [V08]
   */
  writeRefusal(
    route: ApiRoute,
    call: UncheckedCall,
    caller: string,
    code: ApiErrorCode,
  ): Promise<void>
  /**
   * Writes one event a minute for each caller and target. A read whose event cannot be stored is refused with
   * 503, as a change is: access without a trace is no access (45 CFR 164.312(b)).
   * @throws DatabaseUnavailable
   */
  writeRead(route: ApiRoute, call: UncheckedCall): Promise<void>
  /** @throws DatabaseUnavailable: a change that cannot be audited is not acknowledged */
  writeEffect(route: ApiRoute, call: UncheckedCall, reply: Reply): Promise<void>
  /** @throws DatabaseUnavailable when the form has changed something */
  writeForm(route: PageRoute, call: PageCall, reply: Reply): Promise<void>
}

export function auditWriter(service: HasDatabase & HasRandomness): AuditWriter {
  const refusals = minuteCounter()
  const reads = minuteCounter()
  /** Events on their way: a second read does not leave before the event that stands for both. */
  const pendingReads = new Map<string, Promise<void>>()
  return {
    async writeRefusal(route, call, caller, code) {
      const trails = await apiTrails(service, call, {})
      for (const accountId of trailsOf(trails)) {
        const counted = refusals.allow(`${caller} ${accountId}`, call.now, MAX_REFUSALS_A_MINUTE)
        const detail = describeSuppressed(counted)
        if (!detail) continue
        const accountIds = [accountId]
        await write(service, route, call, { ...trails, accountIds, detail, refusal: code })
      }
    },
    async writeRead(route, call) {
      const trails = await apiTrails(service, call, {})
      const key = `${call.person?.user.id} ${route.operation} ${trails.target}`
      if (!reads.allow(key, call.now, MAX_READS_A_MINUTE).isAllowed) return pendingReads.get(key)
      const written = write(service, route, call, { ...trails, isDone: true }).catch((error) => {
        reads.takeBack(key)
        throw error
      })
      pendingReads.set(key, written)
      await written.finally(() => pendingReads.delete(key))
    },
    async writeEffect(route, call, reply) {
      const created = objectOf(reply.body)
      const trails = await apiTrails(service, call, created)
      const detail = describeEffect(route, call, created)
      await write(service, route, call, { ...trails, detail, isDone: true })
    },
    async writeForm(route, call, reply) {
      const { auditSubject: subject } = call
      const { refusal = reply.status >= 400 ? String(reply.status) : undefined } = subject
      const isRefused = refusal !== undefined
      // A refusal without an authenticated user is not audited: any caller can cause it.
      if (isRefused && subject.userId === undefined && subject.email === undefined) return
      const trails = await personTrails(service, subject, subject.accountId)
      const result = isRefused ? { refusal } : { isDone: true as const }
      const actor = isRefused ? undefined : subject.userId
      await write(service, route, call, { ...trails, actor, ...result })
    },
  }
}

interface Trails {
  readonly accountIds: readonly string[]
  readonly target: string
  readonly actor?: string | undefined
  readonly fields?: string
  readonly detail?: Readonly<Record<string, string>>
  /** The developer key that called. */
  readonly key?: string
}

const trailsOf = ({ accountIds }: Trails): readonly string[] =>
  accountIds.length > 0 ? accountIds : [PLATFORM]

async function write(
  service: HasDatabase & HasRandomness,
  route: ApiRoute | PageRoute,
  call: { readonly now: number; readonly address: string; readonly traceId: string },
  result: Trails & ({ readonly isDone: true } | { readonly refusal: string }),
): Promise<void> {
  const { fields } = result
  const isDone = 'isDone' in result
  const event: Omit<AuditEvent, 'id' | 'accountId'> = {
    at: call.now,
    actor: result.actor ?? 'nobody',
    action: route.operation,
    target: result.target,
    launchId: undefined,
    ip: call.address,
    outcome: isDone ? 'ok' : 'refused',
    detail: {
      trace: call.traceId,
      ...(isDone ? {} : { code: result.refusal }),
      ...(fields ? { fields } : {}),
      ...(result.key ? { key: result.key } : {}),
      ...result.detail,
    },
  }
  const trails = trailsOf(result)
  const isRefusedSignIn = !isDone && signInMethodOf(route) !== undefined
  const events = trails.map((accountId) =>
    insertEventStatement({ ...event, id: newId('evt', call.now, service.randomness), accountId }),
  )
  try {
    await service.db.write(...events)
    // Apart: the count of the platform may lie in a partition that is away, and the event must not need it.
    if (isRefusedSignIn) await service.db.write(...countRefusedSignInStatements(trails, call.now))
  } catch (error) {
    // A refusal is answered anyway; a change that cannot be audited is not acknowledged.
    if (isDone || !(error instanceof DatabaseUnavailable)) throw error
  }
}

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
  // The last identifier of the address: a member, a secret, a token, a provider, a webhook,
  // a login method, an app, else the record.
  const named =
    asId(params.userId) ??
    asId(params.secretId) ??
    asId(params.tokenId) ??
    asId(params.providerId) ??
    asId(params.webhookId) ??
    asId(params.methodId) ??
    asId(params.appId) ??
    id
  const fields = {
    ...(Object.keys(body).length > 0 ? { fields: fieldNames(body) } : {}),
    ...(person?.keyId === undefined ? {} : { key: person.keyId }),
  }
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
  const only =
    call.auditNotes.accountId ?? (about === person?.user.id ? person?.boundTo : undefined)
  const trails = await personTrails(service, about ? { userId: about } : { email }, only)
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
