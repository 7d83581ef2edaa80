// docs/operate/operations.md as a person follows it: every command of its shell blocks, in their order, in one shell. Real are
// the packed service, PostgreSQL, nginx, openssl and curl; in place of the machine are a folder for its root,
// other ports, and a systemctl that reads the units: all that operations-machine.release.ts has for real, without
// root and in less than a minute. A program that is not named below does not exist.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { launchServer } from '../../packages/server/test/postgres-server.ts'
import { copyArchives } from '../packed/packed-archives.ts'
import { type DebianFile, findDebianFile, isMissing } from './debian.ts'
import { launchThroughProxy, readCommands, startForwarder } from './operations-page.ts'
import { environmentWithoutSettings, findFreePort } from './service-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const LIMIT_MS = 120_000

/** What the page may use as it is; the rest has a script below or is unknown. */
const PROGRAMS =
  'cat chmod cp curl date dirname env grep install mkdir openssl rm sed sh uname'.split(' ')

/** pgbouncer.test.ts starts the pooler of the page. */
const blocks = readCommands('operations.md')
  .filter(({ heading }) => !/pooler/.test(heading))
  .map(({ commands }) => commands)

async function findPrograms() {
  const found: Record<string, DebianFile> = {}
  const wanted = [
    ['nginx', 'nginx', 'sbin/nginx'],
    ['psql', 'postgresql-client-15', 'lib/postgresql/15/bin/psql'],
    ['promtool', 'prometheus', 'bin/promtool'],
  ] as const
  for (const [name, packageName, pattern] of wanted) {
    const program = await findDebianFile(packageName, pattern)
    if (isMissing(program)) return program
    found[name] = program
  }
  return { found }
}

test('every command of docs/operate/operations.md works in its order', {
  timeout: 300_000,
}, async (t) => {
  assert.ok(blocks.length >= 12)
  const programs = await findPrograms()
  if ('why' in programs) return t.skip(programs.why)
  const machine = mkdtempSync(join(tmpdir(), 'chartside-page-'))
  const postgres = await launchServer()
  t.after(async () => {
    for (const file of globSync(join(machine, 'run/*.pid'))) await end(readFileSync(file, 'utf8'))
    await postgres.stop()
    rmSync(machine, { recursive: true, force: true })
  })
  const folders = [
    'bin',
    'run',
    'etc/systemd/system',
    'etc/nginx/conf.d',
    'etc/ssl/certs',
    'etc/ssl/private',
  ]
  for (const folder of [
    ...folders,
    'etc/cron.daily',
    'etc/prometheus',
    'var/backups',
    'opt',
    'tmp',
  ]) {
    mkdirSync(join(machine, folder), { recursive: true })
  }
  const archives = await copyArchives(join(machine, 'archives'))
  const archive = archives.get('@chartside/server') ?? ''
  makePrograms(machine, programs.found, archive)

  const ports: [shown: string, real: number][] = []
  for (const shown of ['4700', '4701', '9464', '9465', '443'])
    ports.push([shown, await findFreePort()])
  const database = new URL(postgres.url)
  const script = toMachine(`${blocks.join('\n')}`, machine, ports, database.port)
  const shell = spawn('/bin/bash', ['-e', '-u', '-o', 'pipefail', '-c', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environmentOfShell(),
      PATH: join(machine, 'bin'),
      PAGE_ROOT: machine,
      PAGE_TLS_PORT: String(ports.at(-1)?.[1]),
      PGHOST: database.hostname,
      PGPORT: database.port,
      PGUSER: database.username,
      PGPASSWORD: database.password,
      npm_config_prefer_offline: 'true',
    },
  })
  const guard = setTimeout(() => shell.kill('SIGKILL'), LIMIT_MS)
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (chunk) => {
      printed += String(chunk)
    })
  }
  const [code] = await once(shell, 'close')
  clearTimeout(guard)
  const logs = globSync(join(machine, 'run/*.log')).map((path) =>
    readFileSync(path, 'utf8').slice(-1500),
  )
  assert.equal(code, 0, `${printed}\n${logs.join('\n')}`)
  assert.match(printed, /admin@connect\.example/, 'users list')
  assert.match(printed, /production, issuer https:\/\/connect\.example\/app-auth/)
  assert.match(printed, /^chartside_signing_key_age_seconds \d/m)
  assert.ok(globSync(join(machine, 'var/backups/chartside/*.db')).length === 1)
  const forwarder = await startForwarder(machine, ports.at(-1)?.[1] ?? 0)
  t.after(() => forwarder.stop())
  await launchThroughProxy(forwarder.url, machine)
})

