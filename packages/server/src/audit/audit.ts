// Owns the audit event and the hash chain that reveals a change of an event; the text that is hashed is that of
// the protocol package. Pure. Contract §4 (append-only, hash-chained, verifiable offline, no secret in it),
// security P06 and P07.
import { hash } from 'node:crypto'
import { chainRootText, chainText } from '@chartside/protocol/audit-trail'

export type Outcome = 'ok' | 'refused'

export interface AuditEvent {
  readonly id: string
  /** The time in milliseconds. */
  readonly at: number
  /** The account of the trail; `platform` for events of no account. */
  readonly accountId: string
  readonly actor: string
  /** An operation of the API, or a step of a launch. */
  readonly action: string
  /** The identifier of the changed record, or its kind. */
  readonly target: string
  readonly launchId: string | undefined
  /** The caller's address. */
  readonly ip: string
  readonly outcome: Outcome
  /** A reason, a trace id, the names of the fields that were sent, old and new values of a change. */
  readonly detail: Readonly<Record<string, string>>
}

/** The trail of events of no account. */
export const PLATFORM = 'platform'

/** An event with its place in its account's chain. */
export interface ChainedEvent<Event extends AuditEvent = AuditEvent> {
  readonly event: Event
  /** The number of the event within the account: 1, 2, 3 … */
  readonly seq: number
  readonly hash: string
}

export const sha256 = (text: string) => hash('sha256', text, 'base64url')

/** The previous hash of the first event of an account's chain. */
export const chainRoot = (accountId: string) => sha256(chainRootText(accountId))

export const chainHash = (previous: string, seq: number, event: AuditEvent) =>
  sha256(chainText(previous, seq, event))

/** Appends events, in this order, to the end of their account's chain. */
export function buildChain<Event extends AuditEvent>(
  head: { readonly seq: number; readonly hash: string },
  events: readonly Event[],
): ChainedEvent<Event>[] {
  let { seq, hash: previous } = head
  return events.map((event) => {
    seq += 1
    previous = chainHash(previous, seq, event)
    return { event, seq, hash: previous }
  })
}
