// From the state of the background and of the apps to what the panel shows: strip, notices, content,
// foot and menu. Pure; time is an argument. An app is covered until its hello, and never while it holds
// work that is not saved.
import { explainChart } from '@chartside/host/chart-words'
import type { IconName, Tone } from '@chartside/ui'
import { STATES } from '@chartside/ui/states'
import { formatCountdown } from '@chartside/ui/times'
import type { PanelState } from '../messages.ts'
import type { ButtonView, PanelAction } from './actions.ts'
import { type Cover, coverOf, isOver, type NamedSlot } from './app-covers.ts'
import {
  type BackgroundButton,
  type BackgroundView,
  buildBackground,
  buildBackgroundButton,
} from './background-view.ts'
import { buildDiagnostics, type DiagnosticsView } from './diagnostics-view.ts'
import { buildPage, type PageInput } from './pages.ts'
import type { PagesChecked } from './pages-checked.ts'
import { emptySlot, type Slot } from './slots.ts'
import { WORDS } from './words.ts'

export type Reported = 'sending' | { readonly failure: string | null }

export interface PanelInput extends PageInput {
  /** The state; null until the background has answered. */
  readonly state: PanelState | null
  readonly slots: readonly Slot[]
  /** The app that the person chose last. */
  readonly chosen: string | null
  /** The part that is unfolded over the apps. */
  readonly unfolded: 'background' | 'diagnostics' | null
  readonly pagesChecked?: PagesChecked | null
  /** The result of the report that was sent last. */
  readonly reported?: Reported | null
  /** The time when the sign-in ends, as the host of the session knows it. */
  readonly signInEnds?: { readonly at: number; readonly reason: 'idle' | 'expired' } | null
  readonly now: number
  readonly timeZone?: string | undefined
}

export interface TabView {
  readonly id: string
  readonly name: string
  readonly iconUrl?: string | undefined
  readonly badge?: { readonly icon: IconName; readonly tone: Tone; readonly words: string }
}

export interface NoticeView {
  readonly id: string
  readonly tone: 'warn' | 'bad' | 'accent'
  readonly icon: IconName
  readonly title: string
  readonly text?: string
  readonly button?: ButtonView
}

export interface PanelView {
  readonly tabs: readonly TabView[]
  /** The tab that is selected; empty without tabs. */
  readonly open: string
  /** Two at most. */
  readonly notices: readonly NoticeView[]
  /** The app whose frame is shown, below the cover if there is one. */
  readonly appId: string | null
  readonly cover: Cover | Unfolded | null
  readonly who: { readonly name: string; readonly practice: string } | null
  /** The foot says that nothing is known of the charts of this EHR. */
  readonly isChartUnnoticed: boolean
  readonly background: BackgroundButton | null
  readonly menu: readonly {
    readonly id: 'again' | 'practice' | 'report' | 'diagnostics' | 'signOut'
    readonly label: string
    readonly action: PanelAction
  }[]
}

const MAX_NOTICES = 2

type Unfolded =
  | { readonly kind: 'background'; readonly background: BackgroundView }
  | { readonly kind: 'diagnostics'; readonly diagnostics: DiagnosticsView; readonly back: string }

function buildUnfolded(input: PanelInput, open: NamedSlot | null): Unfolded | null {
  const { state, unfolded, timeZone } = input
  if (unfolded === 'diagnostics' && open && state?.person?.isDeveloper) {
    const diagnostics = buildDiagnostics(open, input.pagesChecked ?? null, timeZone)
    return { kind: 'diagnostics', diagnostics, back: WORDS.backTo(open.app.name) }
  }
  const background =
    unfolded === 'background' ? buildBackground(state, open?.app.name ?? null) : null
  return background && { kind: 'background', background }
}

export function buildView(input: PanelInput): PanelView {
  const { state, now } = input
  const named = nameSlots(input)
  const open = named.find(({ app }) => app.id === input.chosen) ?? named.find(isStarted) ?? null
  const unfolded = buildUnfolded(input, open)
  const cover = unfolded
    ? unfolded
    : open
      ? coverOf(open, input)
      : ({ kind: 'page', page: buildPage(state, now, input) } as const)
  return {
    tabs: named.map(buildTab),
    open: open?.app.id ?? '',
    notices: buildNotices(input, open).slice(0, MAX_NOTICES),
    appId: open?.app.id ?? null,
    cover,
    who: state?.person
      ? {
          name: state.person.name,
          practice: 'practice' in state.view ? state.view.practice.name : '',
        }
      : null,
    isChartUnnoticed: state?.view.kind === 'session' && state.view.isChartUnnoticed === true,
    background: buildBackgroundButton(state),
    menu: buildMenu(state, open),
  }
}

/** The apps of the session; without one, those whose work is kept. */
function nameSlots({ state, slots }: PanelInput): NamedSlot[] {
  const find = (appId: string) => slots.find((slot) => slot.appId === appId)
  if (state?.view.kind === 'session') {
    return state.view.apps.map((app) => ({ app, slot: find(app.id) ?? emptySlot(app.id) }))
  }
  return slots
    .filter((slot) => slot.hasUnsavedWork && slot.launchId !== null)
    .map((slot) => ({ app: { id: slot.appId, name: slot.name }, slot }))
}

