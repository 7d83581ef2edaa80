// The log that the parts of a node write to. Declares only that it is there; terminal-log.ts and main.ts
// make it, and each handler has the log of its request.
import type { FastifyBaseLogger } from 'fastify'

export interface HasLog {
  readonly log: FastifyBaseLogger
}
