// Owns what an audit event is, how it is written as one line, and how lines are chained so that a
// change of one shows. Pure. Contract §4 (append-only, hash-chained, verifiable offline, no secret
// in it), security P06 and P07.
import { hash } from 'node:crypto'

export type Outcome = 'ok' | 'refused'

/** Who did it: a person, an app, or the service itself. */
export type Actor = `usr_${string}` | `cli_${string}` | 'nobody' | 'service'

export interface AuditEvent {
  readonly id: string
  /** Milliseconds. */
  readonly at: number
  /** Whose trail it belongs to; `platform` for what belongs to no account. */
  readonly accountId: string
  readonly actor: string
  /** What was done: an operation of the API, or a step of a launch. */
  readonly action: string
  /** The identifier of what it was done to, or of its kind. */
  readonly target: string
  readonly launchId: string | undefined
  /** The caller's address. */
  readonly ip: string
  readonly outcome: Outcome
  /** Short facts: a reason, a trace id, the names of the fields that changed. Never their values. */
  readonly detail: Readonly<Record<string, string>>
}

/** The trail of what belongs to no account. */
export const PLATFORM = 'platform'

/** An event with its place in its account's chain. */
export interface ChainedEvent {
  readonly event: AuditEvent
  /** 1, 2, 3 … within the account. */
  readonly seq: number
  readonly hash: string
}

/** The event as the text that is hashed: JSON with this order of members, whoever writes it. */
export function canonicalEvent(event: AuditEvent): string {
  const { id, at, accountId, actor, action, target, launchId = null, ip, outcome } = event
  const detail = Object.fromEntries(
    Object.entries(event.detail).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  return JSON.stringify({
    id,
    at,
    accountId,
    actor,
    action,
    target,
    launchId,
    ip,
    outcome,
    detail,
  })
}

/** What the first event of an account's chain hangs on. */
export const chainRoot = (accountId: string) =>
  hash('sha256', `chartside audit ${accountId}`, 'base64url')

export const chainHash = (previous: string, seq: number, event: AuditEvent) =>
  hash('sha256', `${previous}\n${seq}\n${canonicalEvent(event)}`, 'base64url')

/** Hangs events, in this order, on the end of their account's chain. */
export function buildChain(
  head: { readonly seq: number; readonly hash: string },
  events: readonly AuditEvent[],
): ChainedEvent[] {
  let { seq, hash: previous } = head
  return events.map((event) => {
    seq += 1
    previous = chainHash(previous, seq, event)
    return { event, seq, hash: previous }
  })
}
