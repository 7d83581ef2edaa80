// The packages that an app needs before it can start: finds those that are not installed, and
// installs them with npm. Reads package.json only; the app's own lock file decides the versions.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The names, as Node.js would look for them: in the folder and in those above it. */
export async function listMissingPackages(directory: string): Promise<string[]> {
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => '{}')
  const { dependencies = {} } = JSON.parse(text) as PackageFile
  return Object.keys(dependencies).filter((name) => !isInstalled(directory, name))
}

function isInstalled(directory: string, name: string): boolean {
  if (existsSync(join(directory, 'node_modules', name))) return true
  const parent = dirname(directory)
  return parent !== directory && isInstalled(parent, name)
}

/** @throws Error that names the packages, the cause and the command to run by hand */
export async function installPackages(
  directory: string,
  missing: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const script = process.env.npm_execpath
  const [command, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []]
  const flags = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const lines: string[] = []
  const problem = await new Promise<string | null>((resolve) => {
    const child = spawn(command, [...first, ...flags], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: process.platform === 'win32',
      signal,
    })
    child.stderr.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
    child.once('error', ({ message }) => resolve(message))
    child.once('close', (code) => resolve(code === 0 ? null : `exit code ${code}`))
  })
  if (problem === null) return
  const said = lines.join('').trim().split('\n').slice(0, 3).join('\n    ')
  throw new Error(
    `lacks ${missing.join(', ')}, and npm install failed (${problem}).\n    ${said}\n  Fix: run npm install in ${directory}`,
  )
}
