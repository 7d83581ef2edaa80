// Finds the bundle of the service and its command line (scripts/build/programs.ts): one file, which loads in
// half the time of a thousand. It is used only where BUILT_PROGRAMS=1 asks for it, as tests and benchmarks
// do that have just made it; everything else runs the sources. Plain JavaScript, because it is read
// before anything else.
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = resolve(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'packages/server/dist')

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
  if (env.BUILT_PROGRAMS !== '1' || env.NODE_OPTIONS?.includes('--import')) return undefined
  const programs = JSON.parse(readFileSync(join(FOLDER, 'programs.json'), 'utf8'))
  return pathToFileURL(join(FOLDER, programs[name])).href
}
