// The types of a launch on the wire: the answers of the backend API to a host (browser extension,
// sandbox page) and its event stream. Types only; the server builds these values, the host reads
// them. Contract §3 (sessions and launches) and §5 (seed).

export type AppKind = 'ui' | 'worker'

/** What the SDK shows as `sessionContext` (spec §2.5). Context, never proof of identity. */
export interface SessionSeed {
  readonly userId: string
  readonly account: { readonly id: string; readonly name: string }
  readonly ehrType: string
  readonly sessionId: string
  readonly deviceId: string
}

/** An app as an EHR session lists it. */
export interface SessionApp {
  readonly id: string
  readonly name: string
  readonly iconUrl?: string
  readonly kinds: readonly AppKind[]
  /** The host opens these kinds at once. */
  readonly autoLaunch: boolean
}

/** `POST /api/sessions` and `GET /api/sessions/:id`. */
export interface EhrSession {
  readonly id: string
  readonly userId: string
  readonly account: { readonly id: string; readonly name: string }
  readonly ehrType: string
  readonly deviceId: string
  readonly state: 'live' | 'ended'
  readonly apps: readonly SessionApp[]
  /** RFC 3339. */
  readonly createdAt: string
}

/** The app of one launch, with what the host must enforce about its frame. */
export interface LaunchApp {
  readonly id: string
  readonly name: string
  readonly iconUrl?: string
  /** Registered token endpoint (spec §5.2); handed to the SDK with the seed. */
  readonly tokenEndpoint?: string
  /**
   * Exact origins whose documents may use this launch: launch URL, redirect URIs, allowed iframe
   * URLs.
   */
  readonly origins: readonly string[]
}

/**
 * `201` of `POST /api/sessions/:id/launches`. `id` is safe to show; `launchId` is a bearer value.
 */
export interface OpenedLaunch {
  readonly id: string
  readonly launchId: string
  readonly launchUrl: string
  /** RFC 3339; the launch must be authorized before this. */
  readonly expiresAt: string
  readonly app: LaunchApp
  readonly seed: SessionSeed
}

/** The steps of a launch in story order. The host reports `opened`, `handshake` and `context`. */
export const LAUNCH_STEPS = [
  'created',
  'opened',
  'authorize',
  'code',
  'exchange',
  'handshake',
  'context',
  'ended',
] as const
export type LaunchStepName = (typeof LAUNCH_STEPS)[number]
export type HostStepName = 'opened' | 'handshake' | 'context'

export interface LaunchStep {
  readonly step: LaunchStepName
  /** RFC 3339 with milliseconds. */
  readonly at: string
  readonly outcome: 'ok' | 'failed'
  /** The code that left on the wire, such as `invalid_grant`. Only on failures. */
  readonly code?: string
  /** The precise reason, such as `code_replayed`; only the app's owner sees it. */
  readonly reason?: string
  /** One sentence: what happened. */
  readonly cause?: string
  /** One sentence: what to do about it. */
  readonly fix?: string
  readonly traceId?: string
}

export type LaunchState = 'opened' | 'authorized' | 'exchanged' | 'ended' | 'expired'

/** `GET /api/launches/:id`, and the `launch` event of `GET /api/sessions/:id/events`. */
export interface LaunchView {
  readonly id: string
  readonly app: { readonly id: string; readonly name: string }
  readonly kind: AppKind
  readonly account: { readonly id: string; readonly name: string }
  readonly userId: string
  readonly sessionId: string
  readonly state: LaunchState
  readonly createdAt: string
  readonly expiresAt: string
  /** Present once the code was exchanged. */
  readonly tokenExpiresAt?: string
  readonly steps: readonly LaunchStep[]
}
