// The event stream of an EHR session (text/event-stream): every launch as it moves, and the end of
// the session within a second, so that a host needs no polling. Holds a stream open; decides
// nothing. Contract §5 (the app is told within one second).
import { PassThrough } from 'node:stream'
import type { PersonCall, Reply } from '../http/route.ts'
import type { Service } from '../service.ts'
import type { SessionNews } from '../sessions/session-watchers.ts'
import { loadSession, sessionBody } from '../sessions/sessions-http.ts'
import { findLaunch } from './launch-store.ts'
import { viewLaunch } from './launches-http.ts'

const PING_MS = 15_000
/** A reader that takes nothing while this much waits for it is cut off. */
const MOST_UNREAD_BYTES = 256 * 1024

export async function streamSessionEvents(service: Service, call: PersonCall): Promise<Reply> {
  const session = await loadSession(service, call.params, call.person)
  const stream = new PassThrough({ highWaterMark: MOST_UNREAD_BYTES })
  const send = (event: string, data: unknown) => {
    if (stream.writableEnded || stream.destroyed) return
    const isTaken = stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if (!isTaken) stream.destroy()
  }

  send('session', sessionBody(session))
  if (session.endedAt !== undefined) {
    send('ended', { reason: 'session_ended' })
    stream.end()
    return reply(stream)
  }

  // News of one session is told in order, each read after the one before it was sent.
  let telling = Promise.resolve()
  const tell = async (news: SessionNews) => {
    if ('ended' in news) {
      send('ended', { reason: news.ended })
      stream.end()
      return
    }
    const launch = await findLaunch(service.db, news.launchId)
    if (launch) send('launch', await viewLaunch(service, launch, service.clock()))
  }
  const unwatch = service.watchers.watch(session.id, (news) => {
    telling = telling
      .then(() => tell(news))
      .catch((error) => {
        call.log.warn({ err: error, session: session.id }, 'event stream cut off')
        stream.destroy()
      })
  })
  const ping = setInterval(() => stream.write(': ping\n\n'), PING_MS)
  ping.unref()
  stream.once('close', () => {
    clearInterval(ping)
    unwatch()
  })
  return reply(stream)
}

const reply = (body: PassThrough): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  body,
})
