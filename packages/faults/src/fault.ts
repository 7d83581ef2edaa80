// What a fault is: a name, how it is put in, and checks that are facts seen from outside. Plain data and
// types for the catalog, the engine and the report. Holds no rule. Contract §15.
import type { Part, Step, Verdict, WireStep } from '@chartside/protocol/fault-grade'
import type { Intercept } from '@chartside/test-kit'

/** An exchange as it went over the wire. */
export interface SeenExchange {
  readonly code: string
  /** Milliseconds since the fault began. */
  readonly atMs: number
}

/** The failure that the frame reported to the host. The SDK names a trace in its message. */
interface ReportedFailure {
  readonly code: string
  readonly message: string
  readonly traceId?: string
}

/** The facts that were seen from outside while one fault was played. */
export interface Seen {
  readonly exchanges: readonly SeenExchange[]
  /** Requests at authorize, with their `launch`. */
  readonly authorized: readonly string[]
  /** Access tokens that the frame presented to the host. */
  readonly tokens: number
  /** The text of the frame at the end, without what is folded away. */
  readonly text: string
  /** The milliseconds until the frame first had a text other than that it opens. */
  readonly saidAfterMs: number | undefined
  readonly reported: readonly ReportedFailure[]
  readonly wire: readonly WireStep[]
  /** The trace ids that the service gave in this launch. */
  readonly traces: readonly string[]
  /** A launch after the fault was ready within its time. */
  readonly opensAgain: boolean | undefined
  /** Facts of this fault alone; undefined: not observable. */
  readonly facts: Readonly<Record<string, boolean | undefined>>
}

/** The app on a good day, before any fault. */
export interface Baseline {
  readonly isReady: boolean
  readonly text: string
  /** The name of the user stands in the frame. */
  readonly showsUser: boolean
  /** It has a screen: it is no worker. */
  readonly hasScreen: boolean
  readonly readyAfterMs: number
}

export interface Check {
  readonly name: string
  readonly part: Part
  /** The title says what a good app does. */
  readonly title: string
  /** The reason why it matters when the app does not. */
  readonly cause: string
  readonly fix: string
  judge(seen: Seen, baseline: Baseline): Verdict
}

/** The actions of a fault at its moment. The engine implements them. */
export interface Stage {
  /** Opens the launch in the frame, or another address of the app. */
  open(address?: { readonly query: Readonly<Record<string, string>> }): Promise<void>
  /** Waits until the app is ready, says something, or the time is over. */
  settle(maxMs?: number): Promise<void>
  /** A second page of the same browser, with a launch of its own: the texts of both frames, settled. */
  openBeside(): Promise<{ own: string; beside: string; besideName: string }>
  /** Ends or commands the launch as the panel does. */
  readonly panel: {
    end(reason: 'signed_out' | 'expired' | 'app_disabled'): void
    sendExpiring(seconds: number): void
    setChart(key: string): void
    shownChart(): string | null | undefined
    rejectTokens(): void
  }
  /** Types into the first field of the frame. False: there is none. */
  type(text: string): Promise<boolean>
  /** The values of all fields of the frame. */
  fields(): Promise<string>
  /** A new launch in the same page, for the same user. */
  launchAgain(): Promise<void>
  setOffline(isOffline: boolean): Promise<void>
  /** The requests that the frame sent to the app since the last call. */
  takeRequests(): readonly string[]
  wait(ms: number): Promise<void>
  /** Notes a fact of this fault. */
  note(name: string, value: boolean | undefined): void
  readonly userName: string
}

export interface Fault {
  readonly name: string
  readonly step: Step
  readonly by: 'host' | 'wire' | 'redirect' | 'issuer' | 'browser'
  readonly title: string
  /** Makes the intercept between the app and the service, for this launch. */
  readonly intercept?: (tools: InterceptTools) => Intercept
  /** It changes what all launches of a run share, so no other fault is played beside it. */
  readonly isAlone?: true
  /** The app may keep keys for this long before it looks for new ones. */
  readonly afterKeysMs?: number
  /** True refuses storage to the frame. */
  readonly deniesStorage?: true
  /** Default: the launch is opened, and settles. */
  readonly play?: (stage: Stage) => Promise<void>
  readonly checks: readonly Check[]
}

/** The tools that an intercept may use beside the request. */
export interface InterceptTools {
  wait(ms: number): Promise<void>
  /** An ID token of a kind in place of the one that the service signs; `claims` of it stay. */
  mintIdToken(kind: string, claims: Readonly<Record<string, unknown>>): string
  rotateKey(): Promise<void>
  /** The clock of the service goes on by this much. */
  advance(ms: number): void
}
