// The folder of an empty Debian 12 (debootstrap, minbase with systemd), and what is fetched for it before it boots without
// a network: Node.js with npm, a checkout of this project, archives of packages. Fetches; installs nothing.
// Where root rights, debootstrap or a mirror are missing it says so.
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findDebianFile, isMissing, type Missing } from '../process/debian.ts'
import { environmentWithoutSettings } from '../process/service-process.ts'

const run = promisify(execFile)
const project = fileURLToPath(new URL('../..', import.meta.url))
const CHECKOUT = '/root/chartside'
const MINUTES = 60_000

/** Where apt and dpkg look, also in the root of a machine. */
export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What a person has who begins with this project, in `folder`, which is to be empty. */
export async function makeDebianRoot(folder: string): Promise<{ checkout: string } | Missing> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return { why: 'a machine of its own needs Linux and root: run npm run test:release as root' }
  }
  const debootstrap = await findDebianFile('debootstrap', 'sbin/debootstrap')
  if (isMissing(debootstrap)) return debootstrap
  const share = join(dirname(debootstrap.path), '../share/debootstrap')
  const options = ['--variant=minbase', '--include=systemd,systemd-sysv,dbus', 'bookworm', folder]
  try {
    await run('/bin/sh', [debootstrap.path, ...options], {
      timeout: 5 * MINUTES,
      env: { PATH, DEBOOTSTRAP_DIR: share },
    })
  } catch (error) {
    const { stdout = '', message } = error as { stdout?: string; message: string }
    return {
      why: `debootstrap makes no Debian here: ${stdout.trim().split('\n').at(-1) || message}`,
    }
  }
  await addNode(folder)
  await addCheckout(join(folder, CHECKOUT))
  return { checkout: CHECKOUT }
}

/** As the archive of nodejs.org has them: the pinned program, and npm in lib. */
async function addNode(folder: string): Promise<void> {
  cpSync(realpathSync(process.execPath), join(folder, 'usr/bin/node'))
  const { stdout } = await run('npm', ['root', '--global'], { env: ofRegistry() })
  const modules = join(folder, 'usr/lib/node_modules')
  mkdirSync(modules)
  cpSync(join(stdout.trim(), 'npm'), join(modules, 'npm'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  for (const name of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, 'usr/bin', name))
  }
}

/** What git would hand out after a commit of everything. */
async function addCheckout(folder: string): Promise<void> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await run('git', list, { cwd: project, maxBuffer: 1e8 })
  for (const path of new Set(stdout.split('\0').filter((path) => path !== ''))) {
    if (existsSync(join(project, path))) cpSync(join(project, path), join(folder, path))
  }
}

/** Debian's packages with what they need, as archives that `apt-get install` finds later. */
export async function downloadPackages(folder: string, packages: readonly string[]): Promise<void> {
  const chroot = (...command: string[]) =>
    run('chroot', [folder, ...command], { timeout: 5 * MINUTES, maxBuffer: 1e8, env: { PATH } })
  await chroot('apt-get', 'update')
  await chroot('apt-get', 'install', '-y', '--download-only', ...packages)
}

/**
 * Packs in the checkout and installs the server once, so that its node_modules and npm's cache are complete. Gives
 * the cache, which the machine gets in its own place.
 */
export async function fillCache(folder: string): Promise<string> {
  const options = { cwd: join(folder, CHECKOUT), env: ofRegistry(), timeout: 8 * MINUTES }
  const scratch = join(folder, 'scratch')
  await run('npm', ['run', 'pack', '--', scratch], options)
  const archive = join(scratch, 'chartside-server-1.0.0.tgz')
  await run('npm', ['install', '--prefix', join(scratch, 'installed'), archive], options)
  rmSync(scratch, { recursive: true })
  const registry = await run('npm', ['config', 'get', 'registry'], options)
  writeFileSync(join(folder, 'root/.npmrc'), `offline=true\nregistry=${registry.stdout}`)
  return (await run('npm', ['config', 'get', 'cache'], options)).stdout.trim()
}

/** How this machine reaches its registry; nothing of the run of these tests. */
function ofRegistry(): NodeJS.ProcessEnv {
  const kept = /^npm_config_(userconfig|cache|registry|cafile)$/
  const given = Object.entries(environmentWithoutSettings())
  const env = Object.fromEntries(
    given.filter(([name]) => kept.test(name) || !/^npm_|^(INIT_CWD|NODE_.*)$/i.test(name)),
  )
  // npm puts the bin folders of this project before the PATH of a test.
  const path = (env.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules'))
  return { ...env, PATH: path.join(delimiter), npm_config_prefer_offline: 'true' }
}
