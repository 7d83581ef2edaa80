// Installs Debian's packages for the tests, where it was asked for: CHARTSIDE_INSTALL=1, as root, on a machine with
// apt. What it does is said on stderr. Security V37.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const APT_INSTALL = ['apt-get', 'install', '--yes', '--no-install-recommends'] as const
const TIMEOUT_MS = 300_000

/** Gives what went wrong, if anything did. */
export async function installFromDebian(
  packages: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  if (environment.CHARTSIDE_INSTALL !== '1') {
    return `nothing is installed without being asked for: set CHARTSIDE_INSTALL=1, or run ${[...APT_INSTALL, ...packages].join(' ')}`
  }
  if (!existsSync('/usr/bin/apt-get')) return 'this machine has no apt-get'
  if (process.getuid?.() !== 0) return 'apt-get needs root'
  return (
    (await runInstaller('apt-get', ['update'])) ??
    (await runInstaller(APT_INSTALL[0], [...APT_INSTALL.slice(1), ...packages]))
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
