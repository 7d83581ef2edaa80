// Notices that a file of an app has changed: watches its folders, without what is installed, built
// or hidden, and calls back once for a burst of changes. Decides nothing about the app.
import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Editors save in several steps. */
const PAUSE_MS = 60
const MAX_FOLDERS = 1_000
const IGNORED_FOLDERS = new Set([
  'node_modules',
  'dist',
  'build',
  'out',
  'coverage',
  'test',
  'tests',
])
/** Notes, locks and data; backups of editors; the copy of its configuration that Vite loads. */
const IGNORED_FILES =
  /^\.|~$|\.(md|log|lock|db|sqlite)(-\w+)?$|\.sw[px]$|\.timestamp-|^package-lock\.json$|^pnpm-lock|^next-env\.d\.ts$/

export interface FolderWatch {
  close(): void
}

export function isIgnored(name: string): boolean {
  return IGNORED_FOLDERS.has(name) || IGNORED_FILES.test(name)
}

/** `onChange` gets the names of the files that changed; `without` has folders that are not watched. */
export async function watchFolder(
  directory: string,
  onChange: (files: readonly string[]) => void,
  without: readonly string[] = [],
): Promise<FolderWatch> {
  const watchers = new Map<string, FSWatcher>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const add = async (folder: string): Promise<void> => {
    if (isClosed || watchers.has(folder) || watchers.size >= MAX_FOLDERS) return
    if (without.includes(folder)) return
    const watcher = watch(folder, { persistent: false }, (_event, name) => notice(folder, name))
    // A folder that is removed.
    watcher.on('error', () => drop(folder))
    watchers.set(folder, watcher)
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const folders = entries.filter((entry) => entry.isDirectory() && !isIgnored(entry.name))
    await Promise.all(folders.map(({ name }) => add(join(folder, name)).catch(() => {})))
  }
  const drop = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const notice = (folder: string, name: string | null): void => {
    if (name === null || isIgnored(name)) return
    changed.add(name)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const files = [...changed]
      changed.clear()
      // The name may be that of a new folder; for a file this fails without harm.
      add(join(folder, name)).catch(() => drop(join(folder, name)))
      onChange(files)
    }, PAUSE_MS)
  }

  await add(directory)
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
      for (const folder of watchers.keys()) drop(folder)
    },
  }
}
