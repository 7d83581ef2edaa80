// Divides the cases of a run between the routes and the messages, and adds up what came of them. Bounds
// what a run may leave in memory.
import type { FuzzFailure, FuzzPart } from './fuzz-failure.ts'
import { fuzzRoutes, heapMegabytes } from './route-fuzzer.ts'

export interface FuzzReport {
  readonly cases: number
  readonly ofRoutes: number
  readonly ofMessages: number
  readonly failures: readonly FuzzFailure[]
  /** Answers of the routes by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** 5xx other than the intended 503. */
  readonly internalErrors: number
  readonly heapMegabytes: readonly [before: number, after: number]
}

/** Of all cases, those of the messages. */
const SHARE_OF_MESSAGES = 0.2
/** What a run may leave in memory, caches and compiled code included. */
export const MAX_GROWTH_MEGABYTES = 150

/** The messages run with the types of a browser, so this file knows them by this shape only. */
interface MessageFuzzer {
  readonly MESSAGE_PROPERTIES: Readonly<Record<string, unknown>>
  fuzzMessages(part: FuzzPart): Promise<FuzzFailure[]>
}

export async function runFuzz({ seed, cases, only, onProgress }: FuzzPart): Promise<FuzzReport> {
  const address = new URL('./browser/message-properties.ts', import.meta.url).href
  const { MESSAGE_PROPERTIES, fuzzMessages }: MessageFuzzer = await import(address)
  const before = heapMegabytes()
  const isMessage = only !== undefined && only in MESSAGE_PROPERTIES
  const isRoute = only !== undefined && !isMessage
  const ofMessages = isRoute ? 0 : isMessage ? cases : Math.round(cases * SHARE_OF_MESSAGES)
  const messages = await fuzzMessages({
    ...{ seed, cases: ofMessages, only: isMessage ? only : undefined, onProgress },
  })
  const ofRoutes = cases - ofMessages
  const routes =
    ofRoutes === 0
      ? { failures: [], statuses: {}, internalErrors: 0 }
      : await fuzzRoutes({
          ...{ seed, cases: ofRoutes, only },
          onProgress: (name, done) => onProgress?.(name, ofMessages + done),
        })
  const after = heapMegabytes()
  const grown: FuzzFailure[] =
    after - before > MAX_GROWTH_MEGABYTES
      ? [{ name: 'memory', reason: `the heap has grown from ${before} to ${after} MB`, shrunk: '' }]
      : []
  return {
    cases,
    ofRoutes,
    ofMessages,
    failures: [...messages, ...routes.failures, ...grown],
    statuses: routes.statuses,
    internalErrors: routes.internalErrors,
    heapMegabytes: [before, after],
  }
}
