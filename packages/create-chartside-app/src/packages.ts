// The source of the Chartside packages of a new app: the registry, or archives that the app carries
// in vendor/, so that it installs anywhere. Reads archives; only the pack script of a checkout
// makes them.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Refusal } from './choices.ts'
import type { AppFiles } from './write-app.ts'

/** The packages of an app, and those that they depend on. */
const PACKAGES = [
  ...['protocol', 'sdk', 'app-kit'],
  ...['test-kit', 'faults', 'server', 'sandbox'],
] as const

export interface PackageSource {
  /** The version specifiers for package.json, by name. */
  readonly versions: Readonly<Record<string, string>>
  readonly files: AppFiles
}

export const fromRegistry = (version: string): PackageSource => ({
  versions: Object.fromEntries(PACKAGES.map((name) => [`@chartside/${name}`, version])),
  files: new Map(),
})

/** @throws Refusal when an archive is missing, or there are several of one package */
export async function loadArchives(folder: string): Promise<PackageSource> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const archives = PACKAGES.map((name) => {
    const [archive, other] = found.filter((file) => {
      return file.startsWith(`chartside-${name}-`) && /-\d+\.\d+\.\d+[\w.+-]*\.tgz$/.test(file)
    })
    if (!archive) {
      throw new Refusal(
        `There is no chartside-${name}-….tgz in ${folder}. In a checkout of Chartside, npm run pack -- ${folder} makes it.`,
      )
    }
    if (other) {
      throw new Refusal(`${folder} holds both ${archive} and ${other}. Leave one of them there.`)
    }
    return [name, archive] as const
  })
  const files = archives.map(
    async ([, archive]) => [`vendor/${archive}`, await readFile(join(folder, archive))] as const,
  )
  const versions = archives.map(([name, archive]) => [
    `@chartside/${name}`,
    `file:vendor/${archive}`,
  ])
  return { versions: Object.fromEntries(versions), files: new Map(await Promise.all(files)) }
}

/** The pack script, when this runs from a checkout of Chartside. */
export function findPackScript(): string | undefined {
  const script = fileURLToPath(new URL('../../../scripts/pack.ts', import.meta.url))
  return existsSync(script) ? script : undefined
}

/**
 * Takes seconds. Its temporary files are in the folder too, for the caller to delete.
 * @throws Refusal with the output of the script
 */
export async function runPackScript(script: string, folder: string): Promise<void> {
  const env = { ...process.env, TMPDIR: folder }
  const args = [...process.execArgv, script, folder]
  await promisify(execFile)(process.execPath, args, { env }).catch(({ stderr }) => {
    throw new Refusal(
      `The packages of this checkout could not be packed. Correct the error below, or name archives with --packages.\n${stderr}`,
    )
  })
}
