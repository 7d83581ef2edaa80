// One child process of the sandbox: starts it on the same Node.js, hands its output over line by
// line, stops it, and says so when it ends by itself. Leaves no child behind when this process
// ends. Knows nothing of what it runs.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface ChildOptions {
  readonly name: string
  readonly script: string
  readonly env: Readonly<Record<string, string>>
  onLine(line: string): void
  /** The line as it may explain a death to a person; null when it explains nothing. */
  explain?(line: string): string | null
  /** The process ended although nobody stopped it. */
  onDeath(error: Error): void
}

export interface Child {
  readonly name: string
  stop(): Promise<void>
}

const GRACE_MS = 5_000
const KEPT_LINES = 12

export function startChild(options: ChildOptions): Child {
  const { name, script, env, onLine, onDeath } = options
  const child = spawn(process.execPath, [...process.execArgv, script], {
    // The channel closes with this process, even one that was killed: a child may go by that.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...env },
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const lastLines: string[] = []
  let isStopping = false
  const take = (line: string): void => {
    if (line.trim() === '') return
    const words = options.explain ? options.explain(line) : line
    if (words !== null) lastLines.push(words)
    if (lastLines.length > KEPT_LINES) lastLines.shift()
    onLine(line)
  }
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on('line', take)
  }

  const exited = new Promise<void>((resolve) => {
    child.once('error', (cause) => {
      resolve()
      onDeath(new Error(`${name} could not be started: ${cause.message}`, { cause }))
    })
    child.once('close', (code, signal) => {
      process.off('exit', kill)
      resolve()
      if (!isStopping)
        onDeath(new Error(explainDeath(name, signal ?? `exit code ${code}`, lastLines)))
    })
  })

  return {
    name,
    stop: async () => {
      isStopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const force = setTimeout(kill, GRACE_MS)
      await exited
      clearTimeout(force)
    },
  }
}

function explainDeath(name: string, how: string, lastLines: readonly string[]): string {
  const said = lastLines.length > 0 ? ` Its last words:\n    ${lastLines.join('\n    ')}\n ` : ''
  return (
    `${name} stopped by itself (${how}), so the sandbox stopped too.${said} ` +
    'Fix: mend what it says above and run npm start again; if the stored data is the trouble, npm start -- --reset'
  )
}
