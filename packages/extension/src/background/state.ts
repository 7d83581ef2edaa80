// Everything that the background knows: who is signed in, which tab shows which EHR, which sessions
// and launches are open. Plain data, kept in chrome.storage.session, because the browser stops the
// background at any moment. It holds the session token and launch_ids, so only trusted contexts read it.
import type { EhrSession, OpenedLaunch } from '@chartside/protocol/launch'
import type { EhrDefinition } from '@chartside/protocol/payloads'
import type { MissingAccess, Practice, SignedOutReason, WorkerApp } from '../messages.ts'
import type { Settings } from '../settings.ts'

export interface State {
  readonly settings: Settings | null
  /** The id is made at the installation. */
  readonly deviceId: string
  readonly signIn: SignIn
  /** The tabs by their id; only tabs that show an EHR, or have a panel. */
  readonly tabs: Readonly<Record<string, Tab>>
  /** Sessions that were open when the browser ended: the next sign-in of the person ends them. */
  readonly leftover: readonly string[]
  /** The account that a person chose for an EHR that several practices use; by {@link choiceKey}. */
  readonly choices: Readonly<Record<string, string>>
  /** The app that a person opened last, of each practice and EHR; by {@link ehrKey}. */
  readonly lastApps: Readonly<Record<string, string>>
  readonly missingAccess: readonly MissingAccess[]
  /** A sign-in tab that stays open: the chart to return to is gone, and another one must not appear. */
  readonly strandedTabId: number | null
  readonly isOffline: boolean
  /** Counts the sessions that were asked for, so that a late answer is known as late. */
  readonly attempts: number
}

export type SignIn =
  | { readonly kind: 'out'; readonly because: SignedOutReason }
  | ({
      readonly kind: 'waiting'
      readonly tabId: number | null
      /** The tab to return to: *Sign in* was pressed beside it. */
      readonly originTabId: number | null
      /** The value that the approval left in the tab; the poll shows it. */
      readonly proof: string | null
    } & PreparedSignIn)
  | {
      readonly kind: 'in'
      readonly token: string
      readonly person: Person
      /** The practices; null until they are loaded. */
      readonly practices: readonly PracticeEhrs[] | null
      /** The time of the last request. */
      readonly practicesAt: number
      /** The time when the sign-in ends for want of activity, once that is near. Milliseconds since 1970. */
      readonly signsOutAt: number | null
      readonly activeAt: number
    }

/** The parts of a sign-in that are made outside of the rules, because they are random. */
export interface PreparedSignIn {
  readonly sessionId: string
  /** The secret, whose hash the service has. */
  readonly verifier: string
  readonly matchCode: string
  /** The origin of this extension. */
  readonly hostOrigin: string
  readonly expiresAt: number
}

export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly memberships?: readonly { readonly role: string }[]
}

export interface PracticeEhrs {
  readonly practice: Practice
  readonly ehrs: readonly EhrDefinition[]
  /** The entity tag of the definitions. */
  readonly etag: string | null
}

export interface Tab {
  /** The address of the EHR page; null for a tab that shows none. */
  readonly url: string | null
  readonly panel: TabPanel | null
  /**
   * The patterns of charts of the last EHR session here: work that it left in the panel is guarded on.
   * Absent while the EHR has none.
   */
  readonly charts?: readonly string[]
  /** The addresses of the frames of the page, the newest last. */
  readonly frames?: readonly { readonly frameId: number; readonly url: string }[]
  readonly session: TabSession
}

export interface TabPanel {
  readonly launches: readonly string[]
  /** True for a panel that is shown inside the panel of a window. */
  readonly isEmbedded: boolean
}

/** The practice and EHR of a tab. */
export interface Target {
  readonly practice: Practice
  readonly ehrType: string
  readonly ehrName: string
}

export type TabSession =
  | { readonly kind: 'none' }
  | { readonly kind: 'choose'; readonly among: readonly Target[] }
  | { readonly kind: 'opening'; readonly attempt: number; readonly target: Target }
  | {
      readonly kind: 'live'
      readonly target: Target
      readonly session: EhrSession
      /** The launches that are not yet in a frame: the offscreen document or the panel takes them, once. */
      readonly launches: readonly OpenedLaunch[]
      readonly workers: readonly WorkerApp[]
      /** The random key by which hosts of the session make the same references. It never leaves the browser. */
      readonly chartKey?: string
    }
  | { readonly kind: 'ended'; readonly target: Target; readonly reason: EndReason }
  | ({ readonly kind: 'failed'; readonly target: Target } & Failure)

type EndReason = Extract<WorkerApp['state'], { kind: 'ended' }>['reason']

export interface Failure {
  readonly code: string
  readonly message: string
  readonly traceId: string | null
  /** The same may succeed later. */
  readonly isTransient: boolean
}

export const NO_SESSION: TabSession = { kind: 'none' }

export const emptyState = (
  deviceId: string,
  settings: Settings | null,
  leftover: readonly string[] = [],
): State => ({
  settings,
  deviceId,
  leftover,
  signIn: { kind: 'out', because: null },
  tabs: {},
  choices: {},
  lastApps: {},
  missingAccess: [],
  strandedTabId: null,
  isOffline: false,
  attempts: 0,
})

export const ehrKey = (personId: string, { practice, ehrType }: Target): string =>
  `${personId} ${practice.id} ${ehrType}`

/** A choice holds for one person on one origin. */
export const choiceKey = (personId: string, url: string): string =>
  `${personId} ${new URL(url).origin}`

/** The state that a start of the background finds; `save` keeps what comes after. */
export interface LoadedState {
  readonly state: State
  /** Patterns of EHR pages, remembered beyond a sign-in. */
  readonly watched: readonly string[]
  save(state: State): Promise<void>
}
