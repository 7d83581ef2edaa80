// Finds what `npm run build` has made of the service and its command line (scripts/build/programs.ts): one
// file, which loads in half the time of a thousand. Only as long as it is made of the sources that are
// there: after a change the sources themselves are run, until the next build. Plain JavaScript, because
// it is read before anything else.
import { readFileSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = resolve(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'packages/server/dist')

/**
 * @typedef {{
 *   builtAt: number,
 *   programs: Record<string, string>,
 *   sources: [path: string, bytes: number][],
 * }} Build what `programs.json` holds; paths are below the repository, or below dist for the programs
 */

/** Later starts skip stripping types and compiling what the first one compiled. */
export function useCompileCache() {
  enableCompileCache(join(ROOT, 'node_modules/.cache/compile'))
}

/**
 * The address of a program, to be imported; undefined when the sources are to be run.
 * @param {'service' | 'commands' | 'health'} name
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function findBuilt(name, env) {
  // A module hook is for the single files.
  if (env.NODE_OPTIONS?.includes('--import')) return undefined
  const build = readBuild()
  const program = build?.programs[name]
  return build && program && isCurrent(build)
    ? pathToFileURL(join(FOLDER, program)).href
    : undefined
}

/** Whether nothing has changed since the last build. */
export function isBuilt() {
  const build = readBuild()
  return build !== undefined && isCurrent(build)
}

/** @returns {Build | undefined} */
function readBuild() {
  try {
    return JSON.parse(readFileSync(join(FOLDER, 'programs.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {Build} build */
function isCurrent({ builtAt, sources }) {
  return sources.every(([path, bytes]) => {
    const found = statSync(join(ROOT, path), { throwIfNoEntry: false })
    return found?.size === bytes && found.mtimeMs < builtAt
  })
}
