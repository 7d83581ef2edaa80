// What this project takes from outside: checks the lock file, install scripts, licences and notices,
// writes the SBOM of each package that is shipped, and asks the registry for advisories.
// Usage: npm run tool -- supply-chain --help
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineTool } from './command-line.ts'
import { PUBLIC_PACKAGES } from './pack/packages.ts'
import { PLATFORM, pinnedVersion } from './pinned-node.mjs'
import { findAdvisories } from './supply-chain/advisories.ts'
import { listThirdParties, loadLockFile } from './supply-chain/lock-file.ts'
import { listNodeProblems, NODE_LIST, readNodeList } from './supply-chain/node-program.ts'
import { findPublished, listDifferences } from './supply-chain/node-publisher.ts'
import { buildNotices, NOTICES } from './supply-chain/notices.ts'
import {
  listLicenceProblems,
  listScriptProblems,
  listSourceProblems,
} from './supply-chain/rules.ts'
import { buildSbom } from './supply-chain/sbom.ts'
import { SERVER_PARTS, SHIPPED } from './supply-chain/shipped.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = '.chartside/sbom'

interface Options {
  readonly advisories: boolean
  readonly requireAdvisories: boolean
  readonly publisher?: string
}

const options = defineTool(
  'supply-chain',
  `Checks what this project takes from outside: sources and hashes in the lock file, install scripts, licences.
Writes ${NOTICES} and an SBOM (CycloneDX) of each package that is shipped into ${FOLDER}, and asks the
registry for advisories. Exits with 1 when a check fails.`,
)
  .option('--no-advisories', 'do not ask the registry')
  .option('--require-advisories', 'fail when the registry offers none', false)
  .option(
    '--publisher <address>',
    'compare the list of Node.js programs, such as https://nodejs.org/dist',
  )
  .parse()
  .opts<Options>()

let hasFailed = false

function report(title: string, problems: readonly string[], isFailure = true): void {
  process.stdout.write(`${problems.length === 0 ? 'ok  ' : isFailure ? 'FAIL' : 'none'} ${title}\n`)
  for (const problem of problems) process.stdout.write(`     ${problem}\n`)
  if (problems.length > 0 && isFailure) hasFailed = true
}

const lock = loadLockFile(root)
const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
report('every package comes from the registry, with its SHA-512', listSourceProblems(lock))
report('every install script is allowed or refused by name', listScriptProblems(lock, allowScripts))
report('every licence of production is on the list', listLicenceProblems(lock))

const version = pinnedVersion()
const running = { path: process.execPath, version: process.versions.node, platform: PLATFORM }
report(`the Node.js that runs is ${version} of node-programs.json`, [
  ...(process.versions.node === version ? [] : [`It is ${process.versions.node}.`]),
  ...(await listNodeProblems(running)),
])
const list = readNodeList()
const release = list[version]
if (options.publisher && release) {
  const published = await findPublished(options.publisher, version, Object.keys(release.programs))
  const differences = listDifferences(release, published)
  report(`the publisher has the same programs of ${version}`, differences)
  if (differences.length === 0) {
    const compared = { ...list, [version]: { ...release, comparedWithPublisher: true } }
    writeFileSync(NODE_LIST, `${JSON.stringify(compared, null, 2)}\n`)
  }
} else {
  const because =
    'The list has not been compared with SHASUMS256.txt of the publisher: --publisher.'
  report('the publisher', release?.comparedWithPublisher ? [] : [because], false)
}

mkdirSync(join(root, FOLDER), { recursive: true })
const shipped = listThirdParties(lock, SHIPPED)
writeFileSync(join(root, FOLDER, NOTICES), buildNotices(root, shipped))
report(`${FOLDER}/${NOTICES} names the ${shipped.length} packages that are shipped`, [])
for (const folder of ['packages/server', ...PUBLIC_PACKAGES.map((name) => `packages/${name}`)]) {
  const parts = folder === 'packages/server' ? SERVER_PARTS : [folder]
  const { name, text, sha256, components } = buildSbom(lock, folder, parts)
  const path = `${FOLDER}/${name.replace('@', '').replace('/', '-')}.cdx.json`
  writeFileSync(join(root, path), text)
  report(`SBOM of ${name}: ${components} components, sha256 ${sha256}, ${path}`, [])
}

if (options.advisories) {
  const advisories = findAdvisories(root)
  if (advisories.kind === 'unavailable') {
    const fix =
      'Run this where npm audit works, such as npm_config_registry=https://registry.npmjs.org/.'
    report('advisories', [advisories.because, fix], options.requireAdvisories)
  } else {
    report(
      'no known vulnerability in production',
      advisories.kind === 'found' ? advisories.lines : [],
    )
  }
}
process.exit(hasFailed ? 1 : 0)
