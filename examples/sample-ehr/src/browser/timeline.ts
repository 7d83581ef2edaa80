// Turns what the host sees into cards, one per launch: the launch as the service streams it, the state that the
// host's state machine decides, its failures with cause and fix, and notes of what the service does not
// record. Pure: events and times in, cards out. Owns no DOM. Contract §3 (the timeline of a launch), §5.
import {
  type EndReason,
  explainEnd,
  type HostEvent,
  type LaunchState,
  NOT_STARTED,
  nextLaunchState,
} from '@chartside/host'
import type { Launch, LaunchSpan, LaunchStep, LaunchStepName } from '@chartside/protocol/launch'
import {
  describeLaterEvent,
  findStopped,
  isLate,
  nameFailedStep,
} from '@chartside/protocol/launch-steps'
import { describeState, type StateName } from '@chartside/ui/states'
import { formatDuration } from '@chartside/ui/times'

export interface Failure {
  readonly step: string
  readonly code: string
  readonly reason: string | null
  readonly cause: string
  readonly fix: string | null
  readonly traceId: string | null
  /** The launch became ready after it. */
  readonly isRecovered: boolean
}

export interface Note {
  readonly at: number
  readonly text: string
}

export interface Card {
  readonly id: string
  readonly appId: string
  readonly app: string
  readonly accountId: string
  readonly kind: 'ui' | 'worker'
  readonly state: StateName
  /** The words of the state, with the step at which it failed or the time that it took. */
  readonly words: string
  readonly startedAt: number
  /** The part of the launch that the waterfall draws. */
  readonly launch: Pick<Launch, 'createdAt' | 'spans' | 'steps'>
  readonly failures: readonly Failure[]
  readonly notes: readonly Note[]
}

/** A failure in the host's words, which are more precise than the recorded step. */
interface Report {
  readonly step: LaunchStepName
  readonly at: number
  readonly failure: Pick<Failure, 'code' | 'cause' | 'fix' | 'traceId'>
}

/** The bound of one card. An app in a loop must not fill the page. */
const MAX_NOTES = 50

interface Entry {
  state: LaunchState
  view: Launch | null
  /** The host notified the app; after a sign-out the stream sends no more steps. */
  isEnded: boolean
  /** Another launch replaced this one in the frame. */
  isReplaced: boolean
  /** The reports by the code of the recorded step, in upper case. */
  readonly reports: Map<string, Report>
  readonly notes: Note[]
  /** The card as drawn last; null after a change. */
  card: Card | null
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
        return this.#report(event.launch, now, event.step, event.code, event, '')
      case 'waiting':
        return this.#note(event.launch, now, `${event.message} ${event.fix}`)
      case 'expiring':
        return this.#note(event.launch, now, `The access token ends in ${event.inSeconds} s.`)
      case 'ended':
        this.#entry(event.launch).isEnded = true
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

  /** Sets the state that the host gives after each event that changes it. */
  setState(launch: string, state: LaunchState): void {
    this.#entry(launch).state = state
  }

  /** Returns the cards, newest first. */
  cards(): Card[] {
    return [...this.#entries.values()]
      .flatMap((entry) => {
        if (entry.view) entry.card ??= buildCard(entry.view, entry)
        return entry.card ?? []
      })
      .sort((a, b) => b.startedAt - a.startedAt)
  }

  /** An app that was deleted meanwhile keeps the name under which it was opened. */
  #see(view: Launch): string {
    const entry = this.#entry(view.id)
    entry.view = { ...view, app: entry.view?.app ?? view.app }
    return view.id
  }

