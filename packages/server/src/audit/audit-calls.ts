// Writes down every call of the backend API that changes something, or that was refused it: after the
// change, before the answer, so that what was acknowledged is in the trail. Driven by the route
// table, so a new route is in it by itself. Steps of a launch write their own events, in the very
// write that they record. Contract §4, security P02, P06.
import { DatabaseUnavailable } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import type { ApiRoute, Call, Reply } from '../http/route.ts'
import { newId } from '../identifiers.ts'
import type { Service } from '../service.ts'
import { normalizeEmail } from '../users/user.ts'
import { type AuditEvent, PLATFORM } from './audit.ts'
import { findOwner, findTrails, insertEvent } from './audit-store.ts'

/** Written by the room itself, or of no weight: what a host saw of a launch is on its timeline. */
const NOT_HERE = new Set(['openLaunch', 'reportStep'])

/** More names than this tell nothing new. */
const MOST_FIELDS = 20

export const isAudited = (route: ApiRoute) =>
  route.method !== 'GET' && !NOT_HERE.has(route.operation)

export async function audited(
  service: Service,
  route: ApiRoute,
  call: Call<unknown>,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (!isAudited(route)) return work()
  try {
    const reply = await work()
    await write(service, route, call, { reply })
    return reply
  } catch (error) {
    if (error instanceof ApiError) await write(service, route, call, { refusal: error })
    throw error
  }
}

type Result = { readonly reply: Reply } | { readonly refusal: ApiError }

async function write(
  service: Service,
  route: ApiRoute,
  call: Call<unknown>,
  result: Result,
): Promise<void> {
  const body = objectOf(call.body)
  const made = 'reply' in result ? objectOf(result.reply.body) : {}
  const { accountIds, target, personId } = await trailsOf(service, call, body, made)
  const isDone = 'reply' in result
  const event: Omit<AuditEvent, 'id' | 'accountId'> = {
    at: call.now,
    // Who signs in is known once they have.
    actor: call.person?.user.id ?? (isDone ? personId : undefined) ?? 'nobody',
    action: route.operation,
    target,
    launchId: undefined,
    ip: call.address,
    outcome: isDone ? 'ok' : 'refused',
    detail: {
      trace: call.traceId,
      ...(isDone ? {} : { code: result.refusal.code }),
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
    if ('reply' in result || !(error instanceof DatabaseUnavailable)) throw error
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
  call: Call<unknown>,
  body: Readonly<Record<string, unknown>>,
  made: Readonly<Record<string, unknown>>,
): Promise<Trails> {
  const id = asId(call.params.id)
  const target = id ?? asId(made.id)
  const named = id ?? asId(body.accountId) ?? asId(made.accountId) ?? asId(made.id)
  const owner = (named && (await findOwner(db, named))) ?? asId(made.accountId)
  if (owner) return { accountIds: [owner], target: target ?? owner }
  // About a person: in the trail of each account that they belong to.
  const email = typeof body.email === 'string' ? normalizeEmail(body.email) : ''
  const userId = call.person?.user.id
  const person = await findTrails(db, userId ? { userId } : { email })
  return {
    accountIds: person.accountIds.length > 0 ? person.accountIds : [PLATFORM],
    target: target ?? person.userId ?? 'unknown',
    personId: person.userId,
  }
}
