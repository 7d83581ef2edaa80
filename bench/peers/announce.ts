// What every peer does when it is ready: listens on loopback, makes its key of 2048 bits, and tells the
// benchmark, which started it, what the load generator needs. Owns no protocol.
import { generateKeyPairSync } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Target } from '../src/target.ts'

export const CLIENT_COUNT = 16
export const PERSON_COUNT = 16
export const REDIRECT_URI = 'https://notes.example/callback'
export const KEY_ID = 'bench-key'

export const clients = Array.from({ length: CLIENT_COUNT }, (_, index) => ({
  id: `client-${index}`,
  secret: `secret-of-client-${index}-${'x'.repeat(32)}`,
}))

/** Each person with four of the clients, as a practice has apps. */
export const listPairs = () =>
  Array.from({ length: PERSON_COUNT }, (_, person) =>
    [0, 1, 2, 3].flatMap((offset) => {
      const client = clients[(person + offset) % CLIENT_COUNT]
      return client ? [{ person: `person-${person}`, client }] : []
    }),
  ).flat()

export const makeKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export interface Listening {
  readonly server: Server
  readonly port: number
}

export async function listen(listener?: RequestListener): Promise<Listening> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

export function announce(target: Target): void {
  process.on('disconnect', () => process.exit(0))
  process.send?.(target)
}
