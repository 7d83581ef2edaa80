// The event stream of an open EHR page, on a bare socket: knows whether it is open, and with which reason the
// service said that the session ended. Keeps nothing else of what it receives.
import { once } from 'node:events'
import { connect } from 'node:net'

export interface PageStream {
  /**
   * Returns the reason that came, and its time by `performance.now()`; 'broken' when the stream closed without one.
   */
  end(): { readonly reason: string; readonly at: number } | undefined
  /** Waits for the end, at most so long. */
  waitForEnd(ms: number): Promise<void>
  close(): void
}

/** The length is more than that of the longest event of an end. */
const KEPT = 256

export async function openPageStream(port: number, request: string): Promise<PageStream> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  socket.setEncoding('latin1')
  socket.write(request)
  let end: ReturnType<PageStream['end']>
  let kept = ''
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const finish = (reason: string) => {
    opened.resolve()
    if (end) return
    end = { reason, at: performance.now() }
    ended.resolve()
  }
  socket.on('data', (chunk: string) => {
    kept += chunk
    const [, reason] = /event: ended\ndata: \{"reason":"(\w+)"/.exec(kept) ?? []
    if (reason) finish(reason)
    if (kept.includes(': open')) opened.resolve()
    kept = kept.slice(-KEPT)
  })
  socket.on('error', () => finish('broken'))
  socket.on('close', () => finish('broken'))
  await opened.promise
  return {
    end: () => end,
    async waitForEnd(ms) {
      const tooLong = setTimeout(() => ended.resolve(), ms)
      await ended.promise
      clearTimeout(tooLong)
    },
    close: () => socket.destroy(),
  }
}
