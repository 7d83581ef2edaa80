// The messages between the panel and the background of the extension: the state that the panel shows,
// the grant with which it hosts the UI apps of one EHR session, and the commands that it sends.
// The port is named `panel`; only pages of the extension may open it. Types and constants, no I/O.
import type { EndReason } from '@chartside/protocol/handshake'
import type { EhrSession, OpenedLaunch } from '@chartside/protocol/launch'
import type { Preflight, ProblemReport } from '@chartside/protocol/payloads'

export const PANEL_PORT = 'panel'
/**
 * The panel page of one tab is `panel.html?tab=<id>`; the background reads the tab from its address. Without
 * a tab it is the panel of a window, which the browser shows beside tabs that have none of their own. That
 * one shows the panels of its tabs with charts inside, as `panel.html?tab=<id>&in=window`.
 */
export const PANEL_PAGE = 'panel.html'

export type SessionApp = EhrSession['apps'][number]
export type Practice = EhrSession['account']

/** A background app, as the offscreen document reports it. */
export interface WorkerApp {
  readonly appId: string
  readonly name: string
  readonly iconUrl?: string
  readonly state:
    | { readonly kind: 'opening' }
    | { readonly kind: 'ready' }
    | {
        readonly kind: 'failed'
        /** `code`, `cause` and `fix` are for support; a provider gets words of the panel's own. */
        readonly code: string
        readonly cause: string
        readonly fix: string
      }
    | { readonly kind: 'ended'; readonly reason: EndReason }
    | { readonly kind: 'disabled' }
}

/** An EHR that the person's practices use and that the browser does not let the extension see yet. */
export interface MissingAccess {
  readonly ehrName: string
  /**
   * The origins for `chrome.permissions.request({ origins })`, which the panel calls itself, in the click.
   * The background notices the grant; no command follows.
   */
  readonly origins: readonly string[]
}

/** The reason why the person is signed out; null at the first start and after the person's own sign-out. */
export type SignedOutReason = EndReason | 'refused' | 'timed_out' | 'unreachable' | null

export type PanelView =
  /** No service is configured: a button sends `openSetup`. */
  | { readonly kind: 'setup_needed' }
  | { readonly kind: 'signed_out'; readonly because: SignedOutReason }
  /** The person compares the code with the page in the sign-in tab. Milliseconds since 1970. */
  | { readonly kind: 'signing_in'; readonly matchCode: string; readonly expiresAt: number }
  /** The person is signed in, and this tab shows no EHR of the person's practices. */
  | {
      readonly kind: 'no_ehr'
      readonly ehrs: readonly { readonly name: string; readonly practice: string }[]
      readonly missingAccess: readonly MissingAccess[]
    }
  /** Two practices use the EHR of this tab: the answer is remembered for this EHR. */
  | {
      readonly kind: 'choose_practice'
      readonly ehrName: string
      readonly practices: readonly Practice[]
    }
  | { readonly kind: 'opening'; readonly ehrName: string; readonly practice: Practice }
  /** The practice runs no app on this EHR. */
  | { readonly kind: 'nothing_set_up'; readonly ehrName: string; readonly practice: Practice }
  | {
      readonly kind: 'session'
      readonly sessionId: string
      readonly ehrName: string
      readonly practice: Practice
      /** The apps with a panel, in the order of the collection. */
      readonly apps: readonly SessionApp[]
      readonly workers: readonly WorkerApp[]
      /** The EHR has no patterns of charts. */
      readonly isChartUnnoticed?: true
    }
  /** The EHR session has ended while the person stays signed in: `openAgain` opens the next. */
  | { readonly kind: 'ended'; readonly reason: EndReason; readonly ehrName: string }
  /** The EHR session could not be opened; `openAgain` tries again. */
  | {
      readonly kind: 'failed'
      readonly ehrName: string
      readonly code: string
      readonly message: string
      readonly traceId: string | null
    }

