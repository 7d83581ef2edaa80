// Builds what the service serves and a bundler makes, the in-page SDK and the console, and the service
// and its command line themselves, which then start in half the time; each into the dist folder of its
// package. `npm ci` runs it, also with --omit=dev; a start of the service never does.
// Usage: npm run build
import { buildConsole } from '../packages/console/build.ts'
import { buildSDK } from '../packages/sdk/build.ts'
import { buildPrograms } from './build/programs.ts'
import { defineScript } from './command-line.ts'

defineScript(
  'build',
  'Builds the service, its command line, and what it serves: the in-page SDK and the console.',
).parse()
await Promise.all([buildSDK(), buildConsole(), buildPrograms()])
