// Builds what the service serves and a bundler makes, the in-page SDK and the console, each into the dist
// folder of its package. `npm ci` runs it, also with --omit=dev; a start of the service never does.
// Usage: npm run build
import { buildConsole } from '../packages/console/build.ts'
import { buildSDK } from '../packages/sdk/build.ts'
import { defineScript } from './command-line.ts'

defineScript('build', 'Builds what the service serves: the in-page SDK and the console.').parse()
await Promise.all([buildSDK(), buildConsole()])
