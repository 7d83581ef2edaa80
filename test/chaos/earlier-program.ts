// An earlier version of the service, from which a rolling upgrade starts: a folder with the repository as it
// was, its packages installed, or with @chartside/server installed. Finds its programs; starts none.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { environmentWithoutSettings } from '../process/service-process.ts'

export interface EarlierProgram {
  /** The command that starts the service. */
  readonly serve: readonly string[]
  /** Runs its command line, and gives what it printed. @throws Error with that when it fails */
  run(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<string>
}

/** As `npm run serve` starts the service (scripts/run.mjs). */
const NODE = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
] as const

/** The service and the command line, one file or two. */
const FORMS = [
  ['packages/server/src/main.mjs', 'packages/operator/src/main.mjs'],
  ['node_modules/@chartside/server/dist/chartside.js'],
] as const

/** @throws Error that says what the folder should have */
export function findEarlierProgram(folder: string): EarlierProgram {
  const form = FORMS.find((files) => files.every((file) => existsSync(join(folder, file))))
  if (!form) {
    throw new Error(
      `--older ${folder} has neither the repository of an earlier version, with its packages ` +
        'installed, nor an installed @chartside/server.',
    )
  }
  const [service, command = service] = form.map((file) => resolve(folder, file))
  return {
    serve: [...NODE, service as string, ...(form.length === 1 ? ['serve'] : [])],
    async run(args, environment) {
      const [node, ...flags] = [...NODE, command as string, ...args]
      const env = { ...environmentWithoutSettings(), ...environment }
      const { stdout } = await promisify(execFile)(node, flags, { env })
      return stdout
    },
  }
}
