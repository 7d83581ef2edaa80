// Starts the attacker's thread and waits for its counts.
// The bytes of its requests are built here, so that the thread knows nothing of the service.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AttackWork } from './attack-worker.ts'

export type AttackCounts = Readonly<Record<string, number>>

/** What most attacks have in common. */
export const ONE_CONNECTION = { depth: 1, isReading: true, connections: 1 } as const

export function startAttack(work: AttackWork): { readonly ended: Promise<AttackCounts> } {
  const worker = new Worker(new URL('./attack-worker.ts', import.meta.url), { workerData: work })
  const ended = once(worker, 'message').then(async ([counts]) => {
    await worker.terminate()
    return counts as AttackCounts
  })
  return { ended }
}

/** The attacker's own network: limits that count failures must not reach others. */
const NETWORK = 'x-forwarded-for: 10.66.66.66\r\n'

export function bytesOf(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string } = {},
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  const type = body === undefined ? '' : 'content-type: application/json\r\n'
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${NETWORK}${lines.join('')}${type}${length}\r\n${body ?? ''}`
}
