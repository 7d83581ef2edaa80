// Runs one work item in a process group of its own and watches it: collects what its tests report,
// ends it when a file or the end of the process takes too long, and says what was left of it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type FileResult, fileResults } from './file-results.ts'
import { isLarge, type TestFile } from './test-files.ts'

const FILE_SECONDS = 300
/** What installs and builds Next.js three times, or visits 190 pages. */
const LARGE_FILE_SECONDS = 1_200
/** From the end of the last test until the process has ended. */
const END_SECONDS = 20
const KILL_AFTER_MS = 3000
/** For the output of a process that has ended, should another one hold its pipes. */
const OUTPUT_AFTER_END_MS = 1000
const MAX_PRINTED = 20_000

const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  `--test-reporter=${fileURLToPath(new URL('reporter.ts', import.meta.url))}`,
  '--test-reporter-destination=stderr',
]
const ENTRY = fileURLToPath(new URL('run-files.ts', import.meta.url))

/** Every process group that began and may have a member left, by the process that leads it. */
const groups = new Set<number>()

/** What a service may take to end, before it is killed. */
const END_ALL_MS = 5000
const LOOK_EVERY_MS = 50

/** Ends every test process together with what it has started, and waits until none is left. */
export async function endAll(signal: NodeJS.Signals, killAfterMs = END_ALL_MS): Promise<void> {
  const mayKillAt = performance.now() + killAfterMs
  for (const pid of groups) signalGroup(pid, signal)
  while (groups.size > 0) {
    const isLate = performance.now() >= mayKillAt
    for (const pid of groups) if (!signalGroup(pid, isLate ? 'SIGKILL' : 0)) groups.delete(pid)
    await sleep(LOOK_EVERY_MS)
  }
}

/** Gives false when no process of the group is left. Signal 0 only asks. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch {
    return false
  }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalGroup(pid, signal)
}

export interface ProcessOptions {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  onResult(result: FileResult): void
}

/** Gives each result as its file ends; resolves with the files that were not reached. */
export async function runInProcess(
  files: readonly TestFile[],
  { root, env, onResult }: ProcessOptions,
): Promise<readonly TestFile[]> {
  const child = spawn(process.execPath, [...FLAGS, ENTRY, ...files.map(({ path }) => path)], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  if (child.pid !== undefined) groups.add(child.pid)
  let printed = ''
  const keep = (chunk: unknown) => {
    printed = (printed + String(chunk)).slice(-MAX_PRINTED)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  child.on('error', keep)

  const results = fileResults(files, (result) => onResult({ ...result, printed }))
  const fileSeconds = files.some(isLarge) ? LARGE_FILE_SECONDS : FILE_SECONDS
  let reason = ''
  let bound: NodeJS.Timeout | undefined
  function restartBound(): void {
    const seconds = results.isAtEnd() ? END_SECONDS : fileSeconds
    clearTimeout(bound)
    bound = setTimeout(() => {
      reason = results.isAtEnd()
        ? `The process did not end within ${seconds} s of its last test.`
        : `The file took more than ${seconds} s and was ended.`
      endGroup(child, 'SIGTERM')
      setTimeout(endGroup, KILL_AFTER_MS, child, 'SIGKILL').unref()
    }, seconds * 1000)
  }
  restartBound()
  const reports = createInterface({ input: child.stdio[3] as Readable })
  const isRead = once(reports, 'close')
  reports.on('line', (line) => {
    if (results.take(JSON.parse(line)) === 'file ended') restartBound()
  })

  const isClosed = once(child, 'close')
  const [code, signal] = await once(child, 'exit').catch(() => [1, null])
  clearTimeout(bound)
  // What its tests started and did not end.
  endGroup(child, 'SIGKILL')
  if (child.pid !== undefined) groups.delete(child.pid)
  await Promise.race([Promise.all([isClosed, isRead]), sleep(OUTPUT_AFTER_END_MS)])
  if (reason) return results.end(reason)
  if (signal) return results.end(`The process was ended by ${signal}.`)
  return results.end(code === 0 ? undefined : `The process exited with code ${code}.`)
}
