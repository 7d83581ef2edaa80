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
const MAX_SECONDS: Readonly<Record<Kind, number>> = {
  'in-process': 24,
  process: 0,
  browser: 90,
  performance: 0,
}
const GUESSED_SECONDS: Readonly<Record<Kind, number>> = {
  'in-process': 1,
  process: 10,
  browser: 12,
  performance: 20,
}

/**
 * On a machine that has no record yet, what would otherwise begin last and end after all others: seconds of
 * whole runs on two cores.
 */
export const GUESSED_LONG: Readonly<Record<string, number>> = {
  'test/packed/create.test.ts': 85,
  'test/browser/breaks.browser.ts': 75,
  'packages/operator/src/copy/copy.test.ts': 65,
  'test/process/chaos.test.ts': 50,
  'test/browser/create.browser.ts': 50,
  'conformance/test/planted-faults.test.ts': 50,
  'test/browser/examples.browser.ts': 75,
  'test/browser/sandbox-kill-switch.browser.ts': 50,
  'test/browser/console-launches.browser.ts': 45,
  'test/browser/console-people.browser.ts': 45,
  'test/browser/extension-lifetime.browser.ts': 45,
  'test/browser/app-pages.browser.ts': 45,
  'test/process/audit-command.test.ts': 40,
  'test/browser/sandbox.browser.ts': 35,
  'test/browser/sign-in-pictures.browser.ts': 35,
  'test/browser/extension-practices.browser.ts': 35,
  'conformance/test/peer.test.ts': 30,
  'test/browser/extension.browser.ts': 30,
  'test/browser/panel-states.browser.ts': 30,
  'test/browser/console-setup.browser.ts': 30,
  'test/browser/console.browser.ts': 25,
  'test/process/operations-page.test.ts': 25,
  'test/process/slow-database.test.ts': 25,
  'conformance/test/real-service.test.ts': 25,
}

const mayShare = ({ kind, isIsolated, isShared }: TestFile) =>
  kind === 'in-process' ? !isIsolated : isShared === true

export function divideWork(files: readonly TestFile[], durations: Durations): WorkItem[] {
  const secondsOf = (file: TestFile) =>
    durations[labelOf(file)] ?? GUESSED_LONG[labelOf(file)] ?? GUESSED_SECONDS[file.kind]
  const items: WorkItem[] = []
  const groups = new Map<string, TestFile[]>()
  for (const file of files) {
    const isAlone = ALONE.includes(file.path) || file.kind === 'performance'
    const isWaiting = WAITING.includes(file.path)
    if (!mayShare(file) || isAlone || isWaiting) {
      items.push({ files: [file], estimatedSeconds: secondsOf(file), isAlone, isWaiting })
    } else {
      const group = `${file.engine} ${file.kind}`
      groups.set(group, [...(groups.get(group) ?? []), file])
    }
  }
  for (const group of groups.values()) {
    for (const { files: together, seconds } of divideGroup(group, secondsOf)) {
      const rest = { estimatedSeconds: seconds, isAlone: false, isWaiting: false }
      items.push({ files: together, ...rest })
    }
  }
  return items.sort((a, b) => b.estimatedSeconds - a.estimatedSeconds)
}

/** In path order, so that a failure can be repeated. */
function divideGroup(group: readonly TestFile[], secondsOf: (file: TestFile) => number) {
  const parts: { files: TestFile[]; seconds: number }[] = []
  for (const file of group) {
    const own = secondsOf(file)
    const last = parts.at(-1)
    const mostSeconds = MAX_SECONDS[file.kind]
    if (last && last.files.length < MAX_FILES && last.seconds + own <= mostSeconds) {
      last.files.push(file)
      last.seconds += own
    } else parts.push({ files: [file], seconds: own })
  }
  return parts
}
