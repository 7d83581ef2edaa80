// Which files of the project a file refers to: static and dynamic imports, imports of the workspace's
// packages, and files named with new URL(…, import.meta.url). Reads source text, runs none of it.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g
const FILE_URL = /new URL\(\s*['`]([^'`$]+)['`],\s*import\.meta\.url/g
const SOURCE = /\.(ts|tsx|mjs|mts|js)$/

const PAGES = 'packages/console/src/pages'

/** What a file reads under names that it makes up at run time, or from a bundle. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  'examples/sandbox/src/chosen-apps.ts': ['examples', 'packages/app-kit/src', 'packages/host/src'],
  'packages/create-chartside-app/src/create.ts': [
    'examples/referral-desk/src/provider',
    'packages/create-chartside-app/templates',
  ],
  'scripts/pack.ts': [
    'packages/app-kit',
    'packages/create-chartside-app',
    'packages/faults',
    'examples/referral-desk/src/provider',
    'packages/protocol',
    'packages/sdk',
    'packages/test-kit',
  ],
  'test/command-help.test.ts': ['package.json', 'packages/operator/src', 'scripts'],
  'packages/extension/build.ts': ['packages/extension/src'],
  'test/browser/console-audit.browser.ts': [`${PAGES}/audit`],
  'test/browser/console-launches.browser.ts': [`${PAGES}/launches`],
  'test/browser/console-people.browser.ts': [`${PAGES}/people`, `${PAGES}/accounts`],
  'test/browser/console-setup.browser.ts': [`${PAGES}/apps`, `${PAGES}/collections`],
  'test/browser/console.browser.ts': ['packages/console/src'],
  'test/browser/handshake-bundles.ts': ['packages/host/src', 'packages/protocol/src'],
}

const references = new Map<string, readonly string[]>()
const packages = new Map<string, ReadonlyMap<string, string>>()

/** Every public entry of the workspace's packages: `@chartside/sdk/loader` to its file. */
function packageEntries(root: string): ReadonlyMap<string, string> {
  const known = packages.get(root)
  if (known) return known
  const entries = new Map<string, string>()
  for (const path of globSync('{packages,examples}/*/package.json', { cwd: root })) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8'))
    const folder = dirname(path)
    entries.set(name, folder)
    for (const [key, target] of Object.entries(typeof exports === 'string' ? {} : exports)) {
      const file = firstString(target)
      if (file) entries.set(join(name, key), join(folder, file))
    }
  }
  packages.set(root, entries)
  return entries
}

function firstString(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (typeof target !== 'object' || target === null) return undefined
  return Object.values(target).map(firstString).find(Boolean)
}

/** Paths below the root, of files or folders that exist. */
export function listReferences(root: string, path: string): readonly string[] {
  const known = references.get(path)
  if (known) return known
  // A changed file may be a removed one.
  const isRead = SOURCE.test(path) && existsSync(join(root, path))
  const text = isRead ? readFileSync(join(root, path), 'utf8') : ''
  const here = dirname(path)
  const found = new Set(COMPUTED[path])
  for (const [, specifier = ''] of text.matchAll(IMPORT)) {
    const entry = packageEntries(root).get(specifier)
    if (specifier.startsWith('.')) found.add(join(here, specifier))
    else if (entry) found.add(entry)
  }
  for (const [, target = ''] of text.matchAll(FILE_URL)) found.add(join(here, target))
  const inside = [...found]
    .map((target) => relative('', target) || '.')
    .filter((target) => !target.startsWith('..') && existsSync(join(root, target)))
  references.set(path, inside)
  return inside
}

/**
 * What a file refers to, directly or through others, itself included. A folder stands for what is
 * in it and is not followed. `isClosed` names files whose own references do not count.
 */
export function findReachable(
  root: string,
  path: string,
  isClosed: (path: string) => boolean = () => false,
): ReadonlySet<string> {
  const reached = new Set([path])
  // A Set hands out what is added while it is walked.
  for (const file of reached) {
    if (isClosed(file) || !statSync(join(root, file)).isFile()) continue
    for (const target of listReferences(root, file)) reached.add(target)
  }
  return reached
}
