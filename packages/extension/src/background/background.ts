// The background of the extension (a service worker): registers every listener at the start, turns what
// happens into events of the rules, keeps the state in chrome.storage.session and shows it. The browser
// stops and starts it at any moment.
import type { PanelCommand } from '../messages.ts'
import type { FromOffscreen, FromPage } from '../offscreen/offscreen-messages.ts'
import { Background } from './background-loop.ts'
import { listHosted } from './browser/offscreen-document.ts'
import { watchAgain } from './browser/page-scripts.ts'
import { prepareSignIn } from './browser/random.ts'
import { closeStorage, loadState, onSettingsChanged } from './browser/storage.ts'
import {
  findActiveTab,
  findOpenTabs,
  followTabs,
  keepLoaded,
  openPanel,
  showBadges,
} from './browser/tabs.ts'
import { NO_TAB } from './panel-state.ts'
import { Panels, readPanelTab } from './panels.ts'

closeStorage()

const panels = new Panels({
  dispatch: (event) => background.dispatch(event),
  command: (tabId, command) => void receiveCommand(tabId, command),
})

const background = new Background({
  load: loadState,
  find: async () => {
    const contexts = await chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'] })
    const found = contexts.map(({ documentUrl = '' }) => readPanelTab(documentUrl))
    const panelTabs = found.flatMap((id) => (id === null || id === NO_TAB ? [] : [id]))
    const [tabs, hosted] = await Promise.all([findOpenTabs(), listHosted()])
    return { tabs, hosted, panels: panelTabs, now: Date.now() }
  },
  show: (state) => {
    showBadges(state)
    keepLoaded(state)
    return panels.show(state)
  },
})

const look = () => void background.dispatch({ type: 'window_focused', now: Date.now() })

chrome.runtime.onConnect.addListener((port) => {
  if (panels.accept(port)) look()
  else port.disconnect()
})

chrome.runtime.onMessage.addListener((message: unknown, sender, reply) => {
  const { to, ...content } = (message ?? {}) as { to?: unknown; type?: unknown }
  if (to !== 'background' || sender.id !== chrome.runtime.id) return false
  const isOwnPage = sender.url?.startsWith(chrome.runtime.getURL('')) === true
  if (content.type === 'approved' && sender.tab?.id !== undefined && isOwnPage) {
    const { proof } = content as unknown as { proof: unknown }
    const isText = typeof proof === 'string' && /^[A-Za-z0-9_-]{43}$/.test(proof)
    const tabId = sender.tab.id
    if (isText) void background.dispatch({ type: 'sign_in_approved', tabId, proof })
  } else if (isOwnPage) void receiveOffscreen(content as FromOffscreen)
  else if (sender.tab?.id !== undefined && sender.frameId !== 0) {
    if (content.type === 'activity') reportActivity()
    else receiveFrame(content as FromPage, sender.tab.id, sender)
  } else if (sender.tab?.id !== undefined) {
    return receivePage(content as FromPage, sender.tab.id, sender, reply)
  }
  return false
})

chrome.action.onClicked.addListener(({ id }) => {
  if (id !== undefined && !panels.isEmbedded(id)) openPanel(id)
})

followTabs({
  onClosed: (tabId) => {
    opening.delete(tabId)
    return background.dispatch({ type: 'tab_closed', tabId })
  },
  onAddress: async (tabId, address) => {
    await background.ready
    const known = background.state.tabs[tabId]?.url ?? null
    // Another origin is another page, which its own script reports.
    if (known === null || URL.parse(known)?.origin !== URL.parse(address)?.origin) return
    await background.dispatch({ type: 'page_seen', tabId, url: address })
  },
  onLoaded: async (tabId) => {
    await background.ready
    if (background.state.tabs[tabId]?.url == null) return
    // A page without the script has left the EHR.
    const answer = await chrome.tabs
      .sendMessage(tabId, { type: 'are_you_there' }, { frameId: 0 })
      .catch(() => undefined)
    if (!answer) await background.dispatch({ type: 'page_left', tabId })
  },
})

onSettingsChanged((settings) => background.dispatch({ type: 'settings_changed', settings }))

const onAccessChanged = async () => {
  await background.ready
  const { signIn } = background.state
  if (signIn.kind !== 'in' || signIn.practices === null) return
  await background.run({ type: 'watch_pages', practices: signIn.practices })
}
chrome.permissions.onAdded.addListener(() => void onAccessChanged())
chrome.permissions.onRemoved.addListener(() => void onAccessChanged())

chrome.runtime.onInstalled.addListener(async ({ reason }) => {
  await background.ready
  if (reason === 'install' && !background.state.settings) chrome.runtime.openOptionsPage()
  await watchAgain(background.watched)
})
chrome.runtime.onStartup.addListener(async () => {
  await background.ready
  await watchAgain(background.watched)
})

