// Runs the effects of the rules: calls to the service, tabs, content scripts, the offscreen document.
// Each result is an event again. Decides nothing.
import type { EndReason } from '@chartside/protocol/handshake'
import { askOffscreen, ensureOffscreen, hostOffscreen } from './browser/offscreen-document.ts'
import { watchPages } from './browser/page-scripts.ts'
import { newChartKey } from './browser/random.ts'
import { confirmService } from './browser/storage.ts'
import { leaveTab, openTabBeside, showTab } from './browser/tabs.ts'
import type { Effect } from './events.ts'
import { findSessionChart } from './panel-state.ts'
import { type ServiceClient, ServiceError } from './service.ts'
import { type PollingContext, pollSignIn } from './sign-in-polling.ts'
import type { State } from './state.ts'

export interface EffectContext extends PollingContext {
  /** The client of the configured service; null when none is configured. */
  readonly service: () => ServiceClient | null
  /** The client of the service with this base URL, which was configured before. */
  readonly connect: (base: string) => ServiceClient
}

/** The time within which an opening is answered, as a rule. */
const LIST_DELAY_MS = 1_000
const RETRY_DELAYS_MS = [500, 1_500, 4_000]

export async function runEffect(effect: Effect, context: EffectContext): Promise<void> {
  const { dispatch } = context
  if (isOfFormerSignIn(effect, context.state())) return
  const service = context.service()
  switch (effect.type) {
    case 'sign_out':
      return context
        .connect(effect.service)
        .signOut(effect.token)
        .catch(() => {})
    case 'show_tab':
      await showTab(effect.tabId)
      return
    case 'close_sign_in_tab':
      return closeSignInTab(effect, dispatch)
    case 'watch_pages': {
      const missingAccess = await watchPages(effect.practices)
      return dispatch({ type: 'access_changed', missingAccess })
    }
    case 'unhost':
      return askOffscreen({ type: 'unhost', sessionId: effect.sessionId })
    case 'set_chart':
      return askOffscreen(effect)
    case 'retry_worker':
      return askOffscreen({ type: 'retry', sessionId: effect.sessionId, appId: effect.appId })
    case 'confirm_service':
      return confirmService(effect.service)
    case 'remember':
      return chrome.storage.local.set(effect.values)
    case 'host': {
      const base = context.state().settings?.service
      if (base === undefined) return
      const { token, session, launches } = effect
      const workers = launches.filter(({ kind }) => kind === 'worker')
      const grant = { service: base, sessionToken: token, session, launches: workers }
      await hostOffscreen({ ...grant, ...findSessionChart(context.state(), session.id) })
      const { chart } = findSessionChart(context.state(), session.id)
      // It may have changed while the document loaded.
      if (chart !== undefined) {
        await askOffscreen({ type: 'set_chart', sessionId: session.id, chart })
      }
      return dispatch({ type: 'launches_taken', launches: workers.map(({ id }) => id) })
    }
  }
  if (!service) return
  switch (effect.type) {
    case 'open_sign_in_tab':
      return openSignInTab(service, effect, dispatch)
    case 'poll_sign_in':
      void pollSignIn(service, effect.prepared, context)
      return
    case 'check_sign_in':
      return checkSignIn(service, effect.token, effect.because, dispatch)
    case 'load_practices':
      return loadPractices(service, effect, context)
    case 'list_sessions':
      return listSessions(service, effect, context)
    case 'open_session':
      return openSession(service, effect, context)
    case 'end_session':
      return service.endSession(effect.token, effect.sessionId).catch(() => {})
    case 'end_launch':
      return service.endLaunch(effect.token, effect.launch).catch(() => {})
    case 'report_activity':
      return reportActivity(service, effect, dispatch)
  }
}

/** Its calls are over, and the service that is configured now may be another one. */
const isOfFormerSignIn = (effect: Effect, { signIn }: State): boolean =>
  'token' in effect &&
  effect.type !== 'sign_out' &&
  !(signIn.kind === 'in' && signIn.token === effect.token)

type Dispatch = EffectContext['dispatch']
type EffectOf<Type extends Effect['type']> = Extract<Effect, { type: Type }>

