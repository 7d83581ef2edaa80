// Divides test files into work items, each of which one process runs: files that may share a process
// go together in path order, so that a failure can be repeated; the rest goes alone. Pure.
import { ALONE, type Kind, labelOf, type TestFile, WAITING } from './test-files.ts'

export interface WorkItem {
  readonly files: readonly TestFile[]
  readonly estimatedSeconds: number
  /** Runs when nothing else does. */
  readonly isAlone: boolean
  /** Costs next to nothing for as long as it takes, so it occupies no worker. */
  readonly isWaiting: boolean
}

/** Recorded seconds of each file, by its label. */
export type Durations = Readonly<Record<string, number>>

/** Starting a process and loading the service costs half a second of a processor. */
const MAX_FILES = 24
const MAX_SECONDS = 24
const GUESSED_SECONDS: Readonly<Record<Kind, number>> = {
  'in-process': 1,
  process: 10,
  browser: 20,
  performance: 20,
}

export function divideWork(files: readonly TestFile[], durations: Durations): WorkItem[] {
  const secondsOf = (file: TestFile) => durations[labelOf(file)] ?? GUESSED_SECONDS[file.kind]
  const items: WorkItem[] = []
  for (const engine of ['sqlite', 'postgres'] as const) {
    let together: TestFile[] = []
    let seconds = 0
    const close = () => {
      if (together.length > 0) {
        items.push({ files: together, estimatedSeconds: seconds, isAlone: false, isWaiting: false })
      }
      together = []
      seconds = 0
    }
    for (const file of files.filter((one) => one.engine === engine)) {
      const own = secondsOf(file)
      const isAlone = ALONE.includes(file.path) || file.kind === 'performance'
      const isWaiting = WAITING.includes(file.path)
      if (file.kind !== 'in-process' || file.isIsolated || isAlone || isWaiting) {
        items.push({ files: [file], estimatedSeconds: own, isAlone, isWaiting })
        continue
      }
      if (together.length === MAX_FILES || seconds + own > MAX_SECONDS) close()
      together.push(file)
      seconds += own
    }
    close()
  }
  return items.sort((a, b) => b.estimatedSeconds - a.estimatedSeconds)
}
