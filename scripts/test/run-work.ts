// Runs work items on several workers, the longest first, and afterwards, one at a time, those that
// need the machine for themselves. What a process did not reach runs in another one.

import type { FileResult } from './file-results.ts'
import { isOnPostgres, needsDisk, type TestFile } from './test-files.ts'
import { runInProcess } from './test-process.ts'
import type { WorkItem } from './work-items.ts'

export interface RunOptions {
  readonly root: string
  readonly workers: number
  readonly temporaryDirectory: string
  readonly env: Readonly<Record<string, string>>
  onResult(result: FileResult): void
}

const ON_POSTGRES = { CHARTSIDE_TEST_ENGINE: 'postgres' }

export async function runWork(items: readonly WorkItem[], options: RunOptions): Promise<void> {
  const { root, workers, env, onResult } = options
  async function run(item: WorkItem): Promise<void> {
    let files: readonly TestFile[] = item.files
    while (files.length > 0) {
      const engine = files.some(isOnPostgres) ? ON_POSTGRES : {}
      const temporary = files.some(needsDisk) ? {} : { TMPDIR: options.temporaryDirectory }
      const all = { ...env, ...engine, ...temporary }
      files = await runInProcess(files, { root, env: all, onResult })
    }
  }
  async function work(queue: WorkItem[]): Promise<void> {
    for (let item = queue.shift(); item; item = queue.shift()) await run(item)
  }
  const queue = items.filter(({ isAlone }) => !isAlone)
  await Promise.all(Array.from({ length: workers }, () => work(queue)))
  await work(items.filter(({ isAlone }) => isAlone))
}
