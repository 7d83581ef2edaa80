// The real service as a process on loopback with a data directory of its own, as `npm run serve`
// starts it. Its public address can be that of a proxy. Owns no request but the ready probe.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SANDBOX_EMAIL } from '../src/chartside-api.ts'

const ENTRY = fileURLToPath(new URL('../../packages/server/src/main.mjs', import.meta.url))
const READY_TIMEOUT_MS = 60_000

export const TEST_ADMIN = { email: SANDBOX_EMAIL, password: 'correct horse battery staple' }

export interface Service {
  /** Where it listens. */
  readonly origin: string
  stop(): Promise<void>
}

export async function startService(publicUrl?: string): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chartside-conformance-'))
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ENTRY], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      CHARTSIDE_DATA_DIR: dataDir,
      CHARTSIDE_PORT: String(port),
      CHARTSIDE_BASE_URL: publicUrl ?? origin,
      CHARTSIDE_ADMIN_EMAIL: TEST_ADMIN.email,
      CHARTSIDE_ADMIN_PASSWORD: TEST_ADMIN.password,
      CHARTSIDE_TRUSTED_PROXIES: 'loopback',
      CHARTSIDE_LOG_LEVEL: 'error',
    },
  })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => printed.push(chunk))
  }
  const closed = once(child, 'close')
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const stop = async () => {
    child.kill()
    await closed
    process.off('exit', killNow)
    rmSync(dataDir, { recursive: true, force: true })
  }
  const deadline = performance.now() + READY_TIMEOUT_MS
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop()
      throw new Error(`The service did not become ready. It printed:\n${Buffer.concat(printed)}`)
    }
    await sleep(50)
  }
  return { origin, stop }
}

const isReady = (origin: string) =>
  fetch(`${origin}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}