async function openSignInTab(
  service: ServiceClient,
  { prepared, accountId, originTabId }: EffectOf<'open_sign_in_tab'>,
  dispatch: Dispatch,
): Promise<void> {
  try {
    const url = await service.findSignInUrl(prepared, accountId)
    const tabId = await openTabBeside(originTabId, url)
    if (tabId !== undefined) await dispatch({ type: 'sign_in_tab_opened', tabId, originTabId })
  } catch {
    const { sessionId } = prepared
    await dispatch({ type: 'sign_in_failed', sessionId, because: 'unreachable' })
  }
}

/** The browser would show the tab beside it, which may be the chart of another patient. */
async function closeSignInTab(
  { tabId, originTabId }: EffectOf<'close_sign_in_tab'>,
  dispatch: Dispatch,
): Promise<void> {
  const canClose = await leaveTab(tabId, originTabId)
  if (canClose) await chrome.tabs.remove(tabId).catch(() => {})
  else await dispatch({ type: 'sign_in_tab_stranded', tabId })
}

async function checkSignIn(
  service: ServiceClient,
  token: string,
  because: EndReason,
  dispatch: Dispatch,
): Promise<void> {
  try {
    await service.findMe(token)
  } catch (error) {
    if (isSignedOut(error)) {
      await dispatch({ type: 'signed_out', token, because: error.ended ?? because })
    }
  }
}

async function loadPractices(
  service: ServiceClient,
  effect: EffectOf<'load_practices'>,
  context: EffectContext,
): Promise<void> {
  const { token, accountId, known } = effect
  const { dispatch } = context
  try {
    const practices = await service.listPractices(token, accountId, known)
    await dispatch({ type: 'reachable', isOffline: false })
    await dispatch({ type: 'practices_loaded', token, practices })
  } catch (error) {
    if (isSignedOut(error))
      return dispatch({ type: 'signed_out', token, because: error.ended ?? 'signed_out' })
    // What is known holds on.
    if (known.length > 0) return
    await dispatch({ type: 'reachable', isOffline: true })
    const isWaiting = () => {
      const { signIn } = context.state()
      return signIn.kind === 'in' && signIn.token === token && signIn.practices === null
    }
    setTimeout(() => void (isWaiting() && loadPractices(service, effect, context)), 5_000)
  }
}

/** A list that fails is taken again with the next one. */
async function listSessions(
  service: ServiceClient,
  { token, isLater }: EffectOf<'list_sessions'>,
  { state, dispatch }: EffectContext,
): Promise<void> {
  if (isLater) await new Promise((resolve) => setTimeout(resolve, LIST_DELAY_MS))
  const sessions = await service.listSessions(token, state().deviceId).catch(() => [])
  await dispatch({ type: 'sessions_listed', token, sessions })
}

async function openSession(
  service: ServiceClient,
  effect: EffectOf<'open_session'>,
  { dispatch, state }: EffectContext,
): Promise<void> {
  const { token, tabId, attempt } = effect
  // The document loads while the service answers.
  const offscreen = ensureOffscreen()
  for (let retry = 0; ; retry += 1) {
    try {
      const { session, launches } = await service.openSession(token, effect)
      await offscreen
      const opened = { tabId, attempt, session, launches, chartKey: newChartKey() }
      return await dispatch({ type: 'session_opened', ...opened })
    } catch (error) {
      if (isSignedOut(error))
        return dispatch({ type: 'signed_out', token, because: error.ended ?? 'signed_out' })
      const failure = readFailure(error)
      const delay = RETRY_DELAYS_MS[retry]
      const { session } = state().tabs[tabId] ?? {}
      const isWanted = session?.kind === 'opening' && session.attempt === attempt
      const isTransient = error instanceof ServiceError && error.isTransient
      if (!isWanted || !isTransient || delay === undefined) {
        return dispatch({ type: 'session_refused', tabId, attempt, failure })
      }
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}

async function reportActivity(
  service: ServiceClient,
  { token, sessionId }: EffectOf<'report_activity'>,
  dispatch: Dispatch,
): Promise<void> {
  try {
    await service.reportActivity(token, sessionId)
  } catch (error) {
    if (isSignedOut(error))
      await dispatch({ type: 'signed_out', token, because: error.ended ?? 'signed_out' })
  }
}

const isSignedOut = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status === 401

function readFailure(error: unknown) {
  if (error instanceof ServiceError) {
    const { code, message, traceId, isTransient } = error
    return { code, message, traceId, isTransient }
  }
  return { code: 'unexpected', message: String(error), traceId: null, isTransient: false }
}
