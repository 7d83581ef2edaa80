// One npm installation for several new apps: what their package.json files name together, installed
// in the folder above them, where Node.js looks too. Each of them alone would cost as much.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** `apps` are folders below `folder`. `leaveOut` names packages that no app needs here. */
export async function installTogether(
  folder: string,
  apps: readonly string[],
  {
    leaveOut = [],
    ...limits
  }: { leaveOut?: readonly string[]; env?: NodeJS.ProcessEnv; timeout?: number } = {},
): Promise<void> {
  const named: Record<string, string> = {}
  for (const app of apps) {
    const manifest: Manifest = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'))
    const vendor = `file:${relative(folder, app)}/vendor/`
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    for (const [name, from] of all) named[name] ??= from.replace('file:vendor/', vendor)
  }
  for (const name of leaveOut) delete named[name]
  const text = JSON.stringify({ private: true, dependencies: named })
  await writeFile(join(folder, 'package.json'), text)
  await installAlone(folder, limits)
}

/** What the package.json of the folder names. */
export async function installAlone(
  cwd: string,
  limits: { env?: NodeJS.ProcessEnv; timeout?: number } = {},
): Promise<void> {
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...quick], { cwd, ...limits })
}
