// Programs that tests run and npm does not have: nginx, HAProxy, PgBouncer, libfaketime. Takes the one of
// the machine, else downloads Debian's package with what it needs and unpacks it into the cache, so that
// nothing is installed and root is not needed. Where apt is impossible it says why.
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/debian', import.meta.url))
const TIMEOUT_MS = 180_000

export interface DebianFile {
  readonly path: string
  /** For the process that uses it: where its libraries are. */
  readonly env: Readonly<Record<string, string>>
}

export interface Missing {
  /** Why it cannot be had, for `skip`. */
  readonly why: string
}

export const isMissing = (found: object): found is Missing => 'why' in found

/** `pattern` is the place below `usr`: `sbin/nginx`, or with a star. */
export async function findDebianFile(
  packageName: string,
  pattern: string,
): Promise<DebianFile | Missing> {
  const [installed] = [
    ...globSync(pattern, { cwd: '/usr' }).map((path) => join('/usr', path)),
    ...onPath(pattern),
  ]
  if (installed) return { path: installed, env: {} }
  const folder = join(CACHE, packageName)
  try {
    if (!existsSync(folder)) await unpackOnce(packageName, folder)
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string }
    const [first = ''] = (stderr || message).trim().split('\n')
    return { why: `${packageName} is not installed, and apt cannot download it: ${first}` }
  }
  const [path] = globSync(join('usr', pattern), { cwd: folder })
  if (!path) return { why: `Debian's ${packageName} has no ${pattern}` }
  const libraries = globSync('{usr/lib,lib}/*-linux-gnu*', { cwd: folder })
  const env = { LD_LIBRARY_PATH: libraries.map((library) => join(folder, library)).join(':') }
  return { path: join(folder, path), env }
}

function onPath(pattern: string): string[] {
  const name = pattern.split('/').at(-1) ?? ''
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .filter((path) => pattern.includes('bin/') && existsSync(path))
}

const unpacking = new Map<string, Promise<void>>()

/** A test may ask for several at the same time. */
function unpackOnce(packageName: string, folder: string): Promise<void> {
  const running = unpacking.get(packageName) ?? unpack(packageName, folder)
  unpacking.set(packageName, running)
  return running
}

/** Into a folder of its own first: two test files may do this at the same time. */
async function unpack(packageName: string, folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  const partial = mkdtempSync(join(CACHE, 'partial-'))
  const options = { cwd: partial, timeout: TIMEOUT_MS }
  try {
    const archives = await download(packageName, partial).catch(async () => {
      // A new machine has no lists of packages yet.
      await run('apt-get', ['-qq', 'update'], options)
      return download(packageName, partial)
    })
    for (const archive of archives) {
      await run('dpkg-deb', ['-x', archive, '.'], options)
      rmSync(join(partial, archive))
    }
    if (!existsSync(folder)) renameSync(partial, folder)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

/** The archives of the package, and of what it needs what this machine does not have; paths in `partial`. */
async function download(packageName: string, partial: string): Promise<string[]> {
  // Without an archive of its own apt leaves out what it has downloaded for others.
  mkdirSync(join(partial, 'archives', 'partial'), { recursive: true })
  const settings = {
    'Debug::NoLocking': '1',
    'Dir::Cache::archives': join(partial, 'archives'),
    // Containers keep none, and reading all lists again takes a second of a processor for each package.
    'Dir::Cache::pkgcache': join(CACHE, 'pkgcache.bin'),
    'Dir::Cache::srcpkgcache': join(CACHE, 'srcpkgcache.bin'),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const options = { cwd: join(partial, 'archives'), timeout: TIMEOUT_MS }
  const install = [
    '-qq',
    '-y',
    '--download-only',
    '--no-install-recommends',
    'install',
    packageName,
  ]
  await run('apt-get', [...flags, ...install], options)
  // What is installed already is left out, also when it lacks the file that is looked for.
  const [own] = globSync(`${packageName}_*.deb`, { cwd: options.cwd })
  if (!own) await run('apt-get', [...flags, '-qq', 'download', packageName], options)
  return globSync('archives/*.deb', { cwd: partial })
}
