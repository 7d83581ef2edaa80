// The content script on the pages of an EHR: reports the page and its address, also when it changes
// without a load, reports activity, and shows the handle that opens the panel. In a frame of the page it
// reports activity and the address of the frame. It listens to no message of the page and gives it none: the page learns neither
// who is signed in nor which apps run.
import type { FromPage } from '../offscreen/offscreen-messages.ts'
import { createHandle } from './handle.ts'

const ACTIVITY_INTERVAL_MS = 30_000
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000, 4_000]

// The background injects it into pages that were open before it was registered.
const world = globalThis as { chartsideContent?: boolean }
if (!world.chartsideContent) {
  world.chartsideContent = true
  if (window === window.top) start()
  else startInFrame()
}

function start(): void {
  const handle = createHandle({ onOpen: () => void send({ type: 'open_panel' }), isAlive })
  let reported = ''

  async function report(): Promise<void> {
    const url = location.href
    if (url === reported) return
    const isNew = reported === ''
    reported = url
    for (const delay of [0, ...RETRY_DELAYS_MS]) {
      await new Promise((resolve) => setTimeout(resolve, delay))
      const answer = await send({ type: 'page', url, isNew })
      if (url !== location.href) return
      if (answer) handle.show((answer as { isEhr?: unknown }).isEhr === true)
      // A background that the browser stopped in the middle gets the page again.
      if (answer && (await send({ type: 'wait' }))) return
      if (url !== location.href) return
      if (!isAlive()) return stop()
    }
  }

  const listening = new AbortController()
  const { signal } = listening
  /** Stops after an update of the extension, or its end: this script then belongs to nothing. */
  function stop(): void {
    listening.abort()
    handle.remove()
  }

  const again = () => {
    reported = ''
    void report()
  }
  // Single-page EHRs change the address without a load.
  window.navigation?.addEventListener('currententrychange', () => void report(), { signal })
  window.addEventListener('popstate', () => void report(), { signal })
  window.addEventListener('pageshow', (event) => event.persisted && again(), { signal })
  document.addEventListener('prerenderingchange', again, { signal })
  reportActivity(listening, stop)
  chrome.runtime.onMessage.addListener((message: { type?: unknown }, sender, reply) => {
    if (sender.id !== chrome.runtime.id) return
    if (message?.type === 'are_you_there') reply({ url: location.href })
    if (message?.type === 'look_again') again()
  })
  if (!(document as { prerendering?: boolean }).prerendering) void report()
}

/** A frame reports its own address, for EHRs that keep one address for all charts, and activity. */
function startInFrame(): void {
  const listening = new AbortController()
  const { signal } = listening
  const report = () => void send({ type: 'frame', url: location.href })
  reportActivity(listening, () => listening.abort())
  window.navigation?.addEventListener('currententrychange', report, { signal })
  window.addEventListener('pageshow', (event) => event.persisted && report(), { signal })
  window.addEventListener('pagehide', () => void send({ type: 'frame', url: null }), { signal })
  report()
}

/** `stop` is called once the extension that put the script there is gone. */
function reportActivity({ signal }: AbortController, stop: () => void): void {
  let activeAt = Number.NEGATIVE_INFINITY
  for (const type of ['keydown', 'pointerdown', 'wheel'] as const) {
    const onActivity = (event: TrustedMark) => {
      if (!isAlive()) return stop()
      const now = performance.now()
      if (!event.isTrusted || now - activeAt < ACTIVITY_INTERVAL_MS) return
      activeAt = now
      void send({ type: 'activity' })
    }
    window.addEventListener(type, onActivity, { capture: true, passive: true, signal })
  }
}

type TrustedMark = Pick<Event, 'isTrusted'>

/** Sends the message; undefined without a background that answers. */
async function send(message: FromPage): Promise<unknown> {
  try {
    return await chrome.runtime.sendMessage({ to: 'background', ...message })
  } catch {
    return undefined
  }
}

function isAlive(): boolean {
  return chrome.runtime?.id !== undefined
}
