// The workspaces whose code runs at a platform, in a browser or in an app: the service, its command
// line, the extension and the published packages. Plain data.

export const SHIPPED: readonly string[] = [
  'app-kit',
  'create-chartside-app',
  'extension',
  'host',
  'operator',
  'protocol',
  'sdk',
  'server',
  'test-kit',
  'ui',
].map((name) => `packages/${name}`)
