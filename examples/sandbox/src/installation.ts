// Where the parts of the sandbox lie, and the command that starts it: in a checkout of the project, or in the
// published package @chartside/sandbox, for which the bundler sets CHARTSIDE_PACKAGED.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type Assets, buildAssets, readAssets } from '@chartside/example-sample-ehr/assets'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The command that a developer types. */
export const COMMAND = process.env.CHARTSIDE_PACKAGED ? 'npm run dev' : 'npm start'

/** The script of the service, and its arguments. */
export const findService = (): readonly string[] =>
  process.env.CHARTSIDE_PACKAGED
    ? [createRequire(import.meta.url).resolve('@chartside/server/dist/chartside.js'), 'serve']
    : [at('../../../packages/server/src/main.mjs')]

/** The folders of the sample apps, in the order of their ports and their tabs. A package has none. */
export const SAMPLE_APPS: readonly string[] = process.env.CHARTSIDE_PACKAGED
  ? []
  : ['visit-notes', 'coding-watch', 'care-gaps', 'referral-desk', 'growth-chart'].map((name) =>
      at(`../../${name}`),
    )

/** The apps of a start that names none. */
export const DEFAULT_APPS: readonly string[] = process.env.CHARTSIDE_PACKAGED ? ['.'] : []

/** The browser extension is built from the sources of a checkout. */
export const HAS_EXTENSION = !process.env.CHARTSIDE_PACKAGED

/** Fills a new database with an installation of real size; its argument is the number of launches. */
export const REAL_SIZE: readonly string[] = process.env.CHARTSIDE_PACKAGED
  ? []
  : [at('../../../test/real-size/main.ts')]

/** The cache of the compiled code of the apps. The service of a checkout uses it too. */
export const COMPILE_CACHE = process.env.CHARTSIDE_PACKAGED
  ? at('../.cache')
  : at('../../../node_modules/.cache/compile')

/** The scripts and style sheets of the sample EHR. */
export const loadAssets = (): Promise<Assets> =>
  process.env.CHARTSIDE_PACKAGED ? readAssets(at('./assets')) : buildAssets()
