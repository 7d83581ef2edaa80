// Writes down every call of the API and every form that changes something, or was refused it: after
// the change, before the answer, so that what was acknowledged is in the trail. Driven by the route
// table, so a new route is in it by itself. Steps of a launch write their own events, in the very
// write that they record. Contract §4, security P02, P06.
import { DatabaseUnavailable } from '../db/database.ts'
import { ApiError, type ApiErrorCode } from '../errors.ts'
import type { ApiRoute, PageRoute, Reply } from '../http/route.ts'
import { newId } from '../identifiers.ts'
import type { Service } from '../service.ts'
import { normalizeEmail, type Person } from '../users/user.ts'
import { type AuditEvent, PLATFORM } from './audit.ts'
import { findOwner, findTrails, insertEvent } from './audit-store.ts'

/** Written by the room itself, or of no weight: what a host saw of a launch is on its timeline. */
const NOT_HERE = new Set(['openLaunch', 'reportStep'])
/** These change something although they are GET: a browser comes back, a client collects its token. */
const HERE_TOO = new Set(['comeBack', 'collectToken'])
/** Refusals that anybody can cause without end, and of which one more says nothing. */
const UNTOLD = new Set<ApiErrorCode>(['rate_limited', 'region_not_allowed'])

/** More names than this tell nothing new. */
const MOST_FIELDS = 20

export const isAudited = ({ method, operation }: ApiRoute | PageRoute) =>
  (method !== 'GET' || HERE_TOO.has(operation)) && !NOT_HERE.has(operation)

/** What is known of a call, whichever surface it came by. */
export interface AuditedCall {
  readonly now: number
  readonly address: string
  readonly traceId: string
  readonly person?: Person | undefined
  readonly params?: Readonly<Record<string, string>>
  /** The body, or the fields of a form. */
  readonly sent: unknown
}

export async function audited(
  service: Service,
  route: ApiRoute | PageRoute,
  call: AuditedCall,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (!isAudited(route)) return work()
  try {
    const reply = await work()
    // A client that asks for a token which is not there yet has done nothing.
    if (reply.status !== 202) await write(service, route.operation, call, reply)
    return reply
  } catch (error) {
    const isTold = error instanceof ApiError && !UNTOLD.has(error.code) && route.method !== 'GET'
    if (isTold) await write(service, route.operation, call, error)
    throw error
  }
}

async function write(
  service: Service,
  action: string,
  call: AuditedCall,
  result: Reply | ApiError,
): Promise<void> {
  const body = objectOf(call.sent)
  const isRefusal = result instanceof ApiError
  const made = isRefusal ? {} : objectOf(result.body)
  const { accountIds, target, personId } = await trailsOf(service, call, body, made)
  // A page that shows what was wrong is a refusal too.
  const isDone = !isRefusal && result.status < 400
  const event: Omit<AuditEvent, 'id' | 'accountId'> = {
    at: call.now,
    // Who signs in is known once they have.
    actor: call.person?.user.id ?? (isDone ? personId : undefined) ?? 'nobody',
    action,
    target,
    launchId: undefined,
    ip: call.address,
    outcome: isDone ? 'ok' : 'refused',
    detail: {
      trace: call.traceId,
      ...(isDone ? {} : { code: isRefusal ? result.code : String(result.status) }),
      ...(Object.keys(body).length > 0 ? { fields: fieldNames(body) } : {}),
    },
  }
  const statements = accountIds.map((accountId) =>
    insertEvent({ ...event, id: newId('evt', call.now, service.randomness), accountId }),
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
  Object.keys(body).slice(0, MOST_FIELDS).sort().join(' ')

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

/** What is no identifier of ours may be anything, a secret too, and is not written down. */
const ID = /^[a-z]{3}_[0-9a-z]{22}$/
const asId = (value: unknown) => (typeof value === 'string' && ID.test(value) ? value : undefined)

interface Trails {
  readonly accountIds: readonly string[]
  readonly target: string
  /** Who it is about, where no account owns it. */
  readonly personId?: string | undefined
}

/** In whose trails the event belongs, and what it was done to. */
async function trailsOf(
  { db }: Service,
  call: AuditedCall,
  body: Readonly<Record<string, unknown>>,
  made: Readonly<Record<string, unknown>>,
): Promise<Trails> {
  const id = asId(call.params?.id)
  const target = id ?? asId(made.id)
  const named = id ?? asId(body.accountId) ?? asId(made.accountId) ?? asId(made.id)
  const owner = (named && (await findOwner(db, named))) ?? asId(made.accountId)
  if (owner) return { accountIds: [owner], target: target ?? owner }
  // About a person: in the trail of each account that they belong to.
  const email = typeof body.email === 'string' ? normalizeEmail(body.email) : ''
  const userId = call.person?.user.id ?? asId(objectOf(made.user).id)
  const person = await findTrails(db, userId ? { userId } : { email })
  return {
    accountIds: person.accountIds.length > 0 ? person.accountIds : [PLATFORM],
    target: target ?? person.userId ?? 'unknown',
    personId: person.userId,
  }
}
