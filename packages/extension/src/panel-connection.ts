// The panel's end of its port to the background. The browser stops the background after half a
// minute without events, which closes the port: it is opened again, and the background sends the
// present state again. Knows no page; the panel document passes its listener.
import { type BackgroundMessage, PANEL_PORT, type PanelCommand } from './messages.ts'

export interface PanelConnection {
  send(command: PanelCommand): void
  close(): void
}

const RECONNECT_DELAY_MS = 100

export function connectToBackground(
  listener: (message: BackgroundMessage) => void,
): PanelConnection {
  let port: chrome.runtime.Port | null = null
  let isClosed = false
  /** The last command that named the launches of this panel: a new background knows nothing. */
  let launches: PanelCommand | null = null

  function connect(): chrome.runtime.Port {
    const opened = chrome.runtime.connect({ name: PANEL_PORT })
    port = opened
    opened.onMessage.addListener(listener)
    opened.onDisconnect.addListener(() => {
      port = null
      if (!isClosed) setTimeout(() => port ?? (isClosed || connect()), RECONNECT_DELAY_MS)
    })
    if (launches) opened.postMessage(launches)
    return opened
  }
  connect()

  return {
    send: (command) => {
      if (command.type === 'launches') launches = command
      const isSentByConnecting = command.type === 'launches' && port === null
      const current = port ?? connect()
      if (!isSentByConnecting) current.postMessage(command)
    },
    close: () => {
      isClosed = true
      port?.disconnect()
    },
  }
}
