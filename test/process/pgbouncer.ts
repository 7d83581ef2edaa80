// Starts PgBouncer of Debian in transaction mode with the configuration of docs/operate/operations.md, in front of
// a PostgreSQL of this machine. Only addresses, paths and the password are those of the test.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findDebianFile, isMissing, type Missing } from './debian.ts'
import { findFreePort } from './service-process.ts'

export interface PgBouncer {
  readonly url: string
  stop(): Promise<void>
}

/** Certificates of this machine, by the name that the page has for each. */
export type Certificates = Readonly<Record<'database-ca.pem' | 'pooler.key' | 'pooler.pem', string>>

/** `more` is added to the settings of the page. Without certificates no connection is encrypted. */
export async function startPgBouncer(
  databaseUrl: string,
  more: readonly string[] = [],
  certificates?: Certificates,
): Promise<PgBouncer | Missing> {
  const program = await findDebianFile('pgbouncer', 'sbin/pgbouncer')
  if (isMissing(program)) return program
  const page = readFileSync(new URL('../../docs/operate/operations.md', import.meta.url), 'utf8')
  const [, documented = ''] = /pgbouncer\.ini <<'EOF'\n([\s\S]*?)^EOF$/m.exec(page) ?? []
  const { hostname, port: serverPort, pathname, username, password } = new URL(databaseUrl)
  const port = await findFreePort()
  const directory = mkdtempSync(join(tmpdir(), 'chartside-pgbouncer-'))
  chmodSync(directory, 0o755)
  const file = join(directory, 'pgbouncer.ini')
  const users = join(directory, 'users.txt')
  writeFileSync(users, `"${username}" "${password}"\n`)
  const server = `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)}`
  const config = documented
    .replace(/^chartside = .*$/m, `chartside = ${server}`)
    .replace(/^listen_addr.*$/m, 'listen_addr = 127.0.0.1')
    .replace(/^listen_port.*$/m, `listen_port = ${port}`)
    .replace(/^auth_file.*$/m, `auth_file = ${users}`)
  const protectedBy = certificates
    ? Object.entries(certificates).reduce(
        (text, [name, path]) => text.replace(`/etc/pgbouncer/${name}`, path),
        config,
      )
    : config.replace(/^(server|client)_tls.*\n/gm, '')
  writeFileSync(
    file,
    `${protectedBy}unix_socket_dir =\n${more.map((line) => `${line}\n`).join('')}`,
  )
  const isRoot = process.getuid?.() === 0
  const child = spawn(program.path, [...(isRoot ? ['-u', 'nobody'] : []), file], {
    env: { ...process.env, ...program.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (chunk) => {
    printed += String(chunk)
  })
  child.stdout.resume()
  const ended = new Promise((resolve) => child.once('close', resolve))
  const killNow = () => child.kill('SIGQUIT')
  process.once('exit', killNow)
  const stop = async () => {
    process.off('exit', killNow)
    child.kill('SIGQUIT')
    await ended
    rmSync(directory, { recursive: true, force: true })
  }
  for (let waited = 0; !(await isListening(port)); waited += 50) {
    if (child.exitCode !== null || waited > 10_000) {
      await stop()
      throw new Error(`PgBouncer does not listen:\n${printed}`)
    }
    await sleep(50)
  }
  return { url: `postgres://${username}:${password}@127.0.0.1:${port}/chartside`, stop }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
