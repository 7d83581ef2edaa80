// The panel document of one tab: takes the state of the background, hosts the UI apps of its EHR session
// and draws both. Signals hold what is shown; the view is built again from them, at most once a second
// while nothing happens.
/** @jsxImportSource preact */
import type { Announcement } from '@chartside/ui'
import { computed, effect, signal } from '@preact/signals'
import { render } from 'preact'
import type { BackgroundMessage, PanelState } from '../messages.ts'
import { connectToBackground } from '../panel-connection.ts'
import type { PanelAction } from './actions.ts'
import { announce } from './announcement.ts'
import { createHosting } from './hosting.ts'
import type { AccessRefusal } from './pages.ts'
import type { PagesChecked } from './pages-checked.ts'
import { PanelApp } from './panel-app.tsx'
import { buildView, type PanelInput } from './panel-view.ts'
import type { Slot } from './slots.ts'
import { WORDS } from './words.ts'

const TICK_MS = 1000
const ACTIVITY = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const
/** The background reports once a minute. */
const ACTIVITY_INTERVAL_MS = 15_000

const root = document.getElementById('panel')
const frames = document.getElementById('frames')
if (!root || !frames) throw new Error('The page has no #panel or no #frames.')

const state = signal<PanelState | null>(null)
const slots = signal<readonly Slot[]>([])
const chosen = signal<string | null>(null)
const unfolded = signal<PanelInput['unfolded']>(null)
const signInEnds = signal<PanelInput['signInEnds']>(null)
const pagesChecked = signal<PagesChecked | null>(null)
const now = signal(Date.now())
/** Beside the panel of a window; a tab's own panel needs to know no other. */
const activeTab = signal<number | null>(null)
const accessRefusal = signal<AccessRefusal | null>(null)
const said = signal<Announcement>({ text: '', turn: 0 })

const input = computed(() => ({
  state: state.value,
  slots: slots.value,
  chosen: chosen.value,
  unfolded: unfolded.value,
  pagesChecked: pagesChecked.value,
  signInEnds: signInEnds.value ?? null,
  chartTab: state.value?.chartTabs?.find((tabId) => tabId === activeTab.value) ?? null,
  accessRefusal: accessRefusal.value,
  now: now.value,
}))
const view = computed(() => buildView(input.value))

function change(apply: () => void): void {
  const before = { state: state.value, slots: slots.value }
  now.value = Date.now()
  apply()
  const text = announce(before, { state: state.value, slots: slots.value })
  if (text !== '') said.value = { text, turn: said.value.turn + 1 }
}

const hosting = createHosting(frames, {
  now: () => Date.now(),
  onSlots: (next) =>
    change(() => {
      slots.value = next(slots.value)
    }),
  onSignInEnds: (ends) => {
    signInEnds.value = ends
  },
  onLaunches: (launches) => connection.send({ type: 'launches', launches }),
})
const connection = connectToBackground(receive)

function receive(message: BackgroundMessage): void {
  if (message.type === 'grant') hosting.start(message.grant, chosen.value)
  else if (message.type === 'preflight') {
    pagesChecked.value = { appId: message.appId, answer: message.answer }
  } else if (message.type === 'withdraw') hosting.withdraw(message.sessionId, message.reason)
  else {
    change(() => {
      state.value = message.state
    })
  }
}

function act(action: PanelAction): void {
  switch (action.type) {
    case 'send':
      if (action.command.type === 'preflight') {
        pagesChecked.value = { appId: action.command.appId, answer: null }
      }
      connection.send(action.command)
      break
    case 'openApp':
      openApp(action.appId)
      break
    case 'launchAgain':
      hosting.launch(action.appId)
      break
    case 'closeApp':
      hosting.close(action.appId)
      break
    case 'openPanelOfTab':
      chrome.sidePanel.open({ tabId: action.tabId }).catch(() => {})
      break
    case 'stay':
      connection.send({ type: 'stay' })
      break
    case 'showBackground':
      unfolded.value = 'background'
      break
    case 'showDiagnostics':
      unfolded.value = 'diagnostics'
      break
    case 'fold':
      unfolded.value = null
      break
    case 'signOut':
    case 'changePractice':
      for (const { appId } of slots.value) hosting.close(appId)
      connection.send({ type: action.type })
      break
    case 'allow':
      askForAccess(action.ehrName, action.origins)
      break
    case 'report':
      break
  }
}

/** In the turn of the click. The background notices what the person granted. */
function askForAccess(ehrName: string, origins: readonly string[]): void {
  const refuse = (by: AccessRefusal['by']) => {
    accessRefusal.value = { ehrName, by }
    const words = by === 'person' ? WORDS.deniedText : WORDS.blockedText
    said.value = { text: words(ehrName), turn: said.value.turn + 1 }
  }
  accessRefusal.value = null
  chrome.permissions.request({ origins: [...origins] }).then(
    (isGranted) => isGranted || refuse('person'),
    () => refuse('browser'),
  )
}

function openApp(appId: string): void {
  chosen.value = appId
  unfolded.value = null
  const slot = slots.value.find((one) => one.appId === appId)
  const isIdle = slot?.state.kind === 'not_started' || slot?.state.kind === 'ended'
  if (isIdle && !slot.hasUnsavedWork) hosting.launch(appId)
}

if (!new URLSearchParams(location.search).has('tab')) {
  void chrome.tabs.query({ active: true, currentWindow: true }).then(([tab]) => {
    activeTab.value = tab?.id ?? null
    chrome.tabs.onActivated.addListener(({ tabId, windowId }) => {
      if (windowId === tab?.windowId) activeTab.value = tabId
    })
  })
}

let activeAt = Number.NEGATIVE_INFINITY
function onActivity({ isTrusted }: Event): void {
  const at = performance.now()
  const isWarned = signInEnds.value !== null || Boolean(state.value?.signsOutAt)
  if (!isTrusted || (at - activeAt < ACTIVITY_INTERVAL_MS && !isWarned)) return
  activeAt = at
  connection.send({ type: 'activity' })
}
for (const type of ACTIVITY) addEventListener(type, onActivity, { capture: true, passive: true })
// The host ends its launches by itself: nothing is left for the background.
addEventListener('pagehide', () => connection.send({ type: 'launches', launches: [] }))
effect(() => {
  root.dataset.view = state.value?.view.kind ?? 'starting'
})
setInterval(() => {
  now.value = Date.now()
}, TICK_MS)
render(
  <PanelApp view={view} input={input} said={said} frames={frames} hosting={hosting} act={act} />,
  root,
)
