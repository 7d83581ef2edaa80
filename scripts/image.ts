// Assembles what goes into the container image: Node.js with the shared libraries that it needs, the packed
// server with its packages, certificate authorities, the licences and an SBOM of all of it. No shell, no package
// manager. The Containerfile copies the folder into an empty image; a test starts it as an empty root.
// Usage: npm run tool -- image folder
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { rootCertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defineTool } from './command-line.ts'
import { describeDebian, type SystemPackage, withRuntime } from './image/contents.ts'
import { packServer } from './pack.ts'
import { NODE_PACKAGE, PLATFORM } from './pinned-node.mjs'
import { requireListedNode } from './supply-chain/node-program.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const NODE = process.execPath
const PACKAGE = 'app/node_modules/@chartside/server'

/** The user that runs the service, in the image as in deploy/. */
const USER = { name: 'chartside', id: 65532 }

export interface Image {
  readonly folder: string
  readonly megabytes: number
}

/** @param archive of @chartside/server; packed when there is none */
export async function assembleImage(folder: string, archive?: string): Promise<Image> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty.`)
  await installServer(folder, archive)
  const libraries = await copyNode(folder)
  await writeAccounts(folder)
  await writeAuthorities(folder)
  const system = await describeDebian(libraries)
  await writeLicences(folder, system)
  return { folder, megabytes: await sizeOf(folder) }
}

async function installServer(folder: string, archive: string | undefined): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'chartside-image-'))
  try {
    const app = join(folder, 'app')
    await mkdir(app, { recursive: true })
    const packed = archive ?? (await packServer(work))[1]
    await writeLock(app, packed)
    const flags = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    await run('npm', ['ci', ...flags], { cwd: app })
    await rm(join(app, 'package-lock.json'))
    for (const path of await readdir(join(app, 'node_modules'), { recursive: true })) {
      if (isLeftOut(path))
        await rm(join(app, 'node_modules', path), { recursive: true, force: true })
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** The versions and hashes of npm-shrinkwrap.json, which npm itself reads in packages of a registry only. */
async function writeLock(app: string, packed: string): Promise<void> {
  const { stdout } = await run('tar', ['-xzOf', packed, 'package/npm-shrinkwrap.json'])
  const { name, packages, ...lock } = JSON.parse(stdout)
  const { '': own, ...others } = packages
  const dependencies = { [name]: `file:${packed}` }
  const manifest = { private: true, dependencies }
  const server = { ...own, resolved: `file:${packed}` }
  const all = { '': { dependencies }, [`node_modules/${name}`]: server, ...others }
  await writeFile(join(app, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(app, 'package-lock.json'), JSON.stringify({ ...lock, packages: all }))
}

/**
 * The files that no program reads: TypeScript, source maps, and two halves of a database that is there as a whole.
 */
const UNREAD = /\.[cm]?ts$|\.map$|country-ipv[46]\.mmdb$|\.package-lock\.json$/
/** The folders that packages publish for their own developers, at the top of the package. */
const FOR_DEVELOPERS = /^(@[^/]+\/)?[^/@]+\/(tests?|benchmarks?|examples?)$/

const isLeftOut = (path: string): boolean =>
  UNREAD.test(path) || (FOR_DEVELOPERS.test(path) && !path.startsWith('@chartside/'))

/** Gives the paths of the libraries on this machine. */
async function copyNode(folder: string): Promise<string[]> {
  await requireListedNode({ path: NODE, version: process.versions.node, platform: PLATFORM })
  await mkdir(join(folder, 'usr/bin'), { recursive: true })
  const node = join(folder, 'usr/bin/node')
  await cp(NODE, node)
  await chmod(node, 0o755)
  // A third of the symbols are for a debugger only. Without binutils the image is 18 MB larger.
  await run('strip', ['--strip-unneeded', node]).catch(() => undefined)
  const { stdout } = await run('ldd', [NODE])
  const libraries = [...stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map(([, path = '']) => path)
  for (const library of libraries) {
    await mkdir(join(folder, dirname(library)), { recursive: true })
    await cp(library, join(folder, library), { dereference: true })
  }
  return libraries
}

async function writeAccounts(folder: string): Promise<void> {
  const { name, id } = USER
  await mkdir(join(folder, 'etc'))
  await writeFile(join(folder, 'etc/passwd'), `${name}:x:${id}:${id}::/data:/nonexistent\n`)
  await writeFile(join(folder, 'etc/group'), `${name}:x:${id}:\n`)
  // A volume takes over the owner and the mode of the folder that it covers.
  await mkdir(join(folder, 'data'))
  if (process.getuid?.() === 0) await run('chown', [`${id}:${id}`, join(folder, 'data')])
  // The root is read-only when the runtime mounts these.
  await mkdir(join(folder, 'proc'))
  await mkdir(join(folder, 'dev'))
}

/** Writes the authorities of Node.js into the file over which platforms mount their own. */
async function writeAuthorities(folder: string): Promise<void> {
  const certificates = join(folder, 'etc/ssl/certs')
  await mkdir(certificates, { recursive: true })
  const text = `${rootCertificates.join('\n')}\n`
  await writeFile(join(certificates, 'ca-certificates.crt'), text)
}

async function writeLicences(folder: string, system: readonly SystemPackage[]): Promise<void> {
  const licences = join(folder, 'licenses')
  await mkdir(licences)
  const read = (name: string) => readFile(join(folder, PACKAGE, name), 'utf8')
  const version = process.versions.node
  const sha256 = createHash('sha256')
    .update(await readFile(join(folder, 'usr/bin/node')))
    .digest('hex')
  const sbom = withRuntime(await read('sbom.cdx.json'), { version, sha256 }, system)
  await writeFile(join(folder, 'sbom.cdx.json'), sbom)
  for (const name of ['LICENSE', 'THIRD_PARTY_NOTICES.txt']) {
    await cp(join(folder, PACKAGE, name), join(licences, name))
    await rm(join(folder, PACKAGE, name))
  }
  await rm(join(folder, PACKAGE, 'sbom.cdx.json'))
  const [ofNode] = globSync(`node_modules/${NODE_PACKAGE}/LICENSE`, { cwd: root })
  if (!ofNode) throw new Error('The package of Node.js has no LICENSE.')
  await cp(join(root, ofNode), join(licences, 'node.txt'))
  for (const { name, copyright } of system) {
    if (copyright) await cp(copyright, join(licences, `${name}.txt`), { dereference: true })
  }
}

/** Returns the size as a registry and a disk count it: the bytes of the files, in MB. */
async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await run('du', ['--apparent-size', '--summarize', '--bytes', folder])
  return Math.round(Number(stdout.split('\t')[0]) / 1e6)
}

if (import.meta.main) {
  const [folder = ''] = defineTool('image', 'Assembles what goes into the container image.')
    .argument('<folder>', 'an empty folder, or one to make')
    .parse().args
  const { megabytes } = await assembleImage(resolve(folder))
  process.stdout.write(`${resolve(folder)}: ${megabytes} MB\n`)
}
