// The model of the timeline: one card per launch, from the steps that the service streams and the
// events of the host in this page. Pure: events and times in, cards out. Owns no DOM.
// Contract §3 (the timeline of a launch), §5 (the host's events).
import {
  type EndReason,
  explainEnd,
  type HostEvent,
  type LaunchState,
  NOT_STARTED,
  nextLaunchState,
  withMissingStep,
} from '@chartside/host'
import type { Launch, LaunchStep, LaunchStepName } from '@chartside/protocol/launch'
import { HANDSHAKE_TIMEOUT } from '@chartside/protocol/launch-steps'
import { shownKind } from './launch-words.ts'
import { describeTimes } from './times.ts'

export interface CardStep {
  readonly step: LaunchStepName
  readonly outcome: 'ok' | 'failed' | 'pending'
  /** Milliseconds since 1970; null while pending. */
  readonly at: number | null
  /** Whose time it was, as words; empty while it is not known. */
  readonly times: string
  readonly failure: Failure | null
}

export interface Failure {
  readonly code: string
  readonly reason: string | null
  readonly cause: string
  readonly fix: string | null
  readonly traceId: string | null
}

export interface Note {
  readonly at: number
  readonly text: string
}

export interface Card {
  readonly id: string
  readonly app: string
  readonly kind: 'ui' | 'worker'
  /** Of the host, but `replaced` once another launch took the frame. */
  readonly state: LaunchState['kind'] | 'replaced'
  /** Named when the state is `failed`. */
  readonly failedStep: LaunchStepName | null
  readonly startedAt: number
  /** From `created` to the session context; null until then. */
  readonly totalMs: number | null
  readonly steps: readonly CardStep[]
  readonly notes: readonly Note[]
}

/** The steps of a launch without a failure. */
const EXPECTED_STEPS: readonly LaunchStepName[] = [
  'created',
  'opened',
  'authorize',
  'code',
  'exchange',
  'handshake',
  'context',
]

/** A failure in the host's words, which are more precise than the recorded step. */
interface Report {
  readonly step: LaunchStepName
  readonly at: number
  readonly failure: Failure
}

/** Of one card. An app in a loop must not fill the page. */
const MAX_NOTES = 50

interface Entry {
  state: LaunchState
  view: Launch | null
  /** When the host notified the app; after a sign-out the stream sends no more steps. */
  endedAt: number | null
  /** Another launch replaced this one in the frame. */
  isReplaced: boolean
  /** By the code of the recorded step. */
  readonly reports: Map<string, Report>
  readonly notes: Note[]
}

export class Timeline {
  readonly #entries = new Map<string, Entry>()

  /** Takes one event of the host; returns the id of the launch whose card changed. */
  apply(event: HostEvent, now: number): string | null {
    switch (event.type) {
      case 'launch':
        return this.#see(event.view)
      case 'refused':
        return this.#report(event.launch, now, event.step, event.code, event, event.traceId)
      case 'hello_timeout':
        return this.#report(event.launch, now, event.step, HANDSHAKE_TIMEOUT, event, '')
      case 'expiring':
        return this.#note(event.launch, now, `The access token ends in ${event.inSeconds} s.`)
      case 'ended':
        this.#entry(event.launch).endedAt ??= now
        return this.#note(event.launch, now, this.#explainEnd(event.launch, event.reason))
      case 'relaunched':
        this.#entry(event.previous).isReplaced = true
        return this.#note(event.previous, now, RELAUNCHES[event.because])
      case 'ignored':
        return event.frame
          ? this.#noteIgnored(event.frame.launch.id, now, `${event.message} (${event.origin})`)
          : null
      default:
        return null
    }
  }

  /** A launch of the page before its reload: its frame is gone. */
  restore(view: Launch, now: number): void {
    const entry = this.#entry(view.id)
    entry.view = view
    entry.isReplaced = true
    entry.state = nextLaunchState(entry.state, { type: 'launch', view })
    this.#note(view.id, now, 'The page was reloaded, and the app was launched again.')
  }

  /** Of the host, after each event that changes it. */
  setState(launch: string, state: LaunchState): void {
    this.#entry(launch).state = state
  }

  /** Newest first. */
  cards(): Card[] {
    return [...this.#entries.values()]
      .flatMap((entry) => (entry.view ? [buildCard(entry.view, entry)] : []))
      .sort((a, b) => b.startedAt - a.startedAt)
  }

  card(id: string): Card | null {
    const entry = this.#entries.get(id)
    return entry?.view ? buildCard(entry.view, entry) : null
  }

  /** An app that was deleted meanwhile keeps the name under which it was opened. */
  #see(view: Launch): string {
    const entry = this.#entry(view.id)
    entry.view = { ...view, app: entry.view?.app ?? view.app }
    return view.id
  }

