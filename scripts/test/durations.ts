// How long each test file took when it last ran, kept beside the installed packages, so that a run
// can begin with the longest. A missing or damaged record only makes the order worse.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Durations } from './work-items.ts'

const placeIn = (root: string) => join(root, 'node_modules', '.cache', 'chartside', 'tests.json')

/** The labels under which the seconds of a whole run stand beside those of its files. */
export const WHOLE_RUN = {
  first: 'npm test',
  all: 'npm test -- --all',
  changed: 'npm test -- --changed',
} as const

export function loadDurations(root: string): Durations {
  try {
    return JSON.parse(readFileSync(placeIn(root), 'utf8'))
  } catch {
    return {}
  }
}

export function updateDurations(root: string, measured: Durations): void {
  const rounded = Object.entries(measured).map(([label, seconds]) => [label, +seconds.toFixed(2)])
  const path = placeIn(root)
  mkdirSync(dirname(path), { recursive: true })
  const all = { ...loadDurations(root), ...Object.fromEntries(rounded) }
  writeFileSync(path, `${JSON.stringify(all, null, 1)}\n`)
}
