// Builds the browser extension: `npm run extension` writes a folder to load and a zip to publish into
// packages/extension/dist. Options are the inputs of a distribution; --help lists them. Prints the id,
// the size and the hash of the zip.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  bundleExtension,
  computeExtensionId,
  DEVELOPMENT,
  writeExtension,
} from '@chartside/extension/build'
import { buildZip } from '@chartside/extension/zip'

const HELP = `npm run extension -- [options]

  --production          https only; without it, a build for this machine
  --name <text>         name in the browser
  --version <1.2.3>     version in the browser
  --key <base64>        public key of the distribution; it decides the id
  --service <https://…> address of the service when no policy sets it
  --ehr <pattern>       host of an EHR, granted at the installation; may be repeated
  --out <folder>        default packages/extension/dist
`

const { values } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    name: { type: 'string' },
    version: { type: 'string', default: DEVELOPMENT.version },
    key: { type: 'string' },
    service: { type: 'string' },
    ehr: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else await run()

async function run(): Promise<void> {
  const { production } = values
  const inputs = {
    name: values.name ?? (production ? 'Chartside' : DEVELOPMENT.name),
    version: values.version,
    key: values.key ?? (production ? null : DEVELOPMENT.key),
    service: values.service ?? null,
    ehrHosts: values.ehr,
    isDevelopment: !production,
  }
  const files = await bundleExtension(inputs)
  const own = fileURLToPath(new URL('../packages/extension/dist', import.meta.url))
  const out = values.out === undefined ? own : resolve(values.out)
  const folder = `${out}/extension`
  await writeExtension(files, folder)
  const zip = buildZip(files)
  await writeFile(`${out}/extension.zip`, zip)
  const id = inputs.key === null ? 'chosen by the shop' : computeExtensionId(inputs.key)
  const kib = (zip.length / 1024).toFixed(1)
  const hash = createHash('sha256').update(zip).digest('hex')
  process.stdout.write(
    `folder   ${folder}\nzip      ${out}/extension.zip, ${kib} KiB\nsha-256  ${hash}\nid       ${id}\n`,
  )
}
