// What lies over the frame of one app: nothing while it is ready or holds work that is not saved, else
// a skeleton or a state page in the words of a provider. Pure.
import { explainChart } from '@chartside/host/chart-words'
import { nameFailedStep } from '@chartside/protocol/launch-steps'
import type { SupportFact } from '@chartside/ui'
import { formatClock, formatDuration, formatMoment, formatUtc } from '@chartside/ui/times'
import type { PanelState } from '../messages.ts'
import type { ButtonView } from './actions.ts'
import type { PageView } from './pages.ts'
import type { Slot } from './slots.ts'
import { WORDS } from './words.ts'

export interface NamedSlot {
  readonly app: { readonly id: string; readonly name: string; readonly iconUrl?: string }
  readonly slot: Slot
}

export type Cover =
  | { readonly kind: 'page'; readonly page: PageView }
  | {
      readonly kind: 'loading'
      /** The words for screen readers. */
      readonly label: string
      readonly title: string | null
      readonly text: string
      readonly buttons: readonly ButtonView[]
    }

interface Moment {
  readonly state: PanelState | null
  readonly now: number
  readonly timeZone?: string | undefined
}

const SLOW_MS = 2000

export const isOver = ({ state }: Slot): boolean =>
  state.kind === 'ended' || state.kind === 'failed' || state.kind === 'disabled'

export function coverOf(named: NamedSlot, moment: Moment): Cover | null {
  const { slot } = named
  const { state } = slot
  const isKept = slot.hasUnsavedWork && slot.launchId !== null
  const isChartCovered = slot.chart.kind === 'covered' || slot.chart.kind === 'changing'
  if (isChartCovered && (isKept || !isOver(slot))) return coverForChart(named, moment)
  const isLive = state.kind === 'ready' || (state.kind === 'opening' && state.hasHello)
  if (isLive || isKept) return null
  if (state.kind === 'opening') return coverOpening(named, moment.now)
  return { kind: 'page', page: buildAppPage(named, moment) }
}

/** An app that was opened for another chart. What has ended is not opened from here. */
function coverForChart({ app, slot }: NamedSlot, { state }: Moment): Cover {
  const words = explainChart(app.name, slot.chart)
  if (slot.chart.kind === 'changing') {
    return { kind: 'loading', label: words.changing, title: words.changing, text: '', buttons: [] }
  }
  const canOpen = state?.view.kind === 'session' && !isOver(slot)
  const open: ButtonView = {
    ...{ label: words.open, isPrimary: true },
    action: { type: 'openForChart', appId: app.id },
  }
  return {
    kind: 'page',
    page: {
      ...{ id: 'other-chart', icon: 'alert', tone: 'warn', title: words.title, text: [words.text] },
      buttons: [
        ...(canOpen ? [open] : []),
        { label: words.goOn, action: { type: 'goOnWithEarlierChart', appId: app.id } },
      ],
    },
  }
}

function coverOpening({ app, slot }: NamedSlot, now: number): Cover {
  const { isRenewing, openingSince } = slot
  const waited = now - (openingSince ?? now)
  if (isRenewing && waited < 3 * SLOW_MS) {
    return {
      kind: 'loading',
      label: WORDS.renewing(app.name),
      title: WORDS.renewing(app.name),
      text: WORDS.renewingText,
      buttons: [],
    }
  }
  if (waited < SLOW_MS) {
    return { kind: 'loading', label: WORDS.opening(app.name), title: null, text: '', buttons: [] }
  }
  const seconds = formatDuration(Math.floor(waited / 1000) * 1000)
  return {
    kind: 'loading',
    label: WORDS.opening(app.name),
    title: WORDS.slow(app.name),
    text: WORDS.slowText(seconds),
    buttons: [
      { label: WORDS.openAgain, action: { type: 'launchAgain', appId: app.id } },
      { label: WORDS.workWithout, action: { type: 'closeApp', appId: app.id } },
    ],
  }
}

function buildAppPage(named: NamedSlot, moment: Moment): PageView {
  const { app, slot } = named
  const { state } = slot
  if (state.kind === 'disabled' || (state.kind === 'ended' && state.reason === 'app_disabled')) {
    const at = slot.overSince
    return {
      id: 'switched-off',
      icon: 'power',
      tone: 'warn',
      title: WORDS.offTitle(app.name),
      text: [
        at === null || state.kind === 'disabled'
          ? WORDS.offTextWithoutTime
          : WORDS.offText(formatClock(at, moment)),
        WORDS.offOthers,
      ],
      buttons: [],
      support: listFacts(named, moment),
    }
  }
  if (state.kind === 'failed') {
    return {
      id: 'failed',
      icon: 'alert',
      tone: 'bad',
      title: WORDS.failedTitle(app.name),
      text: [WORDS.failedText, WORDS.failedDo],
      buttons: [
        { label: WORDS.tryAgain, action: { type: 'launchAgain', appId: app.id }, isPrimary: true },
      ],
      support: listFacts(named, moment),
    }
  }
  return {
    id: 'closed',
    icon: 'apps',
    tone: 'quiet',
    title: WORDS.closedTitle(app.name),
    text: [WORDS.closedText],
    buttons: [
      { label: WORDS.open(app.name), action: { type: 'openApp', appId: app.id }, isPrimary: true },
    ],
  }
}

/** The facts about one app that support asks for. */
export function listFacts(
  { app, slot }: NamedSlot,
  { state, now, timeZone }: Moment,
): SupportFact[] {
  const { facts } = WORDS
  const at = slot.overSince ?? now
  const launch = slot.state
  return [
    { name: facts.app, value: app.name },
    {
      name: facts.state,
      value: launch.kind === 'ended' ? `ended (${launch.reason})` : launch.kind,
    },
    ...(launch.kind === 'failed'
      ? [
          { name: facts.step, value: nameFailedStep(slot.spans, launch.step) },
          { name: facts.code, value: launch.code },
        ]
      : []),
    ...(slot.traceId === '' ? [] : [{ name: facts.trace, value: slot.traceId }]),
    { name: facts.time, value: `${formatMoment(at, now, { timeZone })} (${formatUtc(at)})` },
    ...listPlace(state),
  ]
}

export function listPlace(state: PanelState | null): SupportFact[] {
  const view = state?.view
  return [
    ...(view && 'ehrName' in view ? [{ name: WORDS.facts.ehr, value: view.ehrName }] : []),
    ...(view && 'practice' in view
      ? [{ name: WORDS.facts.practice, value: view.practice.name }]
      : []),
  ]
}
