// Owns what a launch is: one app in one EHR session, its code and its token, and the launch_id that
// names it. Pure rules. Contract §1 and §2, docs/inside/decisions/0004.
import type { AppKind, EndReason, HostStepName, LaunchState } from '@chartside/protocol/launch'
import { bearerOf, hashBearer, isSameHash } from '../kernel/identifiers.ts'
import type { Reason } from '../kernel/reasons.ts'
import type { LaunchKey } from '../keys/launch-key.ts'
import {
  decideSignInEnd,
  type End,
  firstEnd,
  type LivenessCutoff,
  type SignInTimes,
} from '../liveness/liveness.ts'
import type { parseLogoutNotice } from '../logout/logout.ts'
import type { ChartChange } from './chart-changes.ts'
import type { NamedValue } from './evidence.ts'
import type { ExchangeClient } from './exchange-client.ts'
import type { PageFacts } from './page-facts.ts'

/** The constant claims of a launch, stored with it so that an exchange reads no other row. */
export interface LaunchContext {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly account: { readonly id: string; readonly name: string }
  readonly sid: string
  readonly ehr_type: string
  readonly device_id: string
  /** The time in seconds when the provider signed in (OpenID Connect Core 2). */
  readonly auth_time: number
}

export interface Launch {
  readonly id: string
  /** The partition of its account. */
  readonly part: number
  readonly launchHash: string
  readonly appId: string
  readonly clientId: string
  readonly kind: AppKind
  readonly sessionId: string
  readonly signInId: string
  readonly context: LaunchContext
  readonly createdAt: number
  /** The launch may be authorized, also again, before this. */
  readonly expiresAt: number
  readonly authorizedAt: number | undefined
  readonly codeSpentAt: number | undefined
  /** The redirect URI to which its last code was sent. */
  readonly redirectUri: string | undefined
  /** A launch has it once its code was exchanged. */
  readonly tokenExpiresAt: number | undefined
  readonly tokenRevokedAt: number | undefined
  readonly openedAt: number | undefined
  readonly handshakeAt: number | undefined
  readonly contextAt: number | undefined
  readonly endedAt: number | undefined
  /** The arrival times of the last authorize and the exchange, and when their answers were ready. */
  readonly authorizeReceivedAt: number | undefined
  readonly authorizeAnsweredAt: number | undefined
  readonly exchangeReceivedAt: number | undefined
  readonly exchangeAnsweredAt: number | undefined
  readonly endedReason: EndReason | undefined
  /** The times of the sign-in behind it. */
  readonly signIn: SignInTimes
  /** The client of the exchange that redeemed the code, for the owner of the app only. */
  readonly exchangeClient: ExchangeClient | undefined
  /** The facts of the page that said hello. */
  readonly page: PageFacts | undefined
  /** The way in which the host handled each change of the chart beside it. */
  readonly chartChanges: readonly ChartChange[]
  /** The outcome of the notice to its server that the session ended. */
  readonly logoutNotice: ReturnType<typeof parseLogoutNotice>
  /** Counts all failed steps, also those that are not kept. */
  readonly failureCount: number
}

/** A failed step of a launch. */
export interface LaunchFailure {
  readonly id: string
  readonly launchId: string
  /** The partition of the launch, where it is known from its row and not from its identifier. */
  readonly part?: number
  readonly step: 'authorize' | 'exchange' | HostStepName
  readonly code: string
  readonly reason: Reason
  /** Says what happened where the reason alone is too general; replaces the cause of the reason. */
  readonly detail: string | undefined
  /** Replaces the fix of the reason. */
  readonly fix?: string | undefined
  /** The values that explain the failure, as {@link describeSent} gives them. */
  readonly sent?: readonly NamedValue[] | undefined
  /** Only the owner of the app sees the client. */
  readonly client?: ExchangeClient | undefined
  readonly traceId: string
  /** The time at which the request arrived; unknown for what a host reports. */
  readonly receivedAt?: number | undefined
  readonly failedAt: number
}

/**
 * The launch_id of a launch: its identifier and 256 bits that only the holder of the launch key can compute. It is
 * derived, not random: the database stores its hash only, and an ID token has to name the launch.
 */
export function buildLaunchId(launchKey: LaunchKey, id: string): string {
  return bearerOf('lnch', id, launchKey.mac(id))
}

/** The launch_id for a claim; undefined when the launch key has changed since the launch. */
export function deriveLaunchId(
  launchKey: LaunchKey,
  launch: { readonly id: string; readonly launchHash: string },
): string | undefined {
  const launchId = buildLaunchId(launchKey, launch.id)
  return isSameHash(hashBearer(launchId), launch.launchHash) ? launchId : undefined
}

/** The end of its token, else of the launch itself; undefined when its code bought no token. */
function expiryOf({ tokenExpiresAt, codeSpentAt, expiresAt }: Launch): number | undefined {
  return tokenExpiresAt ?? (codeSpentAt === undefined ? expiresAt : undefined)
}

/** Decides when and why the launch ended; undefined while it is live. The first end counts. */
export function decideLaunchEnd(launch: Launch, cutoff: LivenessCutoff): End | undefined {
  const { endedAt, endedReason, tokenRevokedAt, tokenExpiresAt, codeSpentAt } = launch
  const invalidatedAt = tokenExpiresAt === undefined ? codeSpentAt : undefined
  const expiresAt = expiryOf(launch)
  const end = (at: number | undefined, reason: EndReason) => at !== undefined && { at, reason }
  const ends = [
    // One of before reasons were recorded was the end of its session.
    end(endedAt, endedReason ?? 'closed'),
    end(tokenRevokedAt, 'revoked'),
    end(invalidatedAt, 'revoked'),
    expiresAt !== undefined && expiresAt <= cutoff.now && end(expiresAt, 'expired'),
    decideSignInEnd(launch.signIn, cutoff),
  ]
  return firstEnd(ends.map((one) => one || undefined))
}

export function decideLaunchState(launch: Launch, cutoff: LivenessCutoff): LaunchState {
  const end = decideLaunchEnd(launch, cutoff)
  if (end) return end.reason === 'expired' && end.at === expiryOf(launch) ? 'expired' : 'ended'
  if (launch.tokenExpiresAt !== undefined) return 'exchanged'
  return launch.authorizedAt === undefined ? 'opened' : 'authorized'
}

export type LaunchOutcome = 'failed' | 'opening' | 'ready' | 'ended'

/** Decides the outcome of the launch; launch-filter-store.ts has the same rule in SQL. */
export function decideLaunchOutcome(launch: Launch, cutoff: LivenessCutoff): LaunchOutcome {
  const isReady = launch.contextAt !== undefined
  if (!isReady && launch.failureCount > 0) return 'failed'
  if (decideLaunchEnd(launch, cutoff)) return 'ended'
  return isReady ? 'ready' : 'opening'
}
