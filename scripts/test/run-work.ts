// Runs work items on several workers, the longest first, and further ones while processors have nothing
// to do; afterwards, one at a time, those that need the machine for themselves. What a process did not
// reach runs in another one.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileResult } from './file-results.ts'
import { openIdleMeter } from './idle-processors.ts'
import { isOnPostgres, needsDisk } from './test-files.ts'
import { runInProcess } from './test-process.ts'
import type { WorkItem } from './work-items.ts'

export interface RunOptions {
  readonly root: string
  readonly workers: number
  /** Whether as many again may run while processors are idle: most tests wait now and then. */
  readonly isFilling: boolean
  /** For temporary files, and for those that are too large for a file system in memory. */
  readonly temporaryDirectory: string
  readonly diskDirectory: string
  readonly env: Readonly<Record<string, string>>
  onResult(result: FileResult): void
}

/** Long enough for a process that began at the last look to show what it needs. */
const LOOK_EVERY_MS = 2000
const IDLE_ENOUGH = 0.4

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
  async function fill(queue: Pick<WorkItem, 'files'>[]): Promise<void> {
    const meter = openIdleMeter()
    const further = new Set<Promise<void>>()
    const begin = (item: Pick<WorkItem, 'files'>) => {
      const running = run(item).finally(() => further.delete(running))
      further.add(running)
    }
    while (queue.length > 0) {
      await sleep(LOOK_EVERY_MS)
      const isIdle = meter.take() >= IDLE_ENOUGH
      const item = isIdle && further.size < workers ? queue.shift() : undefined
      if (item) begin(item)
    }
    await Promise.all(further)
  }
  const queue = items.filter(({ isAlone }) => !isAlone)
  const working = Array.from({ length: workers }, () => work(queue))
  const filling = options.isFilling ? fill(queue) : undefined
  await Promise.all([...working, filling])
  await work(items.filter(({ isAlone }) => isAlone))
}
