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
    chrome.storage.local.get<Record<string, unknown>>(['deviceId', 'choices', 'watched']),
    loadSettings(),
  ])
  const choices = (local.choices ?? {}) as State['choices']
  const deviceId = typeof local.deviceId === 'string' ? local.deviceId : await makeDeviceId()
  return {
    state: state
      ? { ...state, settings: state.settings ?? settings }
      : { ...emptyState(deviceId, settings), choices },
    watched: Array.isArray(local.watched) ? local.watched : [],
    save: (next) => chrome.storage.session.set({ state: next }),
  }
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
