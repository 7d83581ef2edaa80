// The content script on the pages of EHRs: registered once for each host, because the browser registers
// nothing of a call with one bad pattern; injected where an EHR is open already. Names the hosts that
// the person has not granted yet.
import { widenToHost } from '../../match-pattern.ts'
import type { MissingAccess } from '../../messages.ts'
import type { PracticeEhrs } from '../state.ts'
import { listPatterns } from '../tab-rules.ts'

declare const __CHARTSIDE_DEVELOPMENT__: boolean

const FILE = 'content.js'

interface Host {
  readonly pattern: string
  readonly ehrName: string
}

/** @returns what the person would have to grant */
export async function watchPages(practices: readonly PracticeEhrs[]): Promise<MissingAccess[]> {
  const hosts = listHosts(practices)
  const granted: Host[] = []
  const missing: Host[] = []
  for (const host of hosts) {
    const isGranted = await chrome.permissions
      .contains({ origins: [host.pattern] })
      .catch(() => false)
    ;(isGranted ? granted : missing).push(host)
  }
  await registerScripts(granted.map(({ pattern }) => pattern))
  await chrome.storage.local.set({ watched: listPatterns(practices) })
  const byEhr = Map.groupBy(missing, ({ ehrName }) => ehrName)
  return [...byEhr].map(([ehrName, all]) => ({
    ehrName,
    origins: all.map(({ pattern }) => pattern),
  }))
}

/** An update of the extension forgets the scripts, before the person signs in again. */
export async function watchAgain(patterns: readonly string[]): Promise<void> {
  if ((await chrome.scripting.getRegisteredContentScripts()).length > 0) return
  const hosts = new Set(patterns.map(widen).filter((host) => host !== null))
  const granted: string[] = []
  for (const host of hosts) {
    if (await chrome.permissions.contains({ origins: [host] }).catch(() => false))
      granted.push(host)
  }
  await registerScripts(granted)
}

/** Widens a pattern to what this build may ask for: src/manifest.ts has its optional hosts. */
const widen = (pattern: string): string | null =>
  widenToHost(pattern, __CHARTSIDE_DEVELOPMENT__ ? '*' : 'https')

function listHosts(practices: readonly PracticeEhrs[]): Host[] {
  const hosts = new Map<string, Host>()
  for (const { name, matches } of practices.flatMap(({ ehrs }) => ehrs)) {
    for (const match of matches) {
      const pattern = widen(match)
      if (pattern && !hosts.has(pattern)) hosts.set(pattern, { pattern, ehrName: name })
    }
  }
  return [...hosts.values()]
}

async function registerScripts(patterns: readonly string[]): Promise<void> {
  const present = await chrome.scripting.getRegisteredContentScripts()
  const wanted = new Map(patterns.map((pattern) => [`ehr ${pattern}`, pattern]))
  const old = present.map(({ id }) => id).filter((id) => !wanted.has(id))
  if (old.length > 0) await chrome.scripting.unregisterContentScripts({ ids: old })
  for (const { id } of present) wanted.delete(id)
  for (const [id, pattern] of wanted) {
    const script = { id, allFrames: true, runAt: 'document_start' } as const
    try {
      await chrome.scripting.registerContentScripts([{ ...script, js: [FILE], matches: [pattern] }])
    } catch {}
  }
  if (patterns.length > 0) await injectInto([...patterns])
}

/** Pages that were open before: the script finds out itself when it runs twice. */
async function injectInto(patterns: string[]): Promise<void> {
  const tabs = await chrome.tabs.query({ url: patterns }).catch(() => [])
  await Promise.all(
    tabs.map(({ id }) =>
      id === undefined
        ? undefined
        : chrome.scripting
            .executeScript({ target: { tabId: id, allFrames: true }, files: [FILE] })
            .catch(() => undefined),
    ),
  )
}