  /** Returns the entry of a launch, which the caller changes. */
  #entry(id: string): Entry {
    const known = this.#entries.get(id)
    if (known) known.card = null
    if (known) return known
    const entry: Entry = {
      state: NOT_STARTED,
      view: null,
      isEnded: false,
      isReplaced: false,
      reports: new Map(),
      notes: [],
      card: null,
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
    const failure = { code, cause: message, fix: fix || null, traceId: traceId || null }
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

function buildCard(view: Launch, entry: Entry): Card {
  const { state, isReplaced, notes } = entry
  const isOver = isReplaced || entry.isEnded || view.state === 'ended' || view.state === 'expired'
  const spans = state.kind === 'failed' ? withStop(view.spans) : view.spans
  return {
    id: view.id,
    appId: view.app.id,
    app: view.app.name,
    accountId: view.account.id,
    kind: view.kind,
    ...describeLaunch(view, state, isReplaced),
    startedAt: Date.parse(view.createdAt),
    launch: { ...view, spans: isOver ? spans.map(withoutHope) : spans },
    failures: listFailures(view, entry.reports),
    notes: [...notes, ...listChartNotes(view)].sort((a, b) => a.at - b.at),
  }
}

const listChartNotes = ({ steps }: Launch): Note[] =>
  steps.flatMap((step) => {
    const text = describeLaterEvent(step)
    return text === undefined ? [] : [{ at: Date.parse(step.at), text }]
  })

function describeLaunch(
  view: Launch,
  state: LaunchState,
  isReplaced: boolean,
): Pick<Card, 'state' | 'words'> {
  if (state.kind === 'failed') {
    return {
      state: 'failed',
      words: describeState('failed', nameFailedStep(view.spans, state.step)),
    }
  }
  if (isReplaced) return { state: 'ended', words: 'Replaced' }
  if (state.kind === 'ready') {
    const contextAt = findReadyAt(view)
    const took = contextAt ? ` in ${formatDuration(contextAt - Date.parse(view.createdAt))}` : ''
    const late = isLate({ ...view, outcome: 'ready' }) ? ', late' : ''
    return { state: 'ready', words: `${describeState('ready')}${took}${late}` }
  }
  const isOff =
    state.kind === 'disabled' || (state.kind === 'ended' && state.reason === 'app_disabled')
  const name = isOff ? 'switched_off' : state.kind
  return { state: name, words: describeState(name) }
}

/** The card shows a failure at once, also when the service cannot record it. */
const withStop = (spans: readonly LaunchSpan[]): readonly LaunchSpan[] =>
  findStopped({ spans })
    ? spans
    : spans.map((span) =>
        span.outcome === 'running' ? { ...span, outcome: 'failed' } : withoutHope(span),
      )

/** Nothing follows in a launch that is over. */
const withoutHope = (span: LaunchSpan): LaunchSpan =>
  span.outcome === 'running' || span.outcome === 'waiting'
    ? { ...span, outcome: 'did_not_happen' }
    : span

function findReadyAt({ steps }: Launch): number | null {
  const context = steps.find(({ step, outcome }) => step === 'context' && outcome === 'ok')
  return context ? Date.parse(context.at) : null
}

function listFailures(view: Launch, reports: ReadonlyMap<string, Report>): Failure[] {
  const readyAt = findReadyAt(view) ?? Number.NEGATIVE_INFINITY
  const failed = view.steps.filter(
    (step) => step.outcome === 'failed' && !repeatsRefusal(step, view.steps, reports),
  )
  const codes = new Set(failed.map(({ code }) => code?.toUpperCase()))
  const traces = new Set(failed.flatMap(({ traceId }) => traceId ?? []))
  const recorded = failed.map((step) => ({
    ...describeFailure(view, step, reports),
    isRecovered: Date.parse(step.at) < readyAt,
  }))
  // A refusal of the service stands on the card with its reason; the page's report of it adds nothing.
  const others = [...reports].filter(
    ([code, { failure }]) =>
      !codes.has(code) && (failure.traceId === null || !traces.has(failure.traceId)),
  )
  const unrecorded = others.map(([, { step, at, failure }]) => ({
    ...failure,
    step: nameFailedStep(view.spans, step),
    reason: null,
    isRecovered: at < readyAt,
  }))
  return [...recorded, ...unrecorded]
}

/** A page may report the refusal of the service before the stream brings it: the host then records it again. */
function repeatsRefusal(
  { reason, code = '' }: LaunchStep,
  steps: readonly LaunchStep[],
  reports: ReadonlyMap<string, Report>,
): boolean {
  const traceId = reports.get(code.toUpperCase())?.failure.traceId ?? null
  return (
    reason === HOST_REPORTED && traceId !== null && steps.some((step) => step.traceId === traceId)
  )
}

const HOST_REPORTED = 'host_reported'

function describeFailure(
  view: Launch,
  step: LaunchStep,
  reports: ReadonlyMap<string, Report>,
): Omit<Failure, 'isRecovered'> {
  const code = step.code ?? 'failed'
  // The reason of a refusal is more precise than what the page was given.
  const isReport = step.reason === undefined || step.reason === HOST_REPORTED
  const reported = isReport ? reports.get(code.toUpperCase())?.failure : undefined
  return {
    step: nameFailedStep(view.spans, step.step),
    code: reported?.code ?? code,
    reason: step.reason ?? null,
    cause: reported?.cause ?? step.cause ?? 'No cause was recorded.',
    fix: (reported ? reported.fix : step.fix) || null,
    traceId: reported?.traceId ?? step.traceId ?? null,
  }
}
