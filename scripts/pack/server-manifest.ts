// The package.json of the published server, and its npm-shrinkwrap.json: the same third-party packages, with
// their hashes, as in the lock file of this repository, wherever it is installed. Pure.
import type { LockedPackage } from '../supply-chain/lock-file.ts'

/** The fields of a workspace's package.json that are used here. */
export interface ServerManifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export type PublishedManifest = ReturnType<typeof serverManifest>

/** Lists what the workspaces need of the registry. */
export const listDirect = (sources: readonly ServerManifest[]): Record<string, string> =>
  Object.fromEntries(
    sources
      .flatMap(({ dependencies }) => Object.entries(dependencies ?? {}))
      .filter(([name]) => !name.startsWith('@chartside/'))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** @param sources the service first, then its command line */
export function serverManifest(sources: readonly ServerManifest[]) {
  const [{ name, version } = { name: '', version: '' }] = sources
  return {
    name,
    version,
    description: 'Chartside: app authentication and launches for apps beside the chart.',
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=24' },
    // The only one, so that `npx @chartside/server` finds it.
    bin: { chartside: 'dist/chartside.js' },
    dependencies: listDirect(sources),
  }
}

export function shrinkwrap(manifest: PublishedManifest, packages: readonly LockedPackage[]) {
  const { name, version, license, bin, engines, dependencies } = manifest
  const entries = new Map<string, object>()
  for (const { place, name: _name, dev: _dev, ...entry } of packages) {
    // What a workspace has for itself because others have another version.
    const alone = place.replace(/^packages\/[\w-]+\//, '')
    if (entries.has(alone)) throw new Error(`${alone} is needed in two versions`)
    entries.set(alone, entry)
  }
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name, version, license, bin, engines, dependencies },
      ...Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}