const isStarted = ({ slot }: NamedSlot) => slot.state.kind !== 'not_started'

function buildTab({ app, slot }: NamedSlot): TabView {
  const badge = buildBadge(slot)
  return {
    id: app.id,
    name: app.name,
    ...(app.iconUrl === undefined ? {} : { iconUrl: app.iconUrl }),
    ...(badge ? { badge } : {}),
  }
}

function buildBadge({ state }: Slot): TabView['badge'] {
  const { opening, failed, switched_off, ended } = STATES
  switch (state.kind) {
    case 'opening':
      return { icon: opening.icon, tone: opening.tone, words: WORDS.badges.opening }
    case 'failed':
      return { icon: failed.icon, tone: failed.tone, words: WORDS.badges.failed }
    case 'disabled':
      return { icon: switched_off.icon, tone: switched_off.tone, words: WORDS.badges.off }
    case 'ended':
      return state.reason === 'app_disabled'
        ? { icon: switched_off.icon, tone: switched_off.tone, words: WORDS.badges.off }
        : { icon: ended.icon, tone: ended.tone, words: WORDS.badges.ended }
    default:
      return undefined
  }
}

function buildNotices(input: PanelInput, open: NamedSlot | null): NoticeView[] {
  const { state, now } = input
  const notices: NoticeView[] = []
  if (open?.slot.chart.kind === 'earlier') notices.push(buildEarlierChart(open, state))
  if (open && isOver(open.slot) && open.slot.hasUnsavedWork) {
    notices.push({
      id: 'kept',
      tone: 'bad',
      icon: 'square',
      title: WORDS.keptTitle(open.app.name),
      text: WORDS.keptText,
      button: { label: WORDS.close, action: { type: 'closeApp', appId: open.app.id } },
    })
  }
  const endsSoon = buildEndsSoon(input)
  if (endsSoon) notices.push(endsSoon)
  if (state?.isOriginGone) {
    notices.push({
      id: 'origin-gone',
      tone: 'warn',
      icon: 'chart',
      title: WORDS.originGoneTitle,
      text: WORDS.originGoneText,
    })
  }
  if (state?.serviceChange && state.person) {
    notices.push({
      id: 'service-change',
      tone: 'warn',
      icon: 'plug',
      title: WORDS.serviceChangeTitle,
      text: WORDS.serviceChangeLater(state.serviceChange.to),
    })
  }
  if (state?.isOffline) {
    notices.push({
      id: 'offline',
      tone: 'warn',
      icon: 'offline',
      title: WORDS.offlineTitle,
      text: WORDS.offlineText,
    })
  }
  if (open && open.slot.renewsAt !== null && open.slot.state.kind === 'ready') {
    notices.push({
      id: 'renews',
      tone: 'accent',
      icon: 'again',
      title: WORDS.renewsTitle(open.app.name, formatCountdown(open.slot.renewsAt - now)),
      text: WORDS.renewsText,
    })
  }
  return notices
}

/** Stands as long as the person goes on beside another chart. */
function buildEarlierChart({ app, slot }: NamedSlot, state: PanelState | null): NoticeView {
  const words = explainChart(app.name, slot.chart)
  const canOpen = state?.view.kind === 'session' && !isOver(slot)
  return {
    ...{ id: 'earlier-chart', tone: 'warn', icon: 'alert', title: words.earlier },
    ...(canOpen
      ? { button: { label: words.open, action: { type: 'openForChart', appId: app.id } } }
      : {}),
  }
}

/** Activity moves an end for want of it; nothing moves the end of a sign-in's lifetime. */
function buildEndsSoon({ state, signInEnds, now }: PanelInput): NoticeView | null {
  const at = signInEnds?.at ?? state?.signsOutAt ?? null
  if (at === null || !state?.person) return null
  const isMovable = signInEnds?.reason !== 'expired'
  return {
    id: 'ends-soon',
    tone: 'warn',
    icon: 'clock',
    title: WORDS.soonTitle(formatCountdown(at - now)),
    text: isMovable ? WORDS.soonText : WORDS.soonForGoodText,
    ...(isMovable ? { button: { label: WORDS.stay, action: { type: 'stay' } } } : {}),
  }
}

function buildMenu(state: PanelState | null, open: NamedSlot | null): PanelView['menu'] {
  if (!state?.person) return []
  const canLaunch = open !== null && isStarted(open) && state.view.kind === 'session'
  return [
    ...(canLaunch
      ? ([
          {
            id: 'again',
            label: WORDS.launchAgain(open.app.name),
            action: { type: 'launchAgain', appId: open.app.id },
          },
        ] as const)
      : []),
    ...(state.canChangePractice
      ? ([
          { id: 'practice', label: WORDS.changePractice, action: { type: 'changePractice' } },
        ] as const)
      : []),
    { id: 'report', label: WORDS.report, action: { type: 'report' } },
    ...(state.person.isDeveloper && open
      ? ([
          { id: 'diagnostics', label: WORDS.diagnostics, action: { type: 'showDiagnostics' } },
        ] as const)
      : []),
    { id: 'signOut', label: WORDS.signOut, action: { type: 'signOut' } },
  ]
}
