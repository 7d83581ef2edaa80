// The event stream of an EHR session (text/event-stream): every launch as it moves, and the end of
// the session within a second, so that a host needs no polling. Holds a stream open; decides
// nothing. Contract §5 (the app is told within one second).
import { PassThrough } from 'node:stream'
import type { SessionEvents } from '@chartside/protocol/launch'
import type { SessionNews } from '../cluster/session-subscriptions.ts'
import type { Answer, PersonCall } from '../http/route.ts'
import type { Service } from '../service.ts'
import { loadSession, sessionBody } from '../sessions/session-access.ts'
import { findLaunch } from './launch-store.ts'
import { viewLaunch } from './launches-http.ts'

/** Keeps proxies from closing a quiet stream, and notices a sign-in that went idle. */
const PING_MS = 15_000
/** A reader that takes nothing while this much waits for it is cut off. */
const MAX_UNREAD_BYTES = 256 * 1024

export async function streamSessionEvents(
  service: Service,
  call: PersonCall<'id'>,
): Promise<Answer<200>> {
  const stream = new PassThrough({ highWaterMark: MAX_UNREAD_BYTES })
  const write = (text: string) => {
    if (stream.writableEnded || stream.destroyed) return
    if (!stream.write(text)) stream.destroy()
  }
  const send = <Name extends keyof SessionEvents>(event: Name, data: SessionEvents[Name]) =>
    write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  const load = () => {
    const now = service.clock()
    return loadSession(service, { ...call, now }, call.params.id)
  }
  const endUnlessLive = async () => {
    const session = await load()
    if (session.isLive) return
    send('ended', { reason: session.ending })
    stream.end()
  }
  const tell = async (news: SessionNews) => {
    if ('missed' in news) return endUnlessLive()
    if ('ended' in news) send('ended', { reason: news.ended })
    if (!('launchId' in news)) {
      stream.end()
      return
    }
    const launch = await findLaunch(service.db, news.launchId)
    if (launch) send('launch', await viewLaunch(service, launch, service.clock()))
  }

  // News of one session is told in order, each read after the one before it was sent.
  let telling: Promise<void> = Promise.resolve()
  const inTurn = (task: () => Promise<void>) => {
    telling = telling.then(task).catch((error) => {
      call.log.warn({ err: error }, 'event stream cut off')
      stream.destroy()
    })
  }
  const session = await load()
  // Watching begins before the session is told, so that nothing falls between the two.
  const unwatch = await service.subscriptions.watch(session.id, (news) => inTurn(() => tell(news)))
  const ping = setInterval(() => {
    write(': ping\n\n')
    inTurn(endUnlessLive)
  }, PING_MS)
  ping.unref()
  stream.once('close', () => {
    clearInterval(ping)
    unwatch()
  })
  inTurn(async () => send('session', sessionBody(await load())))
  inTurn(endUnlessLive)
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    body: stream,
  }
}
