// Starts nginx and HAProxy of Debian with the configurations of docs/operate/proxies.md. Only what belongs to a
// machine is replaced: the addresses of the nodes, the port, and TLS. Owns no expectation.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findDebianFile, isMissing, type Missing } from './debian.ts'
import { findFreePort } from './service-process.ts'

export interface RunningProxy {
  readonly name: string
  readonly url: string
  output(): string
  stop(): Promise<void>
}

export const PROXIES = ['nginx', 'haproxy'] as const
const STARTS_WITHIN_MS = 10_000

/** The code block of the page in this language. */
function documented(language: string): string {
  const page = readFileSync(new URL('../../docs/operate/proxies.md', import.meta.url), 'utf8')
  const [, block] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? []
  if (block === undefined)
    throw new Error(`docs/operate/proxies.md has no configuration of ${language}`)
  return block
}

/** The line of one node, once for each node of the test. */
const forNodes = (text: string, line: RegExp, ports: readonly number[]) => {
  let isFirst = true
  return text.replace(line, (found, name: string) => {
    if (!isFirst) return ''
    isFirst = false
    return ports
      .map((port, n) =>
        found.replace(/10\.0\.0\.\d+:4700/, `127.0.0.1:${port}`).replace(name, `${name}${n}`),
      )
      .join('')
  })
}

function nginxConfig(directory: string, port: number, ports: readonly number[]): string {
  const server = forNodes(documented('nginx'), /^ +(server) 10\..*\n/gm, ports)
    .replaceAll(/server\d+ 127/g, 'server 127')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ +ssl_.*\n/gm, '')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${directory}/${name};`)
    .join('\n')
  return `daemon off;\npid ${directory}/pid;\nerror_log stderr;\n${process.getuid?.() === 0 ? 'user root;\n' : ''}worker_processes 1;
events { worker_connections 4096; }\nhttp {\n  access_log off;\n${paths}\n${server}}\n`
}

const haproxyConfig = (_directory: string, port: number, ports: readonly number[]) =>
  forNodes(documented('haproxy'), /^ +server (node-\w) 10\..*\n/gm, ports).replace(
    / bind .*\n/,
    ` bind 127.0.0.1:${port}\n`,
  )

/** In front of nodes on these ports of this machine. */
export async function startProxy(
  name: (typeof PROXIES)[number],
  ports: readonly number[],
): Promise<RunningProxy | Missing> {
  const program = await findDebianFile(name, `sbin/${name}`)
  if (isMissing(program)) return program
  const directory = mkdtempSync(join(tmpdir(), `chartside-${name}-`))
  mkdirSync(join(directory, 'logs'))
  const file = join(directory, 'config')
  const port = await findFreePort()
  const build = name === 'nginx' ? nginxConfig : haproxyConfig
  writeFileSync(file, build(directory, port, ports))
  const args = name === 'nginx' ? ['-p', directory, '-c', file] : ['-db', '-f', file]
  const child = spawn(program.path, args, {
    env: { ...process.env, ...program.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += String(chunk)
    })
  }
  const ended = new Promise((resolve) => child.once('close', resolve))
  const killNow = () => child.kill('SIGTERM')
  process.once('exit', killNow)
  const stop = async () => {
    process.off('exit', killNow)
    child.kill('SIGTERM')
    await ended
    rmSync(directory, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  const isServing = () => fetch(`${url}/health`).then(({ status }) => status === 200)
  for (let waited = 0; !(await isServing().catch(() => false)); waited += 50) {
    if (child.exitCode !== null || waited > STARTS_WITHIN_MS) {
      await stop()
      throw new Error(`${name} does not serve:\n${printed}`)
    }
    await sleep(50)
  }
  return { name, url, output: () => printed, stop }
}
