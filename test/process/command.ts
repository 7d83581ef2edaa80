// Runs the operator's command line as a child process, as `npx chartside` does, with an environment
// of its own. Gives what it printed and how it ended; expects nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Ending, environmentWithoutSettings } from './service-process.ts'

const ENTRY = fileURLToPath(new URL('../../packages/operator/src/main.mjs', import.meta.url))

export interface Ran extends Ending {
  readonly stdout: string
  readonly stderr: string
}

export function startCommand(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environmentWithoutSettings(), ...environment },
  })
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const printed = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    printed.stdout += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    printed.stderr += String(chunk)
  })
  const ended: Promise<Ran> = once(child, 'close').then(([code, signal]) => {
    process.off('exit', killNow)
    return { code, signal, ...printed }
  })
  return { child, ended }
}

export const runCommand = (args: readonly string[], environment?: Record<string, string>) =>
  startCommand(args, environment).ended
