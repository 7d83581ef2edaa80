// The servers that the comparison measures beside the service: which they are, and how each starts as a
// process of its own. Each is installed as its users install it; bench/peers has their programs.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure } from './comparison-summary.ts'
import type { Target } from './target.ts'

export interface Peer {
  readonly name: string
  readonly file: string
  readonly args: (directory: string) => readonly string[]
  /** The figures that are measured beside a flow and an exchange, if it has them. */
  readonly figures?: readonly Figure[]
}

/** A server without features, which shows what the machine allows; no peer, and no goal names it. */
export const BARE_SERVER: Peer = {
  name: 'bare server without features; node:sqlite, full sync',
  file: 'bare-server.ts',
  args: (directory) => [join(directory, 'bare-server.db')],
  figures: ['arrival', 'introspect'],
}

export const PEERS: readonly Peer[] = [
  {
    name: '@node-oauth/oauth2-server, Express, jose; memory',
    file: 'oauth2-server.ts',
    args: () => [],
  },
  { name: 'oidc-provider; memory', file: 'oidc-provider.ts', args: () => ['memory'] },
  {
    name: 'oidc-provider; node:sqlite, full sync',
    file: 'oidc-provider.ts',
    args: (directory) => ['sqlite', join(directory, 'oidc-provider.db')],
  },
  {
    name: 'better-auth; node:sqlite, full sync',
    file: 'better-auth.ts',
    args: (directory) => [join(directory, 'better-auth.db')],
  },
]

export interface RunningPeer {
  readonly target: Target
  readonly pid: number
  end(): void
}

const READY_WITHIN_MS = 30_000

export async function startPeer(peer: Peer, directory: string): Promise<RunningPeer> {
  const path = fileURLToPath(new URL(`../peers/${peer.file}`, import.meta.url))
  const flags = ['--disable-warning=ExperimentalWarning', path, ...peer.args(directory)]
  const child = spawn(process.execPath, flags, {
    // What it prints about its development settings is no part of the run.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const ready = Promise.withResolvers<Target>()
  const late = setTimeout(
    () => ready.reject(new Error(`${peer.name} is not ready`)),
    READY_WITHIN_MS,
  )
  child.once('message', (target) => ready.resolve(target as Target))
  child.once('exit', () => ready.reject(new Error(`${peer.name} ended at its start`)))
  const target = await ready.promise.finally(() => clearTimeout(late))
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  child.once('exit', () => process.off('exit', killNow))
  return { target, pid: child.pid ?? 0, end: () => child.kill() }
}