/** The state of the background that the panel shows. It holds no bearer value. */
export interface PanelState {
  readonly view: PanelView
  readonly person: {
    readonly name: string
    readonly email: string
    /** A developer of a vendor or practice: the panel then offers its diagnostics. */
    readonly isDeveloper?: true
  } | null
  /** Another practice of the person uses the EHR of this tab as well. */
  readonly canChangePractice?: true
  /** Another service was typed on the first-run page; `chooseService` answers. */
  readonly serviceChange?: { readonly from: string; readonly to: string }
  /** The service cannot be reached; apps that are open stay open. */
  readonly isOffline: boolean
  /** The tabs with an EHR page, and those that have a panel of their own; only for the panel of a window. */
  readonly chartTabs?: readonly number[]
  readonly ownPanels?: readonly number[]
  /** True when the tab to which a sign-in returns was closed meanwhile; only for the panel of a window. */
  readonly isOriginGone?: true
  /** The time when the person is signed out for want of activity, once that is near. Milliseconds since 1970. */
  readonly signsOutAt: number | null
}

/**
 * The options of `createHost` by which the panel hosts the UI apps of its EHR session. They hold the
 * session token, so they are kept in memory only and never rendered or logged.
 */
export interface HostGrant {
  /** The base URL of the service. */
  readonly service: string
  readonly sessionToken: string
  readonly session: EhrSession
  /**
   * Launches that were opened together with the session because the panel was open: each goes into
   * `host.open({ appId, kind: 'ui', mount, launch })`, once. The host opens any other launch itself.
   */
  readonly launches: readonly OpenedLaunch[]
  /** The chart is absent when the EHR has no patterns; it is null when no chart is open. It stays in the browser. */
  readonly chart?: string | null
  readonly chartKey?: string
}

export type BackgroundMessage =
  | { readonly type: 'state'; readonly state: PanelState }
  /**
   * Comes before the first state with the view `session` of this session, and again when the port
   * was opened again; then `launches` is empty. A panel that has a host of the session keeps it.
   */
  | {
      readonly type: 'grant'
      readonly grant: HostGrant
      /** The UI app that is in front at first; null: the person chooses. */
      readonly opensWith: string | null
    }
  /** The tab shows another chart now; null when none is open. */
  | { readonly type: 'chart'; readonly chart: string | null }
  /** The session of an earlier grant is over: close its host and forget the token. */
  | { readonly type: 'withdraw'; readonly sessionId: string; readonly reason: EndReason }
  /** The answer to the command of the same name. */
  | { readonly type: 'preflight'; readonly appId: string; readonly answer: PreflightAnswer }
  /** The answer to `report`: why it was not sent; null when it was. */
  | { readonly type: 'reported'; readonly failure: string | null }

/** The report of a person about the open app; it has no identifier of a chart. */
export type Problem = Pick<ProblemReport, 'message' | 'launchId' | 'traceId' | 'versions'> & {
  readonly appId?: string
}

export type PreflightAnswer = Preflight | { readonly failure: string }

export type PanelCommand =
  | { readonly type: 'openSetup' }
  | { readonly type: 'chooseService'; readonly isProposed: boolean }
  | { readonly type: 'signIn' }
  | { readonly type: 'showSignInTab' }
  | { readonly type: 'cancelSignIn' }
  | { readonly type: 'signOut' }
  /** The person wants to stay signed in: activity, sent at once. */
  | { readonly type: 'stay' }
  /** Keys or pointer in the panel; the background sends it to the service once a minute at most. */
  | { readonly type: 'activity' }
  | { readonly type: 'choosePractice'; readonly practiceId: string }
  /** The person opened this app: the next chart of the EHR may begin with it. */
  | { readonly type: 'appChosen'; readonly appId: string }
  /** Closes the session of the tab, and asks again. */
  | { readonly type: 'changePractice' }
  | { readonly type: 'openAgain' }
  /** A command of developers: the service visits the registered pages of the app. */
  | { readonly type: 'preflight'; readonly appId: string }
  /** Reports to the administrators of the practice. */
  | { readonly type: 'report'; readonly practiceId: string; readonly problem: Problem }
  /** Launches a failed or ended background app again. */
  | { readonly type: 'retryWorker'; readonly appId: string }
  /**
   * The UI launches that are in frames of this panel, after each change, by `Launch.id`. The host of
   * the panel ends a launch whose frame is gone; the background ends those of a panel that crashed.
   */
  | { readonly type: 'launches'; readonly launches: readonly string[] }
