// Installs Debian's packages for the tests, where this process may: as root, on a machine with apt. What
// it does is said on stderr.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const TIMEOUT_MS = 300_000

/** Gives what went wrong, if anything did. */
export async function installFromDebian(packages: readonly string[]): Promise<string | undefined> {
  if (!existsSync('/usr/bin/apt-get')) return 'this machine has no apt-get'
  if (process.getuid?.() !== 0) return 'apt-get needs root'
  return (
    (await runInstaller('apt-get', ['update'])) ??
    (await runInstaller('apt-get', ['install', '--yes', '--no-install-recommends', ...packages]))
  )
}

/** Runs a command with its output on stderr; gives what went wrong, if anything did. */
export function runInstaller(
  command: string,
  args: readonly string[],
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 2, 2],
      timeout: TIMEOUT_MS,
      env: {
        ...process.env,
        DEBIAN_FRONTEND: 'noninteractive',
        PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '20000',
      },
    })
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => {
      const timedOut = signal ? ` (stopped after ${TIMEOUT_MS / 1000} s)` : ''
      resolve(code === 0 ? undefined : `${[command, ...args].join(' ')} failed${timedOut}`)
    })
  })
}
