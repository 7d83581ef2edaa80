// The event stream of an EHR session (text/event-stream): each change of a launch, a warning before the
// sign-in ends, and the end of the session within one second, so that a host does not poll. Decides nothing. It outlives its request
// and so reads the clock itself. Contract §5.

import { PassThrough } from 'node:stream'
import type { Launch, SessionEvents } from '@chartside/protocol/launch'
import type { HasApps } from '../apps/app-directory.ts'
import type { HasSubscriptions, SessionNotification } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { isAllowedOn } from '../kernel/access.ts'
import type { HasClock, HasRandomness, Randomness } from '../kernel/randomness.ts'
import type { Person } from '../kernel/user.ts'
import {
  loadSession,
  plannedEndBody,
  requireSession,
  sessionBody,
} from '../sessions/session-access.ts'
import type { HasWatchedSessions } from '../sessions/watched-sessions.ts'
import type { HasStreamSubscribers } from '../sign-in/stream-readers.ts'
import { runWhenDue } from './due-timer.ts'
import { findLaunch } from './launch-store.ts'
import { loadLaunchViews } from './launches-http.ts'
import type { HasOpenStreams } from './open-streams.ts'

/** The stream of a client that leaves more than this unread is closed. */
const MAX_UNREAD_BYTES = 256 * 1024

type StreamService = HasApps &
  HasClock &
  HasConfig &
  HasDatabase &
  HasRandomness &
  HasStreamSubscribers &
  HasOpenStreams &
  HasSubscriptions &
  HasWatchedSessions

export async function streamSessionEvents(
  service: StreamService,
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
  /** The last event of each launch. */
  const sent = new Map<string, string>()
  const session = await load()
  /** The session ends with the sign-in of this reader, and the stream then says why. */
  const isOwn = session.signInId === call.person.signInId
  const mayRead = (reader: Person | undefined): reader is Person =>
    reader !== undefined && isAllowedOn(reader, { userId: session.userId }, call.permission)
  /** Of now; undefined when the sign-in has ended or the role no longer allows to read this. */
  const findReader = async () => {
    const reader = await service.streamSubscribers.find(call.person.signInId)
    return mayRead(reader) ? reader : undefined
  }
  /** The session of the own sign-in was read just now, and its end is for this reader. */
  const mayTell = async () => isOwn || (await findReader()) !== undefined
  /** Ends without an event: the next request is refused, and says why. */
  const leave = () => void stream.end()
  const move = () => {
    write(`retry: ${randomMs(service.randomness, MOVE)}\n\n`)
    leave()
  }
  /** When the session is read next. */
  let dueAt = Number.POSITIVE_INFINITY
  /** The end that the host knows of by a warning. */
  let warnedOf: number | undefined
  const check = async () => {
    dueAt = Number.POSITIVE_INFINITY
    const found = await service.watchedSessions.find(session.id)
    const { ended, plannedEnd } = requireSession({ ...call, now: service.clock() }, found)
    if (ended) {
      if (await mayTell()) send('ended', { reason: ended.reason })
      return leave()
    }
    const isNear = plannedEnd.warnAt <= service.clock()
    // A warning, or the later end after one: activity may be reported at any node.
    if (isNear ? warnedOf !== plannedEnd.at : warnedOf !== undefined) {
      if (!(await mayTell())) return leave()
      send('idle', plannedEndBody(plannedEnd))
    }
    warnedOf = isNear ? plannedEnd.at : undefined
    dueAt = isNear ? plannedEnd.at : plannedEnd.warnAt
  }
  const handle = async (notification: SessionNotification) => {
    if ('check' in notification) return check()
    if ('ended' in notification && (await mayTell())) {
      send('ended', { reason: notification.ended })
    }
    if ('stopping' in notification) return move()
    if (!('launchId' in notification)) return leave()
    const person = await findReader()
    // The end of the own sign-in is an event; check sends it.
    if (!person) return isOwn ? check().then(leave) : leave()
    for (const view of await loadOnce(service, person, notification)) {
      const text = JSON.stringify(view)
      // A step that is reported twice changes nothing.
      if (sent.get(view.id) === text) continue
      sent.set(view.id, text)
      send('launch', view)
    }
  }

  // One task at a time, so that the events leave in the order of their notifications.
  let queue: Promise<void> = Promise.resolve()
  const enqueue = (task: () => Promise<void>) => {
    queue = queue.then(task).catch((error) => {
      call.log.warn({ err: error }, 'closed the event stream after an error')
      stream.destroy()
    })
    return queue
  }
  const countOff = service.streams.open(session.id, call.person.user.id)
  // The subscription begins before the session is read, so that no change is missed between them.
  const unsubscribe = await service.subscriptions
    .subscribe(session.id, (notification) => enqueue(() => handle(notification)))
    .catch((error: unknown) => {
      countOff()
      throw error
    })
  const unwatchSession = service.watchedSessions.watch(() => {
    write(': ping\n\n')
    enqueue(check)
  })
  const unwatch = service.streamSubscribers.watch(call.person.signInId, (reader) => {
    if (!mayRead(reader)) enqueue(() => (isOwn ? check().then(leave) : Promise.resolve(leave())))
  })
  const closed = new AbortController()
  stream.once('close', () => {
    unwatchSession()
    unwatch()
    closed.abort()
    unsubscribe()
    countOff()
  })
  // Headers and first bytes leave at once, before the session is read.
  // Also for a node that is lost without a word.
  write(`: open\nretry: ${randomMs(service.randomness, REOPEN)}\n\n`)
  enqueue(async () => send('session', sessionBody(await load())))
  enqueue(check)
  void runWhenDue(
    service.clock,
    () => dueAt,
    () => enqueue(check),
    closed.signal,
  )
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // nginx holds an answer back until its buffer is full, by default.
      'x-accel-buffering': 'no',
    },
    body: stream,
  }
}

/** When a host comes back: not all of a node at the same moment. */
const REOPEN = { least: 250, spread: 1000 } as const
const MOVE = { least: 500, spread: 2000 } as const

const randomMs = (randomness: Randomness, { least, spread }: typeof REOPEN | typeof MOVE) =>
  least + (randomness.bytes(2).readUInt16BE() % spread)

/** The views of a notification, by the user who reads them: its streams share one read. */
const views = new WeakMap<SessionNotification, Map<string, Promise<Launch[]>>>()

function loadOnce(
  service: StreamService,
  person: Person,
  notification: SessionNotification & { readonly launchId: string },
): Promise<Launch[]> {
  const byUser = views.get(notification) ?? new Map<string, Promise<Launch[]>>()
  views.set(notification, byUser)
  const loading = byUser.get(person.user.id) ?? loadViews(service, person, notification.launchId)
  byUser.set(person.user.id, loading)
  return loading
}

async function loadViews(
  service: StreamService,
  person: Person,
  launchId: string,
): Promise<Launch[]> {
  const launch = await findLaunch(service.db, launchId)
  return loadLaunchViews(service, launch ? [launch] : [], { now: service.clock(), person })
}
