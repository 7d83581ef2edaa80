// The event stream of an EHR session as a host reads it, over a socket. Owns no expectation but that
// what is waited for arrives in time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestService } from './test-service.ts'

const MAX_WAIT_MS = 5000

export interface StreamedEvent {
  readonly event: string
  readonly data: {
    readonly id?: string
    readonly state?: string
    readonly reason?: string
    readonly endsAt?: string
    readonly ended?: { readonly at: string; readonly reason: string }
  }
}

export interface SessionStream {
  readonly list: () => StreamedEvent[]
  /** Waits for an event that fits; gives it, and how long that took. */
  next(fits: (event: StreamedEvent) => boolean): Promise<{ found: StreamedEvent; tookMs: number }>
  /** Resolves when the service has closed the stream. */
  readonly closed: Promise<void>
  close(): void
}

/** The node must listen. */
export async function openStream(
  node: TestService,
  sessionId: string,
  token: string,
): Promise<SessionStream> {
  const { port } = node.server.server.address() as AddressInfo
  const abort = new AbortController()
  const url = `http://127.0.0.1:${port}/api/sessions/${sessionId}/events`
  const headers = { authorization: `Bearer ${token}` }
  // A connection of its own: fetch opens another one in advance, for which a node that closes waits.
  const request = get(url, { headers, agent: false, signal: abort.signal })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  let text = ''
  const closed = (async () => {
    for await (const chunk of answer.setEncoding('utf8')) text += chunk
  })().catch(() => {})
  const list = () =>
    [...text.matchAll(/^event: (\w+)\ndata: (.+)$/gm)].map(([, event = '', data = '']) => ({
      event,
      data: JSON.parse(data),
    }))
  const stream: SessionStream = {
    list,
    closed,
    close: () => abort.abort(),
    async next(fits) {
      const begun = performance.now()
      for (;;) {
        const found = list().find(fits)
        const tookMs = performance.now() - begun
        if (found) return { found, tookMs }
        if (tookMs > MAX_WAIT_MS) assert.fail(`the event is not in:\n${text}`)
        await sleep(10)
      }
    },
  }
  await stream.next(({ event }) => event === 'session')
  return stream
}
