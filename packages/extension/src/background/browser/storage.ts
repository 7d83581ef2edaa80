// Where the background keeps what it knows: the state in chrome.storage.session, which only trusted
// contexts read and which is gone with the browser; device, settings and choices in chrome.storage.local,
// which is closed to content scripts as well. No token is in storage.local. Security V28.
import { chooseSettings, type Settings, type Sources } from '../../settings.ts'
import { emptyState, type LoadedState, type State } from '../state.ts'

declare const __CHARTSIDE_SERVICE__: string | null
declare const __CHARTSIDE_DEVELOPMENT__: boolean

/**
 * Closes the storage to content scripts, before anything is read. A page of an EHR that was taken over runs
 * in their world.
 */
export function closeStorage(): void {
  void chrome.storage.local.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' })
}

export async function loadState(): Promise<LoadedState> {
  const [{ state }, local, settings] = await Promise.all([
    chrome.storage.session.get<{ state?: State }>('state'),
    chrome.storage.local.get<Record<string, unknown>>([
      'deviceId',
      'choices',
      'lastApps',
      'watched',
      'sessions',
    ]),
    loadSettings(),
  ])
  const choices = (local.choices ?? {}) as State['choices']
  const lastApps = (local.lastApps ?? {}) as State['lastApps']
  const deviceId = typeof local.deviceId === 'string' ? local.deviceId : await makeDeviceId()
  return {
    state: state
      ? { ...state, settings: state.settings ?? settings }
      : { ...emptyState(deviceId, settings, readTexts(local.sessions)), choices, lastApps },
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

type Managed = Sources['managed']
type Local = Sources['local'] & { readonly policy?: Managed }

/**
 * Loads the settings with the policy as it was last: after a start of the browser its answer takes seconds.
 * Where it differs, {@link onSettingsChanged} says so then.
 */
async function loadSettings(): Promise<Settings | null> {
  const local = await chrome.storage.local.get<Local>(LOCAL_KEYS)
  return choose(local.policy ?? (await loadPolicy()), local)
}

const LOCAL_KEYS: (keyof Local)[] = ['settings', 'confirmedService', 'policy']

function choose(managed: Managed, local: Sources['local']): Settings | null {
  const built = { service: __CHARTSIDE_SERVICE__, isDevelopment: __CHARTSIDE_DEVELOPMENT__ }
  return chooseSettings({ managed, local, built })
}

async function loadPolicy(): Promise<Managed> {
  // Rejects where no policy can be set.
  const policy = await chrome.storage.managed.get<Managed>().catch(() => ({}))
  const known = await chrome.storage.local.get<Local>('policy')
  if (JSON.stringify(known.policy) !== JSON.stringify(policy)) {
    await chrome.storage.local.set({ policy })
  }
  return policy
}

/** The first address that was typed needs no second word; each later one does. */
async function readSettings(): Promise<Settings | null> {
  const policy = await loadPolicy()
  const local = await chrome.storage.local.get<Local>(LOCAL_KEYS)
  const settings = choose(policy, local)
  if (local.settings && local.confirmedService === undefined && settings) {
    await chrome.storage.local.set({ confirmedService: settings.service })
  }
  return settings
}

/** Calls the listener at each change, and once after a start with the policy, which may bring nothing new. */
export function onSettingsChanged(listener: (settings: Settings | null) => Promise<void>): void {
  const read = async () => listener(await readSettings())
  chrome.storage.onChanged.addListener(async (changes, area) => {
    const isTyped = 'settings' in changes || 'confirmedService' in changes
    if (area === 'managed' || (area === 'local' && isTyped)) await read()
  })
  void read()
}

/** The person decided between two services. */
export const confirmService = (service: string): Promise<void> =>
  chrome.storage.local.set({ settings: { service }, confirmedService: service })
