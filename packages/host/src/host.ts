// Wires a host together: frames, handshake, service. Contract §5.
import type { AppKind, EhrSession } from '@chartside/protocol/launch'
import type { Clock } from './clock.ts'
import type { HostEvent, OpenFrame } from './events.ts'

export interface HostOptions {
  /** Base URL of the service, such as `http://localhost:4700`. */
  readonly service: string
  /** The signed-in user's session token (`st_…`); it never enters a frame. */
  readonly sessionToken: string
  readonly session: EhrSession
  onEvent(event: HostEvent): void
  /** How long a frame may stay without a hello before `silent` is reported. Default 10,000. */
  readonly helloTimeoutMs?: number
  readonly window?: Window
  readonly fetch?: typeof fetch
  readonly clock?: Clock
}

export interface OpenOptions {
  readonly appId: string
  readonly kind: AppKind
  /** The element that receives the iframe; its size and visibility are the caller's. */
  readonly mount: HTMLElement
}

export interface Host {
  /** Launches an app in a new iframe. Rejects with HostError; nothing is mounted then. */
  open(options: OpenOptions): Promise<OpenFrame>
  /** Closes every frame and stops listening. The EHR session itself goes on. */
  close(): void
}

export function createHost(_options: HostOptions): Host {
  throw new Error('not built yet')
}
