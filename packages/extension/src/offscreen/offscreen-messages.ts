// The messages between the background and the offscreen document, and between the content script and
// the background. Types only.
import type { EndReason } from '@chartside/protocol/handshake'
import type { HostGrant, WorkerApp } from '../messages.ts'

export type ToOffscreen =
  | { readonly type: 'host'; readonly grant: HostGrant }
  | { readonly type: 'unhost'; readonly sessionId: string }
  | { readonly type: 'set_chart'; readonly sessionId: string; readonly chart: string | null }
  | { readonly type: 'retry'; readonly sessionId: string; readonly appId: string }
  /** Asks for the ids of the sessions. */
  | { readonly type: 'list' }

export type FromOffscreen =
  | { readonly type: 'worker'; readonly sessionId: string; readonly worker: WorkerApp }
  | { readonly type: 'ended'; readonly sessionId: string; readonly reason: EndReason }
  | { readonly type: 'planned'; readonly at: number | null }
  | { readonly type: 'reachable'; readonly isOffline: boolean }

export type FromPage =
  /** Asks whether the page is of an EHR; the answer `{ isEhr }` comes at once. */
  | { readonly type: 'page'; readonly url: string; readonly isNew: boolean }
  /** The address of a frame; null when its document goes. */
  | { readonly type: 'frame'; readonly url: string | null }
  /** Waits for true, once the apps of the page are opened; a background that starts over does not answer. */
  | { readonly type: 'wait' }
  /** The person clicked the handle. */
  | { readonly type: 'open_panel' }
  | { readonly type: 'activity' }
