// One npm installation for several new apps: what their package.json files name together, installed
// in the folder above them, where Node.js looks too. Each of them alone would cost as much. Test files
// that name the same packages share one installation in a run of the tests.
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { makeOnce } from './made-once.ts'

const run = promisify(execFile)

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

interface Limits {
  readonly env?: NodeJS.ProcessEnv
  readonly timeout?: number
}

/** `apps` are folders below `folder`. `leaveOut` names packages that no app needs here. */
export async function installTogether(
  folder: string,
  apps: readonly string[],
  { leaveOut = [], ...limits }: Limits & { leaveOut?: readonly string[] } = {},
): Promise<void> {
  const named: Record<string, string> = {}
  for (const app of apps) {
    const manifest: Manifest = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'))
    const vendor = `file:${relative(folder, app)}/vendor/`
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    for (const [name, from] of all) named[name] ??= from.replace('file:vendor/', vendor)
  }
  for (const name of leaveOut) delete named[name]
  await installShared(folder, named, limits)
}

/** Writes the package.json of the folder too. What is installed must not be changed. */
export async function installShared(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
  limits: Limits = {},
): Promise<void> {
  const named = Object.entries(dependencies).toSorted(([a], [b]) => (a < b ? -1 : 1))
  // The archives of a run are the same wherever a file has its copies.
  const archiveOf = (from: string) => basename(from.replace(/^file:/, ''))
  const key = named.map(([name, from]) => [name, from.startsWith('file:') ? archiveOf(from) : from])
  const write = (at: string, text: object) =>
    writeFile(join(at, 'package.json'), JSON.stringify({ private: true, dependencies: text }))
  await write(folder, dependencies)
  const shared = await makeOnce(
    `installed-${hash('sha256', JSON.stringify(key), 'hex').slice(0, 12)}`,
    async (at) => {
      const absolute = named.map(([name, from]) => [
        name,
        from.startsWith('file:') ? `file:${resolve(folder, from.slice('file:'.length))}` : from,
      ])
      await write(at, Object.fromEntries(absolute))
      await installAlone(at, limits)
      return join(at, 'node_modules')
    },
  )
  if (shared) await symlink(shared, join(folder, 'node_modules'))
  else await installAlone(folder, limits)
}

/** What the package.json of the folder names. */
export async function installAlone(cwd: string, limits: Limits = {}): Promise<void> {
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...quick], { cwd, ...limits })
}
