// The workspaces whose code runs at a platform, in a browser or in an app: the service, its command
// line, the extension and the published packages. Plain data.

export const SHIPPED: readonly string[] = [
  'app-kit',
  'console',
  'create-chartside-app',
  'docs-site',
  'extension',
  'faults',
  'host',
  'operator',
  'protocol',
  'sdk',
  'server',
  'test-kit',
  'ui',
].map((name) => `packages/${name}`)

/** The parts of the published server: the service, its command line, and the pages that it serves. */
export const SERVER_PARTS: readonly string[] = [
  'packages/server',
  'packages/operator',
  'packages/console',
  'packages/docs-site',
]