/** nginx takes its workers along at SIGTERM only. */
async function end(pid: string): Promise<void> {
  const signal = (name: NodeJS.Signals | 0) => {
    try {
      return process.kill(Number(pid), name)
    } catch {
      return false
    }
  }
  signal('SIGTERM')
  // Without a parent that waits for it an ended process stays in the table.
  const isRunning = () => signal(0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  for (let waited = 0; isRunning() && waited < 3000; waited += 20) await sleep(20)
  signal('SIGKILL')
}

/** What belongs to a machine: the places of its files, its ports, and the database server. */
function toMachine(text: string, machine: string, ports: [string, number][], databasePort: string) {
  let script = text.replaceAll(/(?<![\w.:/}])\/(etc|opt|var|tmp)\//g, `${machine}/$1/`)
  script = script
    .replaceAll('file:/var/', `file:${machine}/var/`)
    .replaceAll('@/etc/', `@${machine}/etc/`)
  script = script.replaceAll('localhost:5432', `127.0.0.1:${databasePort}`)
  for (const [shown, real] of ports) {
    if (shown === '443') {
      script = script.replaceAll('example:443:', `example:${real}:`)
      script = script.replaceAll(
        'https://connect.example/auth',
        `https://connect.example:${real}/auth`,
      )
    } else {
      // Not the port of the addresses that sed looks for.
      script = script.replaceAll(
        new RegExp(`(?<!10\\.0\\.0\\.1[12]:)\\b${shown}\\b`, 'g'),
        String(real),
      )
    }
  }
  return script
}

function makePrograms(machine: string, found: Record<string, DebianFile>, archive: string): void {
  const bin = join(machine, 'bin')
  const which = (name: string) =>
    execFileSync('/bin/sh', ['-c', `command -v ${name}`])
      .toString()
      .trim()
  for (const name of PROGRAMS) symlinkSync(which(name), join(bin, name))
  symlinkSync(process.execPath, join(bin, 'node'))
  const libraries = (name: string) =>
    found[name]?.env.LD_LIBRARY_PATH ? `LD_LIBRARY_PATH=${found[name].env.LD_LIBRARY_PATH} ` : ''
  const start = (name: string) => `${libraries(name)}exec ${found[name]?.path}`
  const realNpm = which('npm')
  const scripts: Record<string, string> = {
    // Programs that are here already; the names must be those of packages.
    'apt-get': 'test "$*" = "install -y nginx postgresql prometheus openssl curl cron"',
    runuser: 'test "$1 $2 $3" = "-u postgres --" && shift 3 && exec "$@"',
    // Packing is the subject of other tests.
    npm: `if [ "$1 $2 $3" = "run pack --" ]; then mkdir -p "$4" && exec cp ${archive} "$4/"; fi\nexec ${realNpm} "$@"`,
    systemctl: `exec node --disable-warning=ExperimentalWarning ${join(root, 'test/process/systemctl.ts')} "$@"`,
    psql: `${start('psql')} "$@"`,
    promtool: `${start('promtool')} "$@"`,
    nginx: nginxScript(machine, start('nginx')),
  }
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  assert.ok(existsSync(archive))
}

/** The configuration of the page inside of the frame that Debian's nginx.conf is. */
function nginxScript(machine: string, start: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${machine}/run/${name};`)
    .join(' ')
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  const frame = `${user}pid ${machine}/run/nginx-own; error_log stderr; events {} http { access_log off; ${paths} include ${machine}/run/*.conf; }`
  writeFileSync(join(machine, 'run/frame'), frame)
  return `sed -e 's#/etc/ssl/#${machine}/etc/ssl/#' -e "s/listen 443/listen 127.0.0.1:$PAGE_TLS_PORT/" ${machine}/etc/nginx/conf.d/chartside.conf > ${machine}/run/site.conf
${start} -p ${machine}/run -c ${machine}/run/frame "$@"`
}

/**
 * What `npm test` tells its children (of this project, of prefixes, of scripts) would be taken for the page's
 * own settings. How this machine reaches its registry stays.
 */
function environmentOfShell(): NodeJS.ProcessEnv {
  const kept = /^npm_config_(userconfig|cache|registry|cafile)$/
  const given = Object.entries(environmentWithoutSettings())
  return Object.fromEntries(
    given.filter(([name]) => kept.test(name) || !/^npm_|^INIT_CWD$/i.test(name)),
  )
}
