// Where the background keeps what it knows: the state in chrome.storage.session, which only trusted
// contexts read and which is gone with the browser; device, settings and choices in chrome.storage.local.
// No token is in storage.local.
import { chooseSettings, type Settings } from '../../settings.ts'
import type { LoadedState } from '../background-loop.ts'
import { emptyState, type State } from '../state.ts'

declare const __CHARTSIDE_SERVICE__: string | null
declare const __CHARTSIDE_DEVELOPMENT__: boolean

export async function loadState(): Promise<LoadedState> {
  const [{ state }, local, settings] = await Promise.all([
    chrome.storage.session.get<{ state?: State }>('state'),
    chrome.storage.local.get<Record<string, unknown>>([
      'deviceId',
      'choices',
      'watched',
      'sessions',
    ]),
    loadSettings(),
  ])
  const choices = (local.choices ?? {}) as State['choices']
  const deviceId = typeof local.deviceId === 'string' ? local.deviceId : await makeDeviceId()
  return {
    state: state
      ? { ...state, settings: state.settings ?? settings }
      : { ...emptyState(deviceId, settings, readTexts(local.sessions)), choices },
    watched: readTexts(local.watched),
    save: async (next) => {
      await chrome.storage.session.set({ state: next })
      await saveSessions(next)
    },
  }
}

const readTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

let saved = ''

/** Their identifiers, which are no secrets, outlive a browser that ends without a word. */
async function saveSessions({ tabs, leftover }: State): Promise<void> {
  const open = Object.values(tabs).flatMap(({ session }) =>
    session.kind === 'live' ? [session.session.id] : [],
  )
  const sessions = [...leftover, ...open]
  if (sessions.join() === saved) return
  saved = sessions.join()
  await chrome.storage.local.set({ sessions })
}

async function makeDeviceId(): Promise<string> {
  const deviceId = crypto.randomUUID()
  await chrome.storage.local.set({ deviceId })
  return deviceId
}

export async function loadSettings(): Promise<Settings | null> {
  const [managed, local] = await Promise.all([
    // Rejects where no policy can be set.
    chrome.storage.managed.get<Record<string, unknown>>().catch(() => ({})),
    chrome.storage.local.get<{ settings?: Record<string, unknown> }>('settings'),
  ])
  const built = { service: __CHARTSIDE_SERVICE__, isDevelopment: __CHARTSIDE_DEVELOPMENT__ }
  return chooseSettings({ managed, local: local.settings ?? {}, built })
}

export function onSettingsChanged(listener: (settings: Settings | null) => Promise<void>): void {
  chrome.storage.onChanged.addListener(async (changes, area) => {
    const isOurs = area === 'managed' || (area === 'local' && 'settings' in changes)
    if (isOurs) await listener(await loadSettings())
  })
}
