// Divides test files into work items, each of which one process runs: files that may share a process
// go together in path order, so that a failure can be repeated; the rest goes alone. Pure.
import { type Kind, labelOf, type TestFile } from './test-files.ts'

export interface WorkItem {
  readonly files: readonly TestFile[]
  readonly estimatedSeconds: number
  /** Runs when nothing else does. */
  readonly isAlone: boolean
}

/** Recorded seconds of each file, by its label. */
export type Durations = Readonly<Record<string, number>>

/** Starting a process and loading the service costs half a second of a processor. */
const MAX_FILES = 48
const MAX_SECONDS: Readonly<Record<Kind, number>> = {
  'in-process': 45,
  process: 0,
  browser: 90,
  release: 0,
}
/** What a machine without a record assumes, so that the long kinds begin first. */
const GUESSED_SECONDS: Readonly<Record<Kind, number>> = {
  'in-process': 1,
  process: 10,
  browser: 20,
  release: 60,
}

export const secondsOf = (file: TestFile, durations: Durations): number =>
  durations[labelOf(file)] ?? GUESSED_SECONDS[file.kind]

/** The longest first. What is measured with a stopwatch runs alone. */
export function divideWork(files: readonly TestFile[], durations: Durations): WorkItem[] {
  const items: WorkItem[] = []
  const groups = new Map<string, TestFile[]>()
  for (const file of files) {
    if (file.isIsolated) {
      const estimatedSeconds = secondsOf(file, durations)
      items.push({ files: [file], estimatedSeconds, isAlone: file.kind === 'release' })
    } else {
      const group = `${file.engine} ${file.kind}`
      groups.set(group, [...(groups.get(group) ?? []), file])
    }
  }
  for (const group of groups.values()) items.push(...divideGroup(group, durations))
  return items.sort((a, b) => b.estimatedSeconds - a.estimatedSeconds)
}

/** In path order, so that a failure can be repeated. */
function divideGroup(group: readonly TestFile[], durations: Durations): WorkItem[] {
  const parts: { files: TestFile[]; estimatedSeconds: number; isAlone: false }[] = []
  for (const file of group) {
    const own = secondsOf(file, durations)
    const last = parts.at(-1)
    const isFull = last && last.estimatedSeconds + own > MAX_SECONDS[file.kind]
    if (last && last.files.length < MAX_FILES && !isFull) {
      last.files.push(file)
      last.estimatedSeconds += own
    } else parts.push({ files: [file], estimatedSeconds: own, isAlone: false })
  }
  return parts
}
