// Reads package-lock.json: the packages of the registry, and the closure of what a workspace needs in
// production, resolved as Node.js resolves it. Reads the lock file only; installs nothing.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The entry that npm writes. */
export interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The entries by place, such as `node_modules/pg`. */
export type LockFile = Readonly<Record<string, LockEntry>>

export interface LockedPackage extends LockEntry {
  readonly place: string
  readonly name: string
}

const FOLDER = 'node_modules/'

export const loadLockFile = (root: string): LockFile =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

const packageAt = (lock: LockFile, place: string): LockedPackage => ({
  ...lock[place],
  place,
  // npm writes the name where the folder has another one.
  name: lock[place]?.name ?? (place.split(FOLDER).at(-1) ?? '').replace(/^packages\//, ''),
})

const isOfRegistry = ({ place, link }: LockedPackage) => place.includes(FOLDER) && !link

/** Lists what comes from a registry: not the workspaces. */
export const listPackages = (lock: LockFile): LockedPackage[] =>
  Object.keys(lock)
    .map((place) => packageAt(lock, place))
    .filter(isOfRegistry)

/** Lists what a package needs to run. */
export const listNeeded = (lock: LockFile, place: string): LockedPackage[] => {
  const { dependencies, optionalDependencies } = lock[place] ?? {}
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .flatMap((name) => findPlace(lock, name, place) ?? [])
    .map((found) => packageAt(lock, found))
}

/** Lists each place of a package: these workspaces and what they need to run, with what those need. */
function listPlaces(lock: LockFile, workspaces: readonly string[]): LockedPackage[] {
  const places = new Set(workspaces)
  // A Set hands out what is added while it is walked.
  for (const place of places) {
    for (const { place: needed } of listNeeded(lock, place)) places.add(needed)
  }
  return [...places].map((place) => packageAt(lock, place))
}

/** The same, each version of a package once, in the order of their names. */
export function listClosure(lock: LockFile, workspaces: readonly string[]): LockedPackage[] {
  const byKey = new Map(listPlaces(lock, workspaces).map((one) => [keyOf(one), one] as const))
  return [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? [])
}

/** Lists what an installation of these workspaces has in node_modules. */
export const listInstalled = (lock: LockFile, workspaces: readonly string[]): LockedPackage[] =>
  listPlaces(lock, workspaces).filter(isOfRegistry)

/** Each version once, without the workspaces. */
export const listThirdParties = (lock: LockFile, workspaces: readonly string[]): LockedPackage[] =>
  listClosure(lock, workspaces).filter(isOfRegistry)

export const keyOf = ({ name, version }: LockedPackage): string => `${name}@${version}`

/** Looks in the folder of the package, then in each folder above it. A workspace stands for its own folder. */
function findPlace(lock: LockFile, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const place = `${folder === '' ? '' : `${folder}/`}${FOLDER}${name}`
    const entry = lock[place]
    if (entry) return entry.link ? entry.resolved : place
    if (folder === '') return undefined
  }
}
