// Runs work items on several workers, the longest first, beside them those that only wait, and
// afterwards, one at a time, those that need the machine for themselves. What a process did not
// reach runs in another one.
import type { FileResult } from './file-results.ts'
import { isOnPostgres, needsDisk } from './test-files.ts'
import { runInProcess } from './test-process.ts'
import type { WorkItem } from './work-items.ts'

export interface RunOptions {
  readonly root: string
  readonly workers: number
  /** For temporary files, and for those that are too large for a file system in memory. */
  readonly temporaryDirectory: string
  readonly diskDirectory: string
  readonly env: Readonly<Record<string, string>>
  onResult(result: FileResult): void
}

const ON_POSTGRES = { CHARTSIDE_TEST_ENGINE: 'postgres' }

export async function runWork(items: readonly WorkItem[], options: RunOptions): Promise<void> {
  const { root, workers, env, onResult } = options
  async function run({ files: all }: Pick<WorkItem, 'files'>): Promise<void> {
    let files = all
    while (files.length > 0) {
      const engine = files.some(isOnPostgres) ? ON_POSTGRES : {}
      const TMPDIR = files.some(needsDisk) ? options.diskDirectory : options.temporaryDirectory
      const environment = { ...env, ...engine, TMPDIR }
      const left = await runInProcess(files, { root, env: environment, onResult })
      if (left.length === files.length) return work(files.map((file) => ({ files: [file] })))
      files = left
    }
  }
  async function work(queue: Pick<WorkItem, 'files'>[]): Promise<void> {
    for (let item = queue.shift(); item; item = queue.shift()) await run(item)
  }
  const queue = items.filter(({ isAlone, isWaiting }) => !isAlone && !isWaiting)
  const waiting = work(items.filter(({ isWaiting }) => isWaiting))
  await Promise.all([waiting, ...Array.from({ length: workers }, () => work(queue))])
  await work(items.filter(({ isAlone }) => isAlone))
}
