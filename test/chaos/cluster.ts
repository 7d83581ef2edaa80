// The nodes behind a balancer, on one database with one master key: start, kill and restart a node.
// Each node is the service as an operator runs it. Owns the processes; never sends a request.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  findFreePort,
  residentMegabytes,
  type ServiceProcess,
  startService,
} from '../process/service-process.ts'
import { type WrongClock, wrongClock } from '../process/wrong-clock.ts'
import type { BalancerJob, BalancerReply } from './balancer.ts'

export interface Cluster {
  /** The address of the balancer, which all clients use. */
  readonly baseUrl: string
  readonly port: number
  /** The nodes' own addresses, to ask one of them in particular. */
  readonly nodeUrls: readonly string[]
  /** The settings of every node, also for the command line. */
  readonly environment: Readonly<Record<string, string>>
  /** What nodes get that are started from now on. */
  configure(settings: Readonly<Record<string, string>>): void
  /** SIGKILL; resolves when the process and every connection to it are gone. */
  kill(node: number): Promise<void>
  /** SIGTERM; resolves when the process has drained and ended. */
  stopInOrder(node: number): Promise<void>
  /**
   * Starts a node again, and resolves when it is ready. With a clock that is so far ahead it never is;
   * then it resolves when the node serves, and says so.
   */
  restart(node: number, how?: { readonly clockSeconds?: number }): Promise<string | undefined>
  /** Resident memory of each node, in MB. */
  memory(): readonly number[]
  /** The end of the output of each node, for a failed run. */
  lastOutput(): string
  stop(): Promise<void>
}

/** The minimum time that a key is published before it signs, so that a run uses both keys. */
const PREPUBLISH_SECONDS = 10
/** Long, so that a slow machine can check codes after the run. */
const CODE_LIFETIME_SECONDS = 1800
/**
 * Longer than the client stands still when the machine is busy: a connection that it has seen idle for half a
 * second must not have been idle for a whole drain.
 */
const DRAIN_SECONDS = '3'
const MAX_STARTS = 20
const START_AGAIN_MS = 500

export async function startCluster(count: number, databaseUrl: string): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-chaos-'))
  const port = await findFreePort()
  const ports: number[] = []
  while (ports.length < count) ports.push(await findFreePort())
  const baseUrl = `http://127.0.0.1:${port}`
  const environment = {
    CHARTSIDE_DATABASE_URL: databaseUrl,
    CHARTSIDE_DATA_DIR: directory,
    CHARTSIDE_BASE_URL: baseUrl,
    CHARTSIDE_MASTER_KEY: randomBytes(32).toString('base64'),
    CHARTSIDE_KEY_PREPUBLISH_SECONDS: String(PREPUBLISH_SECONDS),
    CHARTSIDE_CODE_LIFETIME_SECONDS: String(CODE_LIFETIME_SECONDS),
    CHARTSIDE_DRAIN_SECONDS: DRAIN_SECONDS,
    CHARTSIDE_LOG_LEVEL: 'error',
  }
  const start = (nodePort: number) =>
    startService({ dataDir: directory, port: nodePort, environment })
  const nodes: ServiceProcess[] = []
  const clocks: WrongClock[] = []
  const balancer = startBalancer()

  async function stop(): Promise<void> {
    await Promise.all(nodes.map((node) => node.discard()))
    balancer.end()
    for (const clock of clocks) clock.cleanUp()
    rmSync(directory, { recursive: true, force: true })
  }
  const nodeAt = (index: number) => nodes[index] as ServiceProcess

  try {
    const started = await Promise.allSettled(ports.map(start))
    for (const result of started) if (result.status === 'fulfilled') nodes.push(result.value)
    for (const result of started) if (result.status === 'rejected') throw result.reason
    await balancer.ask({ kind: 'listen', port, nodes: ports })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    baseUrl,
    port,
    nodeUrls: nodes.map((node) => node.baseUrl),
    environment,
    configure: (settings) => void Object.assign(environment, settings),
    async kill(index) {
      await nodeAt(index).end('SIGKILL')
      await balancer.ask({ kind: 'drained', node: nodeAt(index).port })
    },
    async stopInOrder(index) {
      const { code, signal } = await nodeAt(index).end('SIGTERM')
      if (code !== 0) throw new Error(`node ${index} ended with ${code ?? signal}`)
    },
    async restart(index, { clockSeconds = 0 } = {}) {
      const { port: nodePort } = nodeAt(index)
      if (clockSeconds !== 0) {
        const clock = await wrongClock(clockSeconds)
        clocks.push(clock)
        nodes[index] = await startService({
          ...clock.options,
          dataDir: directory,
          port: nodePort,
          environment: { ...environment, ...clock.options.environment },
          readyPath: '/health/live',
        })
        const ready = await fetch(`${nodeAt(index).baseUrl}/health/ready`)
        if (ready.status !== 503) throw new Error('a node with a wrong clock was ready')
        return `its clock ${clockSeconds} s ahead, not ready`
      }
      for (let tries = 1; ; tries++) {
        try {
          nodes[index] = await start(nodePort)
          return undefined
        } catch (error) {
          // As a supervisor does: a node without a database exits, and is started again.
          if (tries === MAX_STARTS) throw error
          await sleep(START_AGAIN_MS)
        }
      }
    },
    memory: () => nodes.map(({ pid }) => Math.round(residentMegabytes(pid) ?? 0)),
    lastOutput: () =>
      nodes.map((node, i) => `node ${i}: …${node.output().slice(-1500)}`).join('\n'),
    stop,
  }
}

function startBalancer() {
  const path = fileURLToPath(new URL('balancer.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map<string, () => void>()
  child.on('message', ({ kind, port }: BalancerReply) => waiting.get(`${kind} ${port}`)?.())
  return {
    ask(job: BalancerJob): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.set(`${job.kind} ${job.kind === 'listen' ? job.port : job.node}`, resolve)
      child.send(job)
      return promise
    },
    end: () => child.disconnect(),
  }
}
