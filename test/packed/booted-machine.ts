// Boots a folder with a Debian as a machine of its own, by systemd-nspawn: its systemd, users, units and ports, and no
// network but loopback. Runs commands in one shell of root, as a person would type them. A machine ends
// with the process that booted it, and with its mounts; `remove` removes the folder as well.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findDebianFile, isMissing, type Missing } from '../process/debian.ts'
import { PATH } from './debian-root.ts'

const run = promisify(execFile)
const BOOTS_WITHIN_MS = 90_000
/** Longer than the unit with the longest drain. */
const ENDS_WITHIN_MS = 120_000
const COMMAND_MS = 240_000

export class BootedMachine {
  readonly root = mkdtempSync(join(tmpdir(), 'chartside-machine-'))
  readonly #name = basename(this.root).toLowerCase()
  #nspawn: ChildProcess | undefined
  #leader = 0
  #shell: ChildProcess | undefined
  #printed = ''
  readonly #removeNow = () => this.remove()
  readonly #stopNow = () => process.exit(130)

  constructor() {
    // Without this the users of that machine could not read their /.
    chmodSync(this.root, 0o755)
    process.once('exit', this.#removeNow)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, this.#stopNow)
  }

  /** `binds` are folders of this machine by their places in the other. Boots again after it ended. */
  async boot(binds: Readonly<Record<string, string>>): Promise<Missing | undefined> {
    const program = await findDebianFile('systemd-container', 'bin/systemd-nspawn')
    if (isMissing(program)) return program
    const { LD_LIBRARY_PATH: libraries } = program.env
    const args = [
      ...['--quiet', '--boot', '--private-network', '--register=no', `--machine=${this.#name}`],
      // Without a systemd of this machine no unit can be had.
      ...(existsSync('/run/systemd/system') ? [] : ['--keep-unit']),
      ...['--link-journal=no', '--resolv-conf=off', '--timezone=off', '--console=pipe'],
      ...Object.entries(binds).map(([place, from]) => `--bind=${from}:${place}`),
      `--directory=${this.root}`,
    ]
    this.#printed = ''
    this.#nspawn = spawn('setpriv', ['--pdeathsig', 'TERM', program.path, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH,
        ...(libraries ? { LD_LIBRARY_PATH: `${libraries}:${systemdFolders(libraries)}` } : {}),
      },
    })
    for (const stream of [this.#nspawn.stdout, this.#nspawn.stderr]) {
      stream?.on('data', (chunk) => {
        this.#printed += String(chunk)
      })
    }
    const began = performance.now()
    while (!(await this.#isUp())) {
      if (this.#nspawn.exitCode !== null || performance.now() - began > BOOTS_WITHIN_MS) {
        return { why: `systemd does not boot here: ${this.#printed.slice(-500)}` }
      }
      await sleep(200)
    }
    return undefined
  }

  async #isUp(): Promise<boolean> {
    const { pid } = this.#nspawn ?? {}
    const children = `/proc/${pid}/task/${pid}/children`
    if (!pid || !existsSync(children)) return false
    const [leader = 0] = readFileSync(children, 'utf8').trim().split(' ').map(Number)
    if (!leader) return false
    this.#leader = leader
    const asked = await this.ask('systemctl is-system-running || true').catch(() => '')
    return /running|degraded/.test(asked)
  }

  /** Put before a program of this machine that is to have the ports of the other. */
  get inNetwork(): readonly string[] {
    return ['nsenter', `--target=${this.#leader}`, '--net', '--']
  }

  get #inside(): readonly string[] {
    const env = ['env', '-i', 'HOME=/root', 'TERM=dumb', `PATH=${PATH}`]
    const spaces = ['--mount', '--uts', '--ipc', '--net', '--pid']
    return [`--target=${this.#leader}`, ...spaces, '--', ...env, 'bash']
  }

  /** What a command of its own prints, such as a question that no page has. */
  async ask(command: string): Promise<string> {
    const options = { timeout: COMMAND_MS, maxBuffer: 1e8 }
    const args = [...this.#inside, '-e', '-u', '-o', 'pipefail', '-c', `cd /\n${command}`]
    const { stdout } = await run('nsenter', args, options).catch((error) => {
      throw new Error(`${command}\n${error.stdout}\n${error.stderr}`)
    })
    return stdout.trim()
  }

  /** In one shell, which ends at the first command that fails. Gives what was printed. */
  async type(commands: string): Promise<string> {
    this.#shell ??= spawn('nsenter', [...this.#inside, '-e', '-u', '-o', 'pipefail'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const { stdin, stdout } = this.#shell
    if (!stdin || !stdout) throw new Error('the shell has no pipes')
    const end = 'the-end-of-these-commands'
    let printed = ''
    const text = Buffer.from(commands).toString('base64')
    const ended = new Promise<void>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${why}:\n${commands}\n${printed}`))
      const guard = setTimeout(fail, COMMAND_MS, 'the commands take too long')
      const failed = () => fail('a command failed')
      const read = (chunk: Buffer) => {
        printed += String(chunk)
        if (!printed.includes(end)) return
        stdout.off('data', read)
        this.#shell?.off('close', failed)
        clearTimeout(guard)
        resolve()
      }
      stdout.on('data', read)
      this.#shell?.once('close', failed)
    })
    stdin.write(`eval "$(echo ${text} | base64 -d)" < /dev/null 2>&1\necho ${end}\n`)
    await ended
    return printed.replace(end, '')
  }

  /** As a person switches it off, after leaving the shell. */
  async powerOff(): Promise<void> {
    if (!this.#nspawn) return
    // At its end systemd stops every process for a moment. nsenter stops with its shell then, and is not continued.
    const shell = this.#shell
    this.#shell = undefined
    if (shell && shell.exitCode === null) {
      const left = once(shell, 'close')
      shell.stdin?.end()
      await left
    }
    const ended = once(this.#nspawn, 'close').then(() => false)
    await this.ask('systemctl poweroff').catch(() => undefined)
    const isLate = await Promise.race([ended, sleep(ENDS_WITHIN_MS, true, { ref: false })])
    if (isLate) throw new Error(`switched off, it runs on:\n${this.#printed.slice(-1000)}`)
  }

  /** The end of the first process is the end of all others in it. */
  #kill(): void {
    if (this.#nspawn?.exitCode !== null || this.#nspawn.signalCode !== null) return
    for (const pid of [this.#leader, this.#nspawn.pid ?? 0]) {
      try {
        if (pid) process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  /** Also when the process ends for another reason. */
  remove(): void {
    this.#kill()
    process.off('exit', this.#removeNow)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.#stopNow)
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 })
    rmdirQuietly(`/run/systemd/nspawn/propagate/${this.#name}`)
    // Without a unit systemd-nspawn leaves the groups of processes that it made.
    for (const made of ['payload', 'supervisor']) {
      for (const folder of globSync(
        `/sys/fs/cgroup/{,systemd/,unified/}${made}{,/**/}`,
      ).toReversed()) {
        rmdirQuietly(folder)
      }
    }
  }
}

/** Fails where it is in use, or not there. */
function rmdirQuietly(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Left to who uses it.
  }
}

/** The library that the programs of systemd have for themselves. */
const systemdFolders = (libraries: string) =>
  libraries
    .split(':')
    .map((folder) => join(folder, 'systemd'))
    .join(':')
