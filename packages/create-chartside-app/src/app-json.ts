// The two JSON files of a new app: package.json, with exactly the versions that were tested, and
// chartside.app.json, from which the sandbox registers it. Pure. Spec §5.1-§5.3.
import { buildSlug, type Choices, type Framework, type TokenOption } from './choices.ts'

/** A test compares them with those of this repository. */
export const VERSIONS = {
  '@hono/node-server': '2.1.8',
  '@types/express': '5.0.6',
  '@types/node': '24.19.2',
  'better-auth': '1.7.25',
  esbuild: '0.28.2',
  express: '5.3.0',
  fastify: '5.12.8',
  hono: '4.13.19',
  react: '19.3.1',
  'react-dom': '19.3.1',
  '@types/react': '19.3.0',
  '@types/react-dom': '19.3.0',
  typescript: '7.0.2',
} as const

/** The versions that only templates use. They are not installed here: test/packed and test/browser install them. */
export const TEMPLATE_VERSIONS = {
  '@vitejs/plugin-react': '6.3.0',
  next: '16.4.6',
  vite: '8.3.8',
} as const

type Dependency = keyof typeof VERSIONS | keyof typeof TEMPLATE_VERSIONS

const NEEDED: Readonly<Record<Framework, readonly Dependency[]>> = {
  express: ['esbuild', 'express'],
  fastify: ['esbuild', 'fastify'],
  hono: ['@hono/node-server', 'esbuild', 'hono'],
  'react-vite': ['@hono/node-server', '@vitejs/plugin-react', 'hono', 'react', 'react-dom', 'vite'],
  next: ['next', 'react', 'react-dom'],
}

const TYPES: Readonly<Record<Framework, readonly Dependency[]>> = {
  express: ['@types/express'],
  fastify: [],
  hono: [],
  'react-vite': ['@types/react', '@types/react-dom'],
  next: ['@types/react', '@types/react-dom'],
}

/** Ours that an app needs for its tests and for the sandbox. */
const AT_HOME: ReadonlySet<string> = new Set(
  ['test-kit', 'faults', 'server', 'sandbox'].map((name) => `@chartside/${name}`),
)
/** Ours that others of ours bring. */
const INDIRECT: ReadonlySet<string> = new Set(
  ['protocol', 'faults', 'server'].map((name) => `@chartside/${name}`),
)

/** Builds package.json; `chartside` has the version specifier of each of our packages, by name. */
export function buildPackageJson(
  { name, option, framework }: Choices,
  chartside: Readonly<Record<string, string>>,
): object {
  const isVendored = Object.values(chartside).some((from) => from.startsWith('file:'))
  // What the archives depend on is in no registry, so the app names it as well.
  const ours = Object.keys(chartside).filter((each) => isVendored || !INDIRECT.has(each))
  const needed = [...NEEDED[framework], ...(option === '3' ? ['better-auth'] : [])]
  const tools = ['@types/node', 'typescript', ...TYPES[framework]]
  const versions: Readonly<Record<string, string>> = {
    ...VERSIONS,
    ...TEMPLATE_VERSIONS,
    ...chartside,
  }
  const pick = (names: readonly string[]) =>
    Object.fromEntries([...names].sort().map((each) => [each, versions[each]]))
  return {
    name: buildSlug(name),
    version: '1.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=22.18' },
    scripts: {
      dev: 'chartside-sandbox',
      start: 'node src/main.mjs',
      // Otherwise the server bundles as it starts.
      ...(framework === 'next' ? { build: 'next build' } : {}),
      pretest: 'node --import @chartside/app-kit/require-node --eval ""',
      test: 'node --test "test/*.test.ts"',
      check: 'tsc',
    },
    dependencies: pick([...ours.filter((each) => !AT_HOME.has(each)), ...needed]),
    devDependencies: pick([...ours.filter((each) => AT_HOME.has(each)), ...tools]),
    // Its install script; npm asks for permission otherwise.
    ...(needed.includes('esbuild') ? { allowScripts: { esbuild: true } } : {}),
  }
}

const EXCHANGES: Readonly<Record<TokenOption, object>> = {
  1: { redirectUris: ['{origin}/callback'], exchange: 'app', requirePkce: true },
  2: {
    redirectUris: ['{origin}/callback'],
    tokenEndpoint: '{origin}/token',
    exchange: 'token_endpoint',
  },
  3: {
    origins: ['provider'],
    redirectUris: ['{origin.provider}/api/auth/callback/chartside'],
    allowedIframeUrls: ['{origin.provider}/'],
    exchange: 'identity_provider',
    requirePkce: true,
  },
}

/** An editor finds it once the packages are installed, without a network. */
const MANIFEST_SCHEMA = './node_modules/@chartside/sandbox/chartside.app.schema.json'

/** The folders that the development server of a framework brings into the open page. */
const HOT_RELOAD: Readonly<Partial<Record<Framework, readonly string[]>>> = {
  'react-vite': ['src/browser', 'public'],
  next: ['app', 'src/browser'],
}

export const buildAppManifest = ({ name, option, kind, framework }: Choices): object => ({
  $schema: MANIFEST_SCHEMA,
  name,
  kinds: [kind],
  [kind === 'ui' ? 'launchUrl' : 'workerLaunchUrl']: '{origin}/launch',
  ...EXCHANGES[option],
  start: 'npm start',
  ...(HOT_RELOAD[framework] ? { hotReload: HOT_RELOAD[framework] } : {}),
})
