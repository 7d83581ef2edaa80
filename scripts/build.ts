// Builds what the service serves: the in-page SDK, the console and the documentation, each into the dist
// folder of its package, and the types of its payloads. `npm ci` runs it, also with --omit=dev; a start of
// the service never does.
// Usage: npm run build
import { buildConsole } from '../packages/console/build.ts'
import { buildSDK } from '../packages/sdk/build.ts'
import { defineScript } from './command-line.ts'
import { buildDocs } from './docs-site/build.ts'
import { writePayloadTypes } from './payload-types.ts'

defineScript(
  'build',
  'Builds what the service serves: the in-page SDK, the console and the documentation.',
).parse()
writePayloadTypes()
await Promise.all([buildSDK(), buildConsole(), buildDocs()])
