// The packages that are published, and the package.json that their users install: dist in place of
// src, one half for `import`, one for `require`. Pure; builds nothing.

/** The packages in the order of their dependencies. */
export const PUBLIC_PACKAGES = [
  'protocol',
  'sdk',
  'app-kit',
  'test-kit',
  'faults',
  'create-chartside-app',
] as const
export type PublicPackage = (typeof PUBLIC_PACKAGES)[number]

/** The fields of a workspace's package.json that are used here. */
export interface SourceManifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: object
}

/** The version of Node.js that can `require` the ES modules among the dependencies. */
const ENGINES = { node: '>=20.19' }

/** The entry of the served script, which is for this repository only. */
const INTERNAL = new Set(['./served'])

const listExports = ({ exports = {} }: SourceManifest) =>
  Object.entries(exports).filter(([subpath]) => !INTERNAL.has(subpath))

/** The source files that a package is bundled from: what it exports, and its command. */
export const listEntries = (source: SourceManifest): string[] =>
  [...listExports(source).map(([, file]) => file), ...(source.bin ? [source.bin] : [])].filter(
    (file) => file.endsWith('.ts'),
  )

/** Returns where a source file ends up: `src/server/index.ts` → `server/index.js`. */
export const builtName = (file: string, extension: '.js' | '.d.ts' = '.js'): string =>
  file.replace(/^\.\/src\//, '').replace(/\.ts$/, extension)

/** The README of a package page: a link out of the package leads nowhere there, so its text stays alone. */
export const buildReadme = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\((?:\.\.\/)[^)]*\)/g, '$1')
    .replace(/\n## Tests of this package\n[\s\S]*?(?=\n## |$)/, '')

export function buildManifest(source: SourceManifest): object {
  const { name, version, description, keywords, bin, dependencies, peerDependencies } = source
  const half = (folder: string, file: string) => ({
    types: `./dist/${folder}/${builtName(file, '.d.ts')}`,
    default: `./dist/${folder}/${builtName(file)}`,
  })
  const exports = listExports(source).map(([subpath, file]) => [
    subpath,
    file.endsWith('.ts') ? { import: half('esm', file), require: half('cjs', file) } : file,
  ])
  const main = source.exports?.['.']
  // For compilers of that kind: the types of every other subpath.
  const subpaths = listExports(source)
    .filter(([subpath, file]) => subpath !== '.' && file.endsWith('.ts'))
    .map(([subpath, file]) => [subpath.slice('./'.length), [half('cjs', file).types]])
  return {
    name,
    version,
    ...(description ? { description } : {}),
    ...(keywords ? { keywords } : {}),
    license: 'Apache-2.0',
    type: 'module',
    engines: ENGINES,
    // For compilers and tools that do not know `exports`.
    ...(main ? { main: half('cjs', main).default, types: half('cjs', main).types } : {}),
    ...(subpaths.length > 0 ? { typesVersions: { '*': Object.fromEntries(subpaths) } } : {}),
    // A command has no scope: `npx @chartside/faults` finds `faults`.
    ...(bin ? { bin: { [name.replace(/^@[^/]+\//, '')]: `dist/esm/${builtName(bin)}` } } : {}),
    ...(exports.length > 0
      ? { exports: { ...Object.fromEntries(exports), './package.json': './package.json' } }
      : {}),
    ...(dependencies ? { dependencies } : {}),
    ...(peerDependencies ? { peerDependencies } : {}),
    ...(source.peerDependenciesMeta ? { peerDependenciesMeta: source.peerDependenciesMeta } : {}),
  }
}
