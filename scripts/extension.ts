// Builds the browser extension: `npm run tool -- extension` writes a folder to load and a zip to publish into
// packages/extension/dist. Options are the inputs of a distribution; --help lists them. Prints the id,
// the size and the hash of the zip.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  bundleExtension,
  computeExtensionId,
  DEVELOPMENT,
  findInputProblems,
  writeExtension,
} from '@chartside/extension/build'
import { buildZip } from '@chartside/extension/zip'
import { defineTool } from './command-line.ts'

interface Values {
  readonly production?: boolean
  readonly name?: string
  readonly version: string
  readonly key?: string
  readonly service?: string
  readonly ehr?: readonly string[]
  readonly icons?: string
  readonly out?: string
}

const values = defineTool('extension', 'Builds the browser extension: a folder and a zip.')
  .option('--production', 'https only; without it, a build for this machine')
  .option('--name <text>', 'name in the browser')
  .option('--version <1.2.3>', 'version in the browser', DEVELOPMENT.version)
  .option('--key <base64>', 'public key of the distribution; it decides the id')
  .option('--service <https://…>', 'address of the service when no policy sets it')
  .option(
    '--ehr <pattern>',
    'host of an EHR, granted at the installation; may be repeated',
    collect,
  )
  .option('--icons <folder>', 'with 16.png, 48.png and 128.png of the distribution')
  .option('--out <folder>', 'where to (default: packages/extension/dist)')
  .parse()
  .opts<Values>()

await run().catch((error: Error) => {
  process.stderr.write(`${error.message}\nNothing was built.\n`)
  process.exitCode = 1
})

function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value]
}

async function run(): Promise<void> {
  const { production = false } = values
  const inputs = {
    name: values.name ?? (production ? 'Chartside' : DEVELOPMENT.name),
    version: values.version,
    key: values.key ?? (production ? null : DEVELOPMENT.key),
    service: values.service ?? null,
    ehrHosts: values.ehr ?? [],
    ...(values.icons === undefined ? {} : { icons: resolve(values.icons) }),
    isDevelopment: !production,
  }
  const problems = findInputProblems(inputs)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const files = await bundleExtension(inputs)
  const own = fileURLToPath(new URL('../packages/extension/dist', import.meta.url))
  const out = values.out === undefined ? own : resolve(values.out)
  const folder = `${out}/extension`
  await writeExtension(files, folder)
  const zip = buildZip(files)
  await writeFile(`${out}/extension.zip`, zip)
  const id = inputs.key === null ? 'chosen by the store' : computeExtensionId(inputs.key)
  const kib = (zip.length / 1024).toFixed(1)
  const hash = createHash('sha256').update(zip).digest('hex')
  process.stdout.write(
    `folder   ${folder}\nzip      ${out}/extension.zip, ${kib} KiB\nsha-256  ${hash}\nid       ${id}\n`,
  )
}
