// Owns what an EHR session is: a signed-in provider on an EHR page, on one device, with the content
// of the account's collection version for that EHR at the time it opened. Plain data. Contract §1
// and §3.
import type { EhrDefinition } from '../collections/collection.ts'
import type { PayloadOf } from '../http/call.ts'
import type { End, PlannedEnd } from '../liveness/liveness.ts'
import type { SESSION_APP } from './session-schema.ts'

/** An app as an EHR session lists it. */
export type SessionApp = PayloadOf<typeof SESSION_APP>

export interface EhrSession {
  readonly id: string
  readonly signInId: string
  readonly userId: string
  readonly account: { readonly id: string; readonly name: string }
  readonly ehrType: string
  readonly deviceId: string
  /** The published version that the session uses; none for an account without a collection. */
  readonly collection: { readonly id: string; readonly version: number } | undefined
  readonly ehr: EhrDefinition | undefined
  readonly apps: readonly SessionApp[]
  readonly createdAt: number
  /** The end; undefined while it is live: not ended, and the sign-in behind it is live. */
  readonly ended: End | undefined
}

export interface FoundSession extends EhrSession {
  /** The end of the sign-in behind it when no activity follows. */
  readonly plannedEnd: PlannedEnd
}

/** A session as the list shows it: without the definition of its EHR and without its apps. */
export interface ListedSession
  extends Pick<
    EhrSession,
    'id' | 'userId' | 'account' | 'ehrType' | 'deviceId' | 'collection' | 'createdAt' | 'ended'
  > {
  readonly userName: string
  /** The last activity of the sign-in behind it. */
  readonly lastSeenAt: number
  readonly launchCount: number
}
