// What happens to the background, and what it does about it: two unions. Events come from the browser,
// the panel, the offscreen document, the content script and the service; effects are run by effects.ts,
// whose results are events again.
import type { EndReason } from '@chartside/protocol/handshake'
import type { EhrSession, OpenedLaunch } from '@chartside/protocol/launch'
import type { MissingAccess, SignedOutReason, WorkerApp } from '../messages.ts'
import type { Settings } from '../settings.ts'
import type { Failure, Person, PracticeEhrs, PreparedSignIn, State, Target } from './state.ts'

export type Event =
  /** The background runs again. What it finds may differ from what it remembers. */
  | {
      readonly type: 'started'
      readonly tabs: readonly number[]
      readonly panels: readonly number[]
      /** The sessions that the offscreen document hosts. */
      readonly hosted: readonly string[]
      readonly now: number
    }
  | { readonly type: 'settings_changed'; readonly settings: Settings | null }
  /** The person wants the service that was typed last, or stays with the one before. */
  | { readonly type: 'service_chosen'; readonly isProposed: boolean }
  | {
      readonly type: 'sign_in_asked'
      readonly prepared: PreparedSignIn
      readonly originTabId: number | null
    }
  | ({ readonly type: 'sign_in_tab_opened' } & SignInTab)
  /** A tab came back from the service, approved; not every tab is the one that was opened. */
  | { readonly type: 'sign_in_approved'; readonly tabId: number; readonly proof: string }
  | { readonly type: 'sign_in_tab_asked'; readonly originTabId: number | null }
  | { readonly type: 'sign_in_tab_stranded'; readonly tabId: number }
  | { readonly type: 'sign_in_cancelled' }
  | {
      readonly type: 'signed_in'
      readonly service: string
      readonly sessionId: string
      readonly token: string
      readonly person: Person
      readonly now: number
    }
  | {
      readonly type: 'sign_in_failed'
      readonly sessionId: string
      readonly because: SignedOutReason
    }
  | { readonly type: 'sign_out_asked' }
  /** The service does not know the token any more. */
  | { readonly type: 'signed_out'; readonly token: string; readonly because: EndReason }
  | {
      readonly type: 'practices_loaded'
      readonly token: string
      readonly practices: readonly PracticeEhrs[]
    }
  /** The live sessions of the sign-in, as the service knows them. */
  | {
      readonly type: 'sessions_listed'
      readonly token: string
      readonly sessions: readonly string[]
    }
  /** A page or a panel has opened: what is old is asked for again. */
  | { readonly type: 'window_focused'; readonly now: number }
  | { readonly type: 'access_changed'; readonly missingAccess: readonly MissingAccess[] }
  /** The tab has a page; `isNew`: it is another document, whose frames are new. */
  | {
      readonly type: 'page_seen'
      readonly tabId: number
      readonly url: string
      readonly isNew?: boolean
    }
  /** A frame of the page has this address; null when its document is gone. */
  | {
      readonly type: 'frame_seen'
      readonly tabId: number
      readonly frameId: number
      readonly url: string | null
    }
  | { readonly type: 'page_left'; readonly tabId: number }
  | { readonly type: 'tab_closed'; readonly tabId: number }
  | { readonly type: 'practice_chosen'; readonly tabId: number; readonly practiceId: string }
  | { readonly type: 'practice_change_asked'; readonly tabId: number }
  | { readonly type: 'open_again_asked'; readonly tabId: number }
  | {
      readonly type: 'session_opened'
      readonly tabId: number
      readonly attempt: number
      readonly session: EhrSession
      readonly launches: readonly OpenedLaunch[]
      readonly chartKey?: string
    }
  | {
      readonly type: 'session_refused'
      readonly tabId: number
      readonly attempt: number
      readonly failure: Failure
    }
  | { readonly type: 'launches_taken'; readonly launches: readonly string[] }
  | { readonly type: 'worker_changed'; readonly sessionId: string; readonly worker: WorkerApp }
  | { readonly type: 'session_ended'; readonly sessionId: string; readonly reason: EndReason }
  | { readonly type: 'sign_out_planned'; readonly at: number | null }
  | { readonly type: 'reachable'; readonly isOffline: boolean }
  | { readonly type: 'panel_opened'; readonly tabId: number; readonly isEmbedded: boolean }
  | { readonly type: 'app_chosen'; readonly tabId: number; readonly appId: string }
  | { readonly type: 'panel_closed'; readonly tabId: number }
  | {
      readonly type: 'panel_launches'
      readonly tabId: number
      readonly launches: readonly string[]
    }
  | { readonly type: 'worker_retry_asked'; readonly tabId: number; readonly appId: string }
  | { readonly type: 'active'; readonly now: number; readonly isUrgent: boolean }

export type Effect =
  | {
      readonly type: 'open_sign_in_tab'
      readonly prepared: PreparedSignIn
      /** The practice that the policy names. */
      readonly accountId: string | null
      readonly originTabId: number | null
    }
  | { readonly type: 'show_tab'; readonly tabId: number }
  | ({ readonly type: 'close_sign_in_tab' } & SignInTab)
  /** Polls until the flow is approved, refused or over; nothing waits for it. */
  | { readonly type: 'poll_sign_in'; readonly prepared: PreparedSignIn }
  /** Signs out at the service that gave the token, which may not be the configured one any more. */
  | { readonly type: 'sign_out'; readonly service: string; readonly token: string }
  /** A session ended: has its sign-in ended, too? */
  | { readonly type: 'check_sign_in'; readonly token: string; readonly because: EndReason }
  | {
      readonly type: 'load_practices'
      readonly token: string
      readonly accountId: string | null
      /** Definitions that have not changed since are not sent again. */
      readonly known: readonly PracticeEhrs[]
    }
  /** Asks which sessions are open at the service, and do not belong to a tab. */
  | { readonly type: 'list_sessions'; readonly token: string; readonly isLater: boolean }
  /** One content script for each host pattern; none for an empty list. */
  | { readonly type: 'watch_pages'; readonly practices: readonly PracticeEhrs[] }
  | {
      readonly type: 'open_session'
      readonly token: string
      readonly tabId: number
      readonly attempt: number
      readonly target: Target
      readonly deviceId: string
      readonly launch: readonly ('worker' | 'ui')[]
    }
  | { readonly type: 'end_session'; readonly token: string; readonly sessionId: string }
  | { readonly type: 'end_launch'; readonly token: string; readonly launch: string }
  | {
      readonly type: 'host'
      readonly token: string
      readonly session: EhrSession
      readonly launches: readonly OpenedLaunch[]
    }
  | { readonly type: 'unhost'; readonly sessionId: string }
  /** Tells the chart to the host of the Worker apps. */
  | { readonly type: 'set_chart'; readonly sessionId: string; readonly chart: string | null }
  | { readonly type: 'retry_worker'; readonly sessionId: string; readonly appId: string }
  | { readonly type: 'report_activity'; readonly token: string; readonly sessionId: string }
  | { readonly type: 'confirm_service'; readonly service: string }
  /** Keeps the values beyond this run of the browser. */
  | { readonly type: 'remember'; readonly values: Partial<Pick<State, 'choices' | 'lastApps'>> }

/** Closing a tab shows the one beside it, which may be the chart of another patient. */
interface SignInTab {
  readonly tabId: number
  readonly originTabId: number | null
}

export interface Decision<S> {
  readonly state: S
  readonly effects: readonly Effect[]
}
