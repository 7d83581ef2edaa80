// What a break is: a mistake or an outage, the app that has it, and what a person reads then. Plain
// data: the tables of this folder are played in Chromium by breaks.browser.ts, and written to
// a page by `npm run tool -- breaks`. Holds no rule.
import type { AppKit, AppKitOptions, Tokens } from '@chartside/app-kit/server'
import type { Page } from 'playwright-core'
import type { ServiceApi } from '../../../examples/sandbox/src/service-api.ts'

/** What the page of the app does on its callback. */
export type Mode =
  /** Exchange, SDK, session: as the guides say. */
  | 'standard'
  | 'twice'
  | 'no-init'
  | 'script-error'
  | 'uncaught-error'
  | 'without-token'
  | 'id-token-as-access-token'
  | 'get-id-token'
  | 'foreign-token'
  /** Without the kit: nothing but the SDK speaks for the page. */
  | 'by-hand'
  | 'by-hand-twice'
  | 'by-hand-no-init'
  | 'session-twice'
  | 'needs-cookie'

/** The app of one break, registered and served. */
export interface BrokenApp {
  readonly name: string
  readonly slug: string
  readonly id: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where the browser sees it. */
  readonly origin: string
  readonly service: string
  /** The launch_id of each launch that arrived, oldest first. */
  readonly launchIds: string[]
  /** An access token of another launch. */
  foreignToken: string
  /** Of each exchange that succeeded. */
  readonly tokens: Tokens[]
}

export interface AppSetup {
  readonly mode?: Mode
  /** Fields of the registration that differ. */
  readonly registration?: (origin: string) => object
  /** Changes the authorize request on its way. */
  readonly authorize?: (query: URLSearchParams, app: BrokenApp, bench: Bench) => unknown
  /** Changes the answer of authorize on its way. */
  readonly callback?: (query: URLSearchParams) => void
  /** Answers in place of the app. */
  readonly answer?: (
    url: URL,
    app: BrokenApp,
    request: Request,
  ) => Response | Promise<Response | undefined> | undefined
  /** The page loads an SDK that speaks another version of the handshake. */
  readonly hasOtherSdk?: true
  /** Of its pages. */
  readonly headers?: Readonly<Record<string, string>>
  readonly kit?: (app: BrokenApp, bench: Bench) => Partial<AppKitOptions>
  readonly exchange?: (
    kit: AppKit,
    code: string,
    app: BrokenApp,
    bench: Bench,
  ) => Promise<Tokens | Response>
}

/** What all breaks share: one service, its administrator, and its stored rows. */
export interface Bench {
  readonly service: string
  /** The origin of the sample EHR. */
  readonly host: string
  readonly api: ServiceApi
  /** As time passes: changes the stored moments of one launch. */
  age(launchId: string, column: 'expires_at' | 'code_expires_at', byMs: number): void
  find(name: string): BrokenApp
}

export interface BreakRun {
  /** The sample EHR. */
  readonly page: Page
  readonly app: BrokenApp
  readonly bench: Bench
  /** Waits until the app works. */
  ready(): Promise<void>
  /** What follows is what breaks: the seconds count from here. */
  begin(): void
}

/** On a quiet machine it is below one second; a test machine has other work too. */
export const SOON = 5
/** Nothing of the app speaks, and the service sees nothing wrong: the host says after ten seconds what it saw. */
export const SILENT = 20

export interface Break {
  /** The name of its app too. */
  readonly name: string
  /** A code that the page, the card and the cover of the panel all name. */
  readonly code: string
  /** A page outside the panel cannot reach the host: it names another code. */
  readonly pageCode?: string
  readonly app?: AppSetup
  /** Plays while no other does in its chart. */
  readonly isAlone?: true
  /** No other break can follow it in its chart. */
  readonly endsChart?: true
  /** Before the app is opened. */
  readonly prepare?: (run: BreakRun) => Promise<unknown>
  /** After the app was opened. Returns another page of the app than the frame, where there is one. */
  readonly play?: (run: BreakRun) => Promise<unknown>
  /** In the frame: words of the app or of the service; `silent`: what it shows in their place. */
  readonly page: string | { readonly silent: string }
  /** The state of the card, and words of its failed step or of a note; null: there is no launch. */
  readonly card: readonly [state: string, words: string] | null
  /** Words for the provider, on the cover or in the app's page. */
  readonly panel: string
  readonly seconds: number
  /** What the page reports after it, as a consequence. */
  readonly followedBy?: string
}
