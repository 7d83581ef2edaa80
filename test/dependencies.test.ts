// Imports, package.json files and the decision on dependencies say the same: each bare import is
// declared by the workspace that has it, each declared dependency is used, and each dependency at
// run time has its line. Reads source text; loads no package.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const DECISION = 'docs/inside/decisions/0002-dependencies.md'
/** Packages that are run, not imported, and the name of their command. */
const COMMANDS: Readonly<Record<string, string>> = {
  '@arethetypeswrong/cli': 'attw',
  '@biomejs/biome': 'biome',
  knip: 'knip',
  node: 'node',
  publint: 'publint',
  typescript: 'tsc',
}

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Import {
  readonly name: string
  readonly path: string
  readonly isTypeOnly: boolean
}

interface Workspace {
  readonly folder: string
  readonly name: string
  readonly texts: readonly string[]
  readonly imports: readonly Import[]
  readonly dependencies: readonly string[]
  readonly devDependencies: readonly string[]
}

const BARE = /^(@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*/
const IMPORTS = [
  /^(?:import|export)( type)?\s[^'"`;]*?from '([^']+)'/gm,
  /^import( type)? '([^']+)'/gm,
  /\b(?:import|import\.meta\.resolve|require\.resolve)\(( type)?\s*'([^']+)'/g,
]

function listImports(path: string, text: string): Import[] {
  return IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(
    ([, type, target = '']) => {
      const name = target.startsWith('node:') ? undefined : BARE.exec(target)?.[0]
      return name ? [{ name, path, isTypeOnly: type !== undefined }] : []
    },
  )
}

function load(manifest: string): Workspace {
  const folder = manifest.replace(/\/?package\.json$/, '')
  const sources = folder === '' ? '{scripts,test}/**' : `${folder}/**`
  const paths = globSync(`${sources}/*.{ts,tsx,mjs,js}`, { cwd: root }).filter(
    (path) => !/node_modules|\/dist\/|\/templates\//.test(path),
  )
  const texts = paths.map(read)
  const declared = texts.flatMap((text) => [...text.matchAll(/declare module '([^']+)'/g)])
  const own = new Set(declared.map(([, name]) => name))
  const { name, scripts = {}, devDependencies = {}, ...needed } = JSON.parse(read(manifest))
  return {
    folder: folder === '' ? '.' : folder,
    name,
    texts: [...texts, JSON.stringify(scripts)],
    imports: paths
      .flatMap((path, index) => listImports(path, texts[index] ?? ''))
      .filter((one) => one.name !== name && !own.has(one.name)),
    // A peer is installed by the project that uses the package, and runs in production too.
    dependencies: Object.keys({ ...needed.dependencies, ...needed.peerDependencies }),
    devDependencies: Object.keys(devDependencies),
  }
}

const workspaces = [
  'package.json',
  ...globSync('{packages/*,examples/*,bench,conformance}/package.json', { cwd: root }),
].map(load)
const internal = new Set(workspaces.map(({ name }) => name))

test('finds the workspaces and their imports', () => {
  assert.ok(workspaces.length > 10)
  assert.ok(workspaces.flatMap(({ imports }) => imports).length > 100)
})

test('declares each imported package in the workspace that imports it', () => {
  const undeclared = workspaces.flatMap(({ folder, imports, dependencies, devDependencies }) =>
    imports
      // The scripts and tests of the root work on the workspaces.
      .filter(({ name }) => !(folder === '.' && internal.has(name)))
      .filter(({ name }) => ![...dependencies, ...devDependencies].includes(name))
      .map(({ name, path }) => `${path}: ${name}`),
  )
  assert.deepEqual(undeclared, [])
})

test('declares what runs in production as a dependency', () => {
  const isProduction = ({ path, isTypeOnly }: Import) =>
    path.includes('/src/') && !isTypeOnly && !/\.test\.tsx?$|-fixture\.ts$/.test(path)
  const missing = workspaces.flatMap(({ imports, dependencies }) =>
    imports
      .filter(isProduction)
      .filter(({ name }) => !dependencies.includes(name))
      .map(({ name, path }) => `${path}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

const { packages: locked } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { peerDependencies?: Record<string, string>; resolved?: string }>
}

/** Some packages leave the versions of their parts to the project that installs them. */
const isPeerOfAnother = (
  { folder, dependencies, devDependencies }: Workspace,
  name: string,
): boolean =>
  [...dependencies, ...devDependencies].some((other) => {
    const installed = locked[`${folder}/node_modules/${other}`] ?? locked[`node_modules/${other}`]
    // A workspace is a link to its folder.
    const { peerDependencies = {} } = locked[installed?.resolved ?? other] ?? installed ?? {}
    return Object.hasOwn(peerDependencies, name)
  })

test('declares no package that is not used', () => {
  const isUsed = (workspace: Workspace, name: string) => {
    const { texts, imports } = workspace
    // The types of a platform belong to no package.
    if (['@types/node', '@types/chrome'].includes(name)) return true
    if (isPeerOfAnother(workspace, name)) return true
    const typed = /^@types\/(.+)$/.exec(name)?.[1]
    if (typed) {
      // The root has the compiler, and compiles what the workspaces import.
      const those = workspace.folder === '.' ? workspaces : [workspace]
      return those.some((one) => [...one.dependencies, ...one.devDependencies].includes(typed))
    }
    const command = COMMANDS[name]
    return (
      imports.some((one) => one.name === name) ||
      texts.some(
        (text) =>
          text.includes(`'${name}`) ||
          (command !== undefined && new RegExp(`\\b${command}\\b`).test(text)),
      )
    )
  }
  const unused = workspaces.flatMap((workspace) =>
    [...workspace.dependencies, ...workspace.devDependencies]
      .filter((name) => !isUsed(workspace, name))
      .map((name) => `${workspace.folder}: ${name}`),
  )
  assert.deepEqual(unused, [])
})

test('gives the reason for each dependency at run time in one line', () => {
  const text = read(DECISION)
  const names = new Set(workspaces.flatMap(({ dependencies }) => dependencies))
  const missing = [...names].filter(
    (name) => !internal.has(name) && !text.split('\n').some((line) => line.includes(`| ${name} |`)),
  )
  assert.deepEqual(missing, [], `add them to ${DECISION}`)
})