function reportActivity(): void {
  void background.dispatch({ type: 'active', now: Date.now(), isUrgent: false })
  look()
}

/** A frame names its own address, or none, and nothing else. */
function receiveFrame(
  message: FromPage,
  tabId: number,
  { frameId = 0, origin }: chrome.runtime.MessageSender,
): void {
  if (message.type !== 'frame') return
  const url = message.url === null ? null : URL.parse(message.url)
  if (url && url.origin !== origin) return
  void background.dispatch({ type: 'frame_seen', tabId, frameId, url: url?.href ?? null })
}

/** The work that the last page of a tab began. */
const opening = new Map<number, Promise<void>>()

/** True when the answer comes later. */
function receivePage(
  message: FromPage,
  tabId: number,
  sender: chrome.runtime.MessageSender,
  reply: (answer: unknown) => void,
): boolean {
  switch (message.type) {
    case 'open_panel':
      // In the same turn as the click, or the browser refuses it.
      if (!panels.isEmbedded(tabId)) openPanel(tabId)
      return false
    case 'activity':
      reportActivity()
      return false
    case 'page': {
      const url = URL.parse(message.url)
      // The script may name another address of its page, never another origin.
      if (!url || url.origin !== sender.origin) return false
      background
        .begin({ type: 'page_seen', tabId, url: url.href, isNew: message.isNew === true })
        .then(({ done }) => {
          opening.set(tabId, done)
          reply({ isEhr: background.isEhr(url.href) })
        })
        .catch(() => reply(undefined))
      look()
      return true
    }
    case 'wait': {
      const done = opening.get(tabId)
      // This background was not asked: the page asks it.
      if (!done) return false
      done.then(() => reply(true)).catch(() => reply(true))
      return true
    }
    default:
      return false
  }
}

async function receiveOffscreen(message: FromOffscreen): Promise<void> {
  const { dispatch } = background
  switch (message.type) {
    case 'worker':
      return dispatch({ type: 'worker_changed', ...pick(message) })
    case 'ended':
      return dispatch({
        type: 'session_ended',
        sessionId: message.sessionId,
        reason: message.reason,
      })
    case 'planned':
      return dispatch({ type: 'sign_out_planned', at: message.at })
    case 'reachable':
      return dispatch({ type: 'reachable', isOffline: message.isOffline })
  }
}

const pick = ({ sessionId, worker }: Extract<FromOffscreen, { type: 'worker' }>) => ({
  sessionId,
  worker,
})

/** The panel of a window stands beside the tab that is in front. */
const findOrigin = async (tabId: number) => (tabId === NO_TAB ? findActiveTab() : tabId)

async function receiveCommand(tabId: number, command: PanelCommand): Promise<void> {
  const { dispatch } = background
  switch (command.type) {
    case 'openSetup':
      return chrome.runtime.openOptionsPage()
    case 'chooseService':
      return dispatch({ type: 'service_chosen', isProposed: command.isProposed })
    case 'signIn':
      return dispatch({
        type: 'sign_in_asked',
        prepared: await prepareSignIn(),
        originTabId: await findOrigin(tabId),
      })
    case 'showSignInTab':
      return dispatch({ type: 'sign_in_tab_asked', originTabId: await findOrigin(tabId) })
    case 'cancelSignIn':
      return dispatch({ type: 'sign_in_cancelled' })
    case 'signOut':
      return dispatch({ type: 'sign_out_asked' })
    case 'stay':
      return dispatch({ type: 'active', now: Date.now(), isUrgent: true })
    case 'activity':
      return dispatch({ type: 'active', now: Date.now(), isUrgent: false })
    case 'choosePractice':
      return dispatch({ type: 'practice_chosen', tabId, practiceId: command.practiceId })
    case 'changePractice':
      return dispatch({ type: 'practice_change_asked', tabId })
    case 'appChosen':
      return dispatch({ type: 'app_chosen', tabId, appId: command.appId })
    case 'openAgain':
      return dispatch({ type: 'open_again_asked', tabId })
    case 'retryWorker':
      return dispatch({ type: 'worker_retry_asked', tabId, appId: command.appId })
    case 'preflight': {
      const origin = new URL(chrome.runtime.getURL('')).origin
      const { appId } = command
      const answer = await background.ask((service, token) =>
        service.preflight(token, appId, origin),
      )
      return panels.send(tabId, { type: 'preflight', appId, answer })
    }
    case 'report': {
      const { practiceId, problem } = command
      const answer = await background.ask((service, token) =>
        service.reportProblem(token, practiceId, problem),
      )
      return panels.send(tabId, { type: 'reported', failure: answer?.failure ?? null })
    }
    case 'launches':
      return dispatch({ type: 'panel_launches', tabId, launches: command.launches })
  }
}
