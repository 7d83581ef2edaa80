// The app of a run as a process: started by the command of its manifest with the settings of the run, watched,
// stopped with all that it started. Never reads or changes its code.
import { type ChildProcess, spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { delimiter, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildAppEnvironment, buildPortEnvironment } from '@chartside/protocol/app-environment'
import type { Manifest } from '@chartside/protocol/app-manifest'
import type { FakeIssuer } from '@chartside/test-kit'

/** The run itself could not be made: no grade. */
export class RunError extends Error {
  override readonly name = 'RunError'
}

export interface AppPlace {
  readonly port: number
  /** The origins by placeholder: `origin`, and `origin.provider` for one called "provider". */
  readonly origins: Readonly<Record<string, string>>
  readonly ports: Readonly<Record<string, number>>
}

const KEPT_LINES = 20
const START_MS = 60_000

export async function choosePlace({ slug, port: fixed, origins }: Manifest): Promise<AppPlace> {
  const port = fixed ?? (await findPort())
  const ports: Record<string, number> = {}
  for (const name of origins) ports[name] = await findPort()
  const further = Object.entries(ports).map(([name, at]) => [
    `origin.${name}`,
    `http://${name}.${slug}.chartside.localhost:${at}`,
  ])
  return {
    ...{ port, ports },
    origins: {
      origin: `http://${slug}.chartside.localhost:${port}`,
      ...Object.fromEntries(further),
    },
  }
}

async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const environmentOf = (
  place: AppPlace,
  { clientId, clientSecret, baseUrl, tokenUrl }: FakeIssuer,
  frameAncestor: string,
) => ({
  ...buildAppEnvironment({
    ...{ clientId, clientSecret, baseUrl, tokenUrl },
    ...{ publicUrl: place.origins.origin ?? '', frameAncestors: [frameAncestor] },
  }),
  ...buildPortEnvironment(place),
})

async function isAnswered(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
  await response?.body?.cancel()
  return response !== undefined
}

export class AppProcess {
  readonly #child: ChildProcess
  readonly #lines: string[] = []
  #isOver = false

  /** Resolves once it answers requests. @throws RunError with its last lines when it does not */
  static async start(
    manifest: Manifest,
    place: AppPlace,
    issuer: FakeIssuer,
    frameAncestor: string,
  ): Promise<AppProcess> {
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
    // The same Node.js as that of the run, for a start command that calls it.
    const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
    const env = { ...inherited, PATH, ...environmentOf(place, issuer, frameAncestor) }
    const options = { cwd: manifest.directory, env, shell: true, detached: true } as const
    if (await isAnswered(place.port)) {
      throw new RunError(`Port ${place.port} of the app is in use: stop what listens there.`)
    }
    const app = new AppProcess(spawn(manifest.start, { ...options, stdio: 'pipe' }))
    await app.#waitUntilUp(place.port).catch(async (error: unknown) => {
      await app.stop()
      throw error
    })
    return app
  }

  private constructor(child: ChildProcess) {
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#lines.push(...text.split('\n').filter(Boolean))
        this.#lines.splice(0, this.#lines.length - KEPT_LINES)
      })
    }
    child.once('exit', () => {
      this.#isOver = true
    })
    child.once('error', () => {
      this.#isOver = true
    })
  }

  /** @throws RunError: the process has ended */
  requireRunning(when: string): void {
    if (!this.#isOver) return
    throw new RunError(`The app ended ${when}. Its last lines:\n${this.#lines.join('\n')}`)
  }

  async stop(): Promise<void> {
    const { pid } = this.#child
    if (this.#isOver || pid === undefined) return
    const isOver = new Promise((resolve) => this.#child.once('exit', resolve))
    // The shell and what it started are one group.
    process.kill(-pid, 'SIGTERM')
    await Promise.race([isOver, sleep(3000)])
    if (!this.#isOver) process.kill(-pid, 'SIGKILL')
  }

  async #waitUntilUp(port: number): Promise<void> {
    const end = Date.now() + START_MS
    while (Date.now() < end) {
      this.requireRunning('while it started')
      if (await isAnswered(port)) return
      await sleep(100)
    }
    throw new RunError(`The app answered nothing on port ${port} within ${START_MS / 1000} s.`)
  }
}
