// In place of systemctl for the commands of docs/operate/operations.md: starts the instances of deploy/systemd as systemd
// would (settings, credentials, command line, SIGTERM), and nginx. What it started stands in a file of process
// ids, and the test ends them. A command or a unit that it does not know is an error.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The folder that stands for / of the machine. */
const root = process.env.PAGE_ROOT ?? ''
const inRoot = (text: string) => text.replaceAll(/(?<![\w.])\/(etc|opt|var)\//g, `${root}/$1/`)
const pidFile = (unit: string) => join(root, 'run', `${unit}.pid`)

function startNode(instance: string): void {
  const unit = inRoot(readFileSync(join(root, 'etc/systemd/system/chartside@.service'), 'utf8'))
  const state = join(root, 'var/lib/chartside')
  const credentials = join(root, 'run', `credentials-${instance}`)
  for (const folder of [state, credentials]) mkdirSync(folder, { recursive: true })
  const expand = (text: string) =>
    text
      .replaceAll('%i', instance)
      .replaceAll('%S', join(root, 'var/lib'))
      .replaceAll('%d', credentials)
  const lines = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => expand(value))
  for (const line of lines('LoadCredential')) {
    const [name = '', from = ''] = line.split(':')
    cpSync(from, join(credentials, name))
  }
  const files = lines('EnvironmentFile').flatMap((line) => {
    const path = line.replace(/^-/, '')
    if (line.startsWith('-') && !existsSync(path)) return []
    return readFileSync(path, 'utf8').match(/^\w+=.*$/gm) ?? []
  })
  const settings = [...files, ...lines('Environment')].map((line) => {
    const at = line.indexOf('=')
    return [line.slice(0, at), line.slice(at + 1)]
  })
  // systemd hands over nothing of its own environment; the drain of a test is short.
  const env = { ...Object.fromEntries(settings), CHARTSIDE_DRAIN_SECONDS: '0' }
  const [program, ...args] = (lines('ExecStart')[0] ?? '').split(' ')
  if (program !== '/usr/bin/node') throw new Error(`the unit starts ${program}`)
  launch(`chartside@${instance}`, process.execPath, args, env)
}

function launch(unit: string, program: string, args: string[], env: NodeJS.ProcessEnv): void {
  const log = openSync(join(root, 'run', `${unit}.log`), 'a')
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', log, log] })
  child.unref()
  writeFileSync(pidFile(unit), String(child.pid))
}

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    // A process without a parent that waits for it stays in the table.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function stop(unit: string): Promise<void> {
  const pid = Number(readFileSync(pidFile(unit), 'utf8'))
  process.kill(pid, 'SIGTERM')
  for (let waited = 0; isRunning(pid); waited += 20) {
    if (waited > 20_000) throw new Error(`${unit} does not end`)
    await sleep(20)
  }
}

const [verb = '', ...rest] = process.argv.slice(2)
const command = [verb, ...rest].join(' ')
if (/^enable --now( chartside@\d+)+$/.test(command)) {
  for (const unit of rest.slice(1)) startNode(unit.replace('chartside@', ''))
} else if (/^restart chartside@\d+$/.test(command)) {
  await stop(rest[0] ?? '')
  startNode((rest[0] ?? '').replace('chartside@', ''))
} else if (command === 'reload nginx') {
  launch('nginx', 'nginx', ['-g', 'daemon off;'], process.env)
  // A machine has it running. It writes this file when its ports are open.
  for (let waited = 0; !existsSync(join(root, 'run/nginx-own')); waited += 20) {
    if (waited > 10_000) throw new Error('nginx does not start')
    await sleep(20)
  }
} else if (command !== 'daemon-reload' && command !== 'restart prometheus') {
  throw new Error(`systemctl ${command} is not known to this test`)
}
