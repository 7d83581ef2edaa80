// The apps of a run: the sample apps of this repository, all or the named ones, and the directories
// of a developer's own. Reads manifests; starts nothing.
import { basename, resolve } from 'node:path'
import { type Manifest, ManifestError } from '@chartside/protocol/app-manifest'
import { SAMPLE_UI_APP, SAMPLE_WORKER_APP } from '@chartside/server/sample-data'
import { SAMPLE_APPS } from './installation.ts'
import { loadManifest } from './manifest.ts'
import { UsageError } from './options.ts'
import type { Places } from './places.ts'

/** The apps that the service registers in development by itself, wherever no sample app runs. */
const SEEDED = [SAMPLE_UI_APP.name, SAMPLE_WORKER_APP.name]

export interface ChosenApps {
  readonly manifests: readonly Manifest[]
  /** The names of all sample apps, chosen or not. */
  readonly examples: readonly string[]
  /** Whether an app runs. The ports of one that does not stay unused, so that ports never shift. */
  isChosen(manifest: Manifest): boolean
}

/**
 * @param only names of sample apps; null: all; `none`: none
 * @throws UsageError for a name that no sample app has; ManifestError
 */
export async function chooseApps(
  only: readonly string[] | null,
  directories: readonly string[],
): Promise<ChosenApps> {
  const names = SAMPLE_APPS.map((directory) => basename(directory))
  const unknown = only?.find((name) => name !== 'none' && !names.includes(name))
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown}: the sample apps are ${names.join(', ')}.`)
  }
  const examples = await Promise.all(SAMPLE_APPS.map(loadManifest))
  const own = await Promise.all(directories.map((directory) => loadManifest(resolve(directory))))
  const manifests = [...examples, ...own]
  for (const [index, { slug, directory, registration }] of manifests.entries()) {
    const other = manifests.find((candidate) => candidate.slug === slug)
    if (other === manifests[index]) continue
    throw new ManifestError(
      `${directory} and ${other?.directory} are both called "${registration.name}". Change the name of one.`,
    )
  }
  return {
    manifests,
    examples: [...SEEDED, ...examples.map(({ registration }) => registration.name)],
    isChosen: (manifest) => !examples.includes(manifest) || (only?.includes(manifest.slug) ?? true),
  }
}

/** Keeps only what runs; the ports of the others stay free. */
export function keepChosen(places: Places, { isChosen }: ChosenApps): Places {
  return { ...places, apps: places.apps.filter(({ manifest }) => isChosen(manifest)) }
}
