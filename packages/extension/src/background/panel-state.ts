// What the panel of a tab shows, and what the toolbar icon says: views of the state, without bearer
// values. Pure.
import { type EndReason, parseEndReason } from '@chartside/protocol/launch'
import type { HostGrant, PanelState, PanelView } from '../messages.ts'
import { findTabChart } from './chart-rules.ts'
import { ehrKey, type Person, type State, type Tab } from './state.ts'
import { findSessionTab, findTab, listChoice } from './tab-rules.ts'

/** The number in place of a tab: the panel of a window, which shows what is true of all tabs. */
export const NO_TAB = -1

export function buildPanelState(state: State, tabId: number): PanelState {
  const { signIn, settings } = state
  return {
    ...(settings?.proposed === undefined
      ? {}
      : { serviceChange: { from: settings.service, to: settings.proposed } }),
    view: buildView(state, tabId),
    person: signIn.kind === 'in' ? buildPerson(signIn.person) : null,
    isOffline: state.isOffline,
    ...(canChangePractice(state, tabId) ? { canChangePractice: true as const } : {}),
    ...(tabId === NO_TAB ? listTabs(state) : {}),
    ...(tabId === NO_TAB && state.strandedTabId !== null ? { isOriginGone: true as const } : {}),
    signsOutAt: signIn.kind === 'in' ? signIn.signsOutAt : null,
  }
}

function canChangePractice(state: State, tabId: number): boolean {
  const tab = findTab(state, tabId)
  return 'target' in tab.session && listChoice(state, tab).length > 1
}

function listTabs({ tabs }: State): Pick<PanelState, 'chartTabs' | 'ownPanels'> {
  const list = (isIn: (tab: Tab) => boolean) =>
    Object.entries(tabs).flatMap(([id, tab]) => (isIn(tab) ? [Number(id)] : []))
  return {
    chartTabs: list(({ session }) => session.kind !== 'none'),
    ownPanels: list(({ panel }) => panel?.isEmbedded === false),
  }
}

function buildPerson({ name, email, memberships = [] }: Person): PanelState['person'] {
  const isDeveloper = memberships.some(({ role }) => role === 'developer')
  return { name, email, ...(isDeveloper ? { isDeveloper } : {}) }
}

function buildView(state: State, tabId: number): PanelView {
  const { signIn, settings } = state
  if (!settings) return { kind: 'setup_needed' }
  if (signIn.kind === 'out') return { kind: 'signed_out', because: signIn.because }
  if (signIn.kind === 'waiting') {
    const { matchCode, expiresAt } = signIn
    return { kind: 'signing_in', matchCode, expiresAt }
  }
  const { session } = findTab(state, tabId)
  switch (session.kind) {
    case 'none': {
      const ehrs = (signIn.practices ?? []).flatMap(({ practice, ehrs: all }) =>
        all.map(({ name }) => ({ name, practice: practice.name })),
      )
      return { kind: 'no_ehr', ehrs, missingAccess: state.missingAccess }
    }
    case 'choose': {
      const practices = session.among.map(({ practice }) => practice)
      return { kind: 'choose_practice', ehrName: session.among[0]?.ehrName ?? '', practices }
    }
    case 'ended':
      return { kind: 'ended', reason: session.reason, ehrName: session.target.ehrName }
    case 'failed': {
      const { code, message, traceId } = session
      return { kind: 'failed', ehrName: session.target.ehrName, code, message, traceId }
    }
    case 'opening': {
      const { ehrName, practice } = session.target
      return { kind: 'opening', ehrName, practice }
    }
    case 'live': {
      const { ehrName, practice } = session.target
      if (session.session.apps.length === 0) return { kind: 'nothing_set_up', ehrName, practice }
      const { workers } = session
      const apps = session.session.apps.filter(({ kinds }) => kinds.includes('ui'))
      const sessionId = session.session.id
      const unnoticed = session.session.ehr?.charts?.length
        ? {}
        : { isChartUnnoticed: true as const }
      return { kind: 'session', sessionId, ehrName, practice, apps, workers, ...unnoticed }
    }
  }
}

/** Returns what the panel of the tab needs to host the UI apps; null when there is no session. */
export function buildGrant(state: State, tabId: number): HostGrant | null {
  const { signIn, settings } = state
  const { session } = findTab(state, tabId)
  if (signIn.kind !== 'in' || !settings || session.kind !== 'live') return null
  return {
    service: settings.service,
    sessionToken: signIn.token,
    session: session.session,
    launches: session.launches.filter((launch) => launch.kind === 'ui'),
    ...findSessionChart(state, session.session.id),
  }
}

/** Returns what a host of the session has to know of the chart; nothing when the EHR has no patterns. */
export function findSessionChart(
  state: State,
  sessionId: string,
): Pick<HostGrant, 'chart' | 'chartKey'> {
  const tabId = findSessionTab(state, sessionId)
  const tab = tabId === null ? null : findTab(state, tabId)
  const chart = tab ? findTabChart(tab) : undefined
  if (tab?.session.kind !== 'live' || chart === undefined) return {}
  const { chartKey } = tab.session
  return { chart, ...(chartKey === undefined ? {} : { chartKey }) }
}

/** Returns the app as the collection says: by default the one that was used last at this EHR. */
export function findFirstApp(state: State, tabId: number): string | null {
  const { signIn, lastApps } = state
  const { session } = findTab(state, tabId)
  if (signIn.kind !== 'in' || session.kind !== 'live') return null
  const { apps, ehr } = session.session
  const ids = apps.flatMap(({ id, kinds }) => (kinds.includes('ui') ? [id] : []))
  const last = lastApps[ehrKey(signIn.person.id, session.target)] ?? ''
  switch (ehr?.panelOpens ?? 'last') {
    case 'ask':
      return null
    case 'first':
      return ids[0] ?? null
    case 'last':
      return ids.includes(last) ? last : null
  }
}

/** Returns why the session that the panel of the tab had is over. */
export function findEnd({ signIn, tabs }: State, tabId: number): EndReason {
  const session = tabs[tabId]?.session
  if (session?.kind === 'ended') return session.reason
  if (signIn.kind !== 'out') return 'closed'
  return parseEndReason(signIn.because) ?? 'signed_out'
}

export interface Badge {
  /** The text has at most four characters. */
  readonly text: string
  readonly title: string
}

export function buildBadge(state: State, tabId: number, name: string): Badge {
  const { view, isOffline } = buildPanelState(state, tabId)
  const says = (text: string, title: string) => ({ text, title: `${name}: ${title}` })
  switch (view.kind) {
    case 'setup_needed':
      return says('!', 'not set up yet')
    case 'signed_out':
      return says('–', 'signed out')
    case 'signing_in':
      return says('…', 'signing in')
    case 'failed':
      return says('!', 'the apps could not be opened')
    case 'choose_practice':
      return says('?', 'choose your practice')
    case 'session':
      if (isOffline) return says('!', 'offline')
      return view.workers.some((worker) => worker.state.kind === 'failed')
        ? says('!', 'a background app could not start')
        : says('✓', `connected to ${view.ehrName}`)
    default:
      return says('', 'signed in')
  }
}
