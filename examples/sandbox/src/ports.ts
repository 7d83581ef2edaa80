// The four ports of a sandbox: which they are, and whether they are free. A port that is taken is
// found before anything starts, and named with the fix.

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

export interface Ports {
  readonly service: number
  readonly ehr: number
  readonly visitNotes: number
  readonly codingWatch: number
}

const NAMES: Readonly<Record<keyof Ports, string>> = {
  service: 'the service',
  ehr: 'the sample EHR',
  visitNotes: 'Visit Notes',
  codingWatch: 'Coding Watch',
}

/** The service's port and the three after it; for 0, any four that are free. */
export async function choosePorts(port: number): Promise<Ports> {
  if (port === 0) return freePorts()
  return { service: port, ehr: port + 1, visitNotes: port + 2, codingWatch: port + 3 }
}

/** @throws Error that names every taken port and what to do. */
export async function requireFree(ports: Ports): Promise<void> {
  const taken: string[] = []
  for (const name of Object.keys(NAMES) as (keyof Ports)[]) {
    if (!(await isFree(ports[name]))) taken.push(`port ${ports[name]} (${NAMES[name]})`)
  }
  if (taken.length === 0) return
  const other = ports.service === 4800 ? 4900 : 4800
  throw new Error(
    `Another program is using ${taken.join(', ')}. ` +
      `Stop it (perhaps a sandbox in another terminal), or choose other ports: npm start -- --port ${other}`,
  )
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port).catch(() => null)
  if (!server) return false
  await server.close()
  return true
}

async function freePorts(): Promise<Ports> {
  const held = await Promise.all(Array.from({ length: 4 }, () => listen(0)))
  await Promise.all(held.map((server) => server.close()))
  const [service = 0, ehr = 0, visitNotes = 0, codingWatch = 0] = held.map(({ port }) => port)
  return { service, ehr, visitNotes, codingWatch }
}

async function listen(port: number): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
