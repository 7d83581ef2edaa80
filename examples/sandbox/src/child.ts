// One child process of the sandbox: starts it, hands its output over line by line, stops it, and
// says so when it ends by itself. Leaves no child behind when this process ends.
// Knows nothing of what it runs.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A script runs on the Node.js of this process; anything else is a command for the shell. */
export type Program = { readonly script: readonly string[] } | { readonly command: string }

export interface ChildOptions {
  readonly name: string
  readonly program: Program
  /** Default: that of this process. */
  readonly directory?: string
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
  const { name, onLine, onDeath } = options
  const child = spawnProgram(options)
  const kill = (): void => signal(child, options.program, 'SIGKILL')
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
      signal(child, options.program, 'SIGTERM')
      const force = setTimeout(kill, GRACE_MS)
      await exited
      clearTimeout(force)
    },
  }
}

function spawnProgram({ program, directory, env }: ChildOptions): ChildProcess {
  const place = { ...(directory ? { cwd: directory } : {}), env: { ...process.env, ...env } }
  if ('command' in program) {
    // A group of its own: the shell would keep a signal to itself.
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    return spawn(program.command, { ...place, stdio: [...stdio], shell: true, detached: true })
  }
  return spawn(process.execPath, [...process.execArgv, ...program.script], {
    ...place,
    // The channel closes with this process, even one that was killed: a child may go by that.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

function signal(child: ChildProcess, program: Program, name: NodeJS.Signals): void {
  if (!('command' in program) || child.pid === undefined) return void child.kill(name)
  try {
    process.kill(-child.pid, name)
  } catch {
    // The group has gone by itself.
  }
}

function explainDeath(name: string, how: string, lastLines: readonly string[]): string {
  const said = lastLines.length > 0 ? ` Its last words:\n    ${lastLines.join('\n    ')}\n ` : ''
  return (
    `${name} stopped by itself (${how}), so the sandbox stopped too.${said} ` +
    'Fix: mend what it says above and run npm start again; if the stored data is the trouble, npm start -- --reset'
  )
}
