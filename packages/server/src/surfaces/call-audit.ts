// Writes down every call of the API and every form that changes something, or was refused it: after
// the change, before the answer, so that what was acknowledged is in the trail. Driven by the route
// table, so a new route is in it by itself. Steps of a launch write their own events, in the very
// write that they record. Contract §4, security P02, P06.

import { type AuditEvent, PLATFORM } from '../audit/audit.ts'
import { findOwner, findTrails, insertEventStatement } from '../audit/audit-store.ts'
import { DatabaseUnavailable } from '../db/database.ts'
import type { ApiRoute, PageCall, PageRoute, Reply, UncheckedCall } from '../http/route.ts'
import { ApiError, type ApiErrorCode } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import { normalizeEmail } from '../kernel/user.ts'
import type { Service } from '../service.ts'

/** Written by the room itself, or of no weight: what a host saw of a launch is on its timeline. */
const EXCLUDED_OPERATIONS = new Set(['openLaunch', 'reportStep'])
/** GET, and yet something happens: a browser comes back, a token is collected, a trail leaves. */
const AUDITED_READS = new Set([
  'oidcCallback',
  'pollToken',
  'exportAuditEvents',
  'exportPlatformAuditEvents',
])
/** Refusals of guesses: whoever is signed in is told of by name, these are bounded by rate limits. */
const CREDENTIAL_GUESSES = new Set<ApiErrorCode>(['wrong_credentials'])
/** More than this of one caller in a minute tell nothing new, and would fill a trail kept for ever. */
const MAX_REFUSALS_A_MINUTE = 30
const MAX_CALLERS = 10_000

/** More names than this tell nothing new. */
const MAX_FIELDS = 20

export const isAudited = ({ method, operation }: ApiRoute | PageRoute) =>
  (method !== 'GET' || AUDITED_READS.has(operation)) && !EXCLUDED_OPERATIONS.has(operation)

export interface CallAudit {
  /** A call of the API, once it is known who calls. */
  api(route: ApiRoute, call: UncheckedCall, work: () => Promise<Reply>): Promise<Reply>
  /** A form, of which only `call.trail` says whom it concerns: what was typed may be anything. */
  page(route: PageRoute, call: PageCall, work: () => Promise<Reply>): Promise<Reply>
}

export function callAudit(service: Service): CallAudit {
  const refusals = new Map<string, number>()
  let minute = 0

  function isTooMany(caller: string, now: number): boolean {
    const current = Math.floor(now / 60_000)
    if (current !== minute || refusals.size >= MAX_CALLERS) refusals.clear()
    minute = current
    const count = (refusals.get(caller) ?? 0) + 1
    refusals.set(caller, count)
    return count > MAX_REFUSALS_A_MINUTE
  }

  return {
    async api(route, call, work) {
      if (!isAudited(route)) return work()
      const { person } = call
      try {
        const reply = await work()
        // A client that asks for a token which is not there yet has done nothing.
        if (reply.status !== 202) {
          const made = objectOf(reply.body)
          await write(service, route, call, {
            ...(await apiTrails(service, call, made)),
            made: true,
          })
        }
        return reply
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const isTold = person
          ? !isTooMany(person.user.id, call.now)
          : CREDENTIAL_GUESSES.has(error.code)
        if (isTold) {
          const trails = await apiTrails(service, call, {})
          await write(service, route, call, { ...trails, refusal: error.code })
        }
        throw error
      }
    },
    async page(route, call, work) {
      if (!isAudited(route)) return work()
      const reply = await work()
      const { trail } = call
      const isRefused = reply.status >= 400
      // A page that anybody can have refused, without having proven anything, is not written down.
      if (isRefused && trail.userId === undefined && trail.email === undefined) return reply
      const trails = await personTrails(service, trail, trail.accountId)
      const result = isRefused ? { refusal: String(reply.status) } : { made: true as const }
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
}

async function write(
  service: Service,
  { operation }: ApiRoute | PageRoute,
  call: { readonly now: number; readonly address: string; readonly traceId: string },
  result: Trails & ({ readonly made: true } | { readonly refusal: string }),
): Promise<void> {
  const { fields } = result
  const isDone = 'made' in result
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
    },
  }
  const accountIds = result.accountIds.length > 0 ? result.accountIds : [PLATFORM]
  const statements = accountIds.map((accountId) =>
    insertEventStatement({ ...event, id: newId('evt', call.now, service.randomness), accountId }),
  )
  try {
    await service.db.write(...statements)
  } catch (error) {
    // A refusal stays what it is; a change that cannot be written down is not acknowledged.
    if (isDone || !(error instanceof DatabaseUnavailable)) throw error
  }
}

/** Names only: a value may be a person's, or a secret in the wrong field. */
const fieldNames = (body: Readonly<Record<string, unknown>>) =>
  Object.keys(body).slice(0, MAX_FIELDS).sort().join(' ')

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

/** What is no identifier of ours may be anything, a secret too, and is not written down. */
const ID = /^[a-z]{3}_[0-9a-z]{22}$/
const asId = (value: unknown) => (typeof value === 'string' && ID.test(value) ? value : undefined)

/** In whose trails a call of the API belongs, what it was done to, and by whom. */
async function apiTrails(
  service: Service,
  call: UncheckedCall,
  made: Readonly<Record<string, unknown>>,
): Promise<Trails> {
  const { params, person } = call
  const body = objectOf(call.body)
  const id = asId(params.id)
  // The last thing that the address names: a member, a secret, a login method, else the record.
  const named = asId(params.userId) ?? asId(params.secretId) ?? asId(params.methodId) ?? id
  const fields = Object.keys(body).length > 0 ? { fields: fieldNames(body) } : {}
  const record = id ?? asId(body.accountId) ?? asId(made.accountId) ?? asId(made.id)
  const owner = (record && (await findOwner(service.db, record))) ?? asId(made.accountId)
  if (owner) {
    const target = named ?? asId(made.id) ?? owner
    return { accountIds: [owner], target, actor: person?.user.id, ...fields }
  }
  // About a person: themselves, whom the address names, or who tries to sign in.
  const about = id?.startsWith('usr_') ? id : (person?.user.id ?? asId(objectOf(made.user).id))
  const email = typeof body.email === 'string' ? normalizeEmail(body.email) : ''
  const trails = await personTrails(service, about ? { userId: about } : { email })
  const signedIn = Object.keys(made).length > 0 ? asId(trails.target) : undefined
  return {
    ...trails,
    target: named ?? trails.target,
    actor: person?.user.id ?? signedIn,
    ...fields,
  }
}

/** In the trail of each account that the person belongs to, or of the one that it is about. */
async function personTrails(
  { db }: Service,
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