  #entry(id: string): Entry {
    const known = this.#entries.get(id)
    if (known) return known
    const entry: Entry = {
      state: NOT_STARTED,
      view: null,
      endedAt: null,
      isReplaced: false,
      reports: new Map(),
      notes: [],
    }
    this.#entries.set(id, entry)
    return entry
  }

  #report(
    id: string,
    at: number,
    step: LaunchStepName,
    code: string,
    { message, fix }: { readonly message: string; readonly fix: string },
    traceId: string,
  ): string {
    const failure = {
      code,
      reason: null,
      cause: message,
      fix: fix || null,
      traceId: traceId || null,
    }
    this.#entry(id).reports.set(code.toUpperCase(), { step, at, failure })
    return id
  }

  #explainEnd(id: string, reason: EndReason): string {
    const hadToken = this.#entry(id).view?.tokenExpiresAt !== undefined
    return explainEnd(reason, { hadToken }).developer
  }

  #noteIgnored(id: string, at: number, text: string): string | null {
    return this.#entry(id).notes.length < MAX_NOTES ? this.#note(id, at, text) : null
  }

  #note(id: string, at: number, text: string): string {
    this.#entry(id).notes.push({ at, text })
    return id
  }
}

const RELAUNCHES = {
  expired: 'The token had expired; the app was launched again.',
  requested: 'The app was launched again.',
  chart_changed: 'Another chart was opened, and the app was launched again for it.',
}

function buildCard(seen: Launch, { state, endedAt, isReplaced, reports, notes }: Entry): Card {
  const view = withEnd(seen, endedAt)
  const steps = buildSteps(view, reports, isReplaced)
  const startedAt = Date.parse(view.createdAt)
  const contextAt = steps.find(({ step, outcome }) => step === 'context' && outcome === 'ok')?.at
  return {
    id: view.id,
    app: view.app.name,
    kind: view.kind,
    state: isReplaced && state.kind !== 'failed' ? 'replaced' : shownKind(state),
    failedStep: state.kind === 'failed' ? state.step : null,
    startedAt,
    totalMs: contextAt ? contextAt - startedAt : null,
    steps,
    notes,
  }
}

function withEnd(view: Launch, endedAt: number | null): Launch {
  if (endedAt === null) return view
  const isRecorded = view.steps.some(({ step }) => step === 'ended')
  const end: LaunchStep = { step: 'ended', outcome: 'ok', at: new Date(endedAt).toISOString() }
  return { ...view, state: 'ended', steps: isRecorded ? view.steps : [...view.steps, end] }
}

function buildSteps(
  view: Launch,
  reports: ReadonlyMap<string, Report>,
  isReplaced: boolean,
): CardStep[] {
  const shown = withUnrecorded(withMissingStep(view.steps), withoutRefusals(view.steps, reports))
  const recorded = shown.map((step): CardStep => {
    const at = Date.parse(step.at)
    const failure = step.outcome === 'failed' ? describeFailure(step, reports) : null
    const times = describeTimes(view.spans, step.step)
    return { step: step.step, outcome: step.outcome, at, times, failure }
  })
  if (isReplaced || view.state === 'ended' || view.state === 'expired') return recorded
  const passed = new Set(recorded.flatMap(({ step, outcome }) => (outcome === 'ok' ? [step] : [])))
  const failedHere = recorded.at(-1)?.outcome === 'failed' ? recorded.at(-1)?.step : undefined
  const pending = EXPECTED_STEPS.filter((step) => !passed.has(step) && step !== failedHere).map(
    (step): CardStep => ({ step, outcome: 'pending', at: null, times: '', failure: null }),
  )
  return [...recorded, ...pending]
}

/** A refusal of the service stands on the card with its reason; the page's report of it adds nothing. */
function withoutRefusals(
  steps: readonly LaunchStep[],
  reports: ReadonlyMap<string, Report>,
): ReadonlyMap<string, Report> {
  const traces = new Set(steps.flatMap(({ traceId }) => traceId ?? []))
  const isNews = ({ failure }: Report) => failure.traceId === null || !traces.has(failure.traceId)
  return new Map([...reports].filter(([, report]) => isNews(report)))
}

/** The card shows a failure at once, also when the service cannot record it. */
function withUnrecorded(
  steps: readonly LaunchStep[],
  reports: ReadonlyMap<string, Report>,
): readonly LaunchStep[] {
  const shown = [...steps]
  for (const [code, { step, at }] of reports) {
    if (steps.some((recorded) => recorded.code === code)) continue
    const later = shown.findIndex((recorded) => Date.parse(recorded.at) > at)
    const row = { step, outcome: 'failed', code, at: new Date(at).toISOString() } as const
    shown.splice(later < 0 ? shown.length : later, 0, row)
  }
  return shown
}

function describeFailure(step: LaunchStep, reports: ReadonlyMap<string, Report>): Failure {
  const code = step.code ?? 'failed'
  const reported = reports.get(code)?.failure
  return {
    code: reported?.code ?? code,
    reason: step.reason ?? null,
    cause: reported?.cause ?? step.cause ?? 'No cause was recorded.',
    fix: (reported ? reported.fix : step.fix) || null,
    traceId: reported?.traceId ?? step.traceId ?? null,
  }
}
