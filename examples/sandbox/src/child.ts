// One child process of the sandbox: starts it, passes on its output line by line, stops it, and
// reports when it exits by itself. No child outlives this process. Knows nothing of what it runs.
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
  /** The line for the message of an unexpected exit; null when the line explains nothing. */
  explain?(line: string): string | null
  /** The process exited without `stop`. */
  onExit(error: ChildExit): void
}

/** A child that exited by itself. The message has its last lines. */
export class ChildExit extends Error {
  override readonly name = 'ChildExit'
  /** The end of the process, and the line that tells the cause best. */
  readonly summary: string
  readonly lastLines: readonly string[]

  constructor(child: string, how: string, lastLines: readonly string[]) {
    const shown = lastLines.length > 0 ? ` Its last lines:\n    ${lastLines.join('\n    ')}` : ''
    super(`${child} exited by itself (${how}).${shown}`)
    const cause = lastLines.find((line) => /^(Uncaught )?\w*Error\b/.test(line.trim()))?.trim()
    this.summary = cause === undefined ? how : `${how}: ${cause}`
    this.lastLines = lastLines
  }
}

export interface Child {
  readonly name: string
  /** Kills the process when it has not exited after `patienceMs`. */
  stop(patienceMs?: number): Promise<void>
}

const STOP_TIMEOUT_MS = 5_000
const MAX_KEPT_LINES = 12
/** Frames of a stack, and what Node.js prints around an uncaught error. */
const EXPLAINS_NOTHING = /^\s+at |^\s*\^+$|^Node\.js v|^node:internal|^\s*[{}],?$/

/** One listener for all of them. */
const kills = new Set<() => void>()
process.once('exit', () => {
  for (const kill of kills) kill()
})

export function startChild(options: ChildOptions): Child {
  const { name, onLine, onExit } = options
  const child = spawnProgram(options)
  const kill = (): void => signal(child, options.program, 'SIGKILL')
  kills.add(kill)
  const lastLines: string[] = []
  let isStopping = false
  const onOutput = (line: string): void => {
    if (line.trim() === '') return
    const text = options.explain ? options.explain(line) : explainOutput(line)
    if (text !== null) lastLines.push(text)
    if (lastLines.length > MAX_KEPT_LINES) lastLines.shift()
    onLine(line)
  }
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on('line', onOutput)
  }

  const exited = new Promise<void>((resolve) => {
    child.once('error', ({ message }) => {
      kills.delete(kill)
      resolve()
      onExit(new ChildExit(name, `could not be started: ${message}`, []))
    })
    child.once('close', (code, signal) => {
      kills.delete(kill)
      resolve()
      if (!isStopping) onExit(new ChildExit(name, signal ?? `exit code ${code}`, lastLines))
    })
  })

  return {
    name,
    stop: async (patienceMs = STOP_TIMEOUT_MS) => {
      isStopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      signal(child, options.program, 'SIGTERM')
      const force = setTimeout(kill, patienceMs)
      await exited
      clearTimeout(force)
    },
  }
}

function spawnProgram({ program, directory, env }: ChildOptions): ChildProcess {
  const settings = { ...(directory ? { cwd: directory } : {}), env: { ...process.env, ...env } }
  if ('command' in program) {
    // A process group of its own: the shell does not pass on a signal.
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    return spawn(program.command, { ...settings, stdio: [...stdio], shell: true, detached: true })
  }
  return spawn(process.execPath, [...process.execArgv, ...program.script], {
    ...settings,
    // The IPC channel closes with this process, even after SIGKILL; a child can exit then.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

function signal(child: ChildProcess, program: Program, name: NodeJS.Signals): void {
  if (!('command' in program) || child.pid === undefined) return void child.kill(name)
  try {
    process.kill(-child.pid, name)
  } catch {
    // The group has exited already.
  }
}

const explainOutput = (line: string) => (EXPLAINS_NOTHING.test(line) ? null : line)
