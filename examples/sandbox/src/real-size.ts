// Fills the database of the sandbox with an installation of real size before its service starts, by a tool that only a
// checkout has. Owns none of the data.
import type { Administrator } from './administrator.ts'
import { startChild } from './child.ts'
import { REAL_SIZE } from './installation.ts'
import type { LogEntry } from './log-lines.ts'
import type { Places } from './places.ts'
import type { ProcessGroup } from './process-group.ts'
import { buildServiceEnvironment } from './service-environment.ts'

interface Run {
  readonly processes: ProcessGroup
  readonly places: Places
  readonly dataDir: string
  readonly administrator: Administrator
  readonly log: (entry: LogEntry) => void
}

/** The last line of the tool begins with it. */
const DONE = 'Filled in '

/** @throws Error that says why, such as that the database has data already */
export async function fillRealSize(run: Run, launches: number): Promise<void> {
  const { signal } = run.processes
  const { promise: filled, resolve, reject } = Promise.withResolvers<void>()
  let isDone = false
  const child = startChild({
    name: 'Filling the database',
    program: { script: [...REAL_SIZE, String(launches)] },
    env: buildServiceEnvironment(run.places, run.dataDir, run.administrator),
    onLine: (text) => {
      isDone ||= text.startsWith(DONE)
      run.log({ source: 'data', level: 'info', at: Date.now(), text, details: [] })
    },
    onExit: (error) => (isDone ? resolve() : reject(new Error(error.lastLines.join('\n')))),
  })
  const stop = () => void child.stop().then(() => reject(signal.reason))
  signal.addEventListener('abort', stop)
  await filled.finally(() => signal.removeEventListener('abort', stop))
}
