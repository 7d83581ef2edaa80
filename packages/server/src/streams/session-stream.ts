// One open event stream of an EHR session (text/event-stream): each change of a launch, a warning before the
// sign-in ends, and the end of the session within one second, so that a host does not poll. It outlives its
// request and so reads the clock itself. Asks before each event whether its reader may still read. Contract §5.

import { PassThrough } from 'node:stream'
import type { Launch, SessionEvents } from '@chartside/protocol/launch'
import type { HasApps } from '../apps/app-directory.ts'
import type { HasSubscriptions, SessionNotification } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { PersonCall } from '../http/call.ts'
import { isAllowedOn } from '../kernel/access.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import type { Person } from '../kernel/user.ts'
import { findLaunch } from '../launches/launch-store.ts'
import { loadLaunchViews } from '../launches/timeline/launch-views.ts'
import type { FoundSession } from '../sessions/session.ts'
import {
  loadSession,
  plannedEndBody,
  requireSession,
  sessionBody,
} from '../sessions/session-access.ts'
import type { HasStreamSubscribers, HasWatchedSessions } from './batched-lookup.ts'
import { runWhenDue } from './due-timer.ts'
import type { HasOpenStreams } from './open-streams.ts'

/** The stream of a client that leaves more than this unread is closed. */
const MAX_UNREAD_BYTES = 256 * 1024

/** A host reconnects after such a delay, so that the hosts of a node do not all come at once. */
const RECONNECT_DELAY_MS = { least: 250, spread: 1000 } as const
const DRAIN_RECONNECT_DELAY_MS = { least: 500, spread: 2000 } as const

export type StreamParts = HasApps &
  HasClock &
  HasConfig &
  HasDatabase &
  HasOpenStreams &
  HasRandomness &
  HasStreamSubscribers &
  HasSubscriptions &
  HasWatchedSessions

export class SessionStream {
  readonly body = new PassThrough({ highWaterMark: MAX_UNREAD_BYTES })
  readonly #service: StreamParts
  readonly #call: PersonCall<'id'>
  readonly #session: FoundSession
  /** The session ends with the sign-in of this reader, and the stream then says why. */
  readonly #isOwn: boolean
  /** The last event of each launch. */
  readonly #sent = new Map<string, string>()
  #queue: Promise<void> = Promise.resolve()
  /** The time at which the session is read next. */
  #dueAt = Number.POSITIVE_INFINITY
  /** The end that the host knows of by a warning. */
  #warnedEndAt: number | undefined

  constructor(service: StreamParts, call: PersonCall<'id'>, session: FoundSession) {
    this.#service = service
    this.#call = call
    this.#session = session
    this.#isOwn = session.signInId === call.person.signInId
  }

  /** Takes a slot, subscribes and begins to write. @throws RequestRefused, DatabaseUnavailable */
  async open(): Promise<void> {
    const { clock, streams, streamSubscribers, subscriptions, watchedSessions } = this.#service
    const { person } = this.#call
    const releaseSlot = streams.open(this.#session.id, person.user.id)
    // The subscription begins before the session is read, so that no change is missed between them.
    const unsubscribe = await subscriptions
      .subscribe(this.#session.id, (notification) =>
        this.#enqueue(() => this.#handle(notification)),
      )
      .catch((error: unknown) => {
        releaseSlot()
        throw error
      })
    const unwatchSession = watchedSessions.watch(() => {
      this.#write(': ping\n\n')
      this.#enqueue(() => this.#check())
    })
    const unwatchReader = streamSubscribers.watch(() => this.#checkReader())
    const closed = new AbortController()
    this.body.once('close', () => {
      unwatchSession()
      unwatchReader()
      closed.abort()
      unsubscribe()
      releaseSlot()
    })
    // Headers and first bytes leave at once, before the session is read. The delay is also for a node
    // that is lost without a word.
    this.#write(`: open\nretry: ${this.#randomMs(RECONNECT_DELAY_MS)}\n\n`)
    this.#enqueue(async () => this.#send('session', sessionBody(await this.#load())))
    this.#enqueue(() => this.#check())
    const work = () => this.#enqueue(() => this.#check())
    void runWhenDue(clock, () => this.#dueAt, work, closed.signal)
  }

  /** Runs one task at a time, so that the events leave in the order of their notifications. */
  #enqueue(task: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(task).catch((error) => {
      this.#call.log.warn({ err: error }, 'closed the event stream after an error')
      this.body.destroy()
    })
    return this.#queue
  }

  async #handle(notification: SessionNotification): Promise<void> {
    if ('check' in notification) return this.#check()
    if ('ended' in notification && (await this.#mayNotify())) {
      this.#send('ended', { reason: notification.ended })
    }
    if ('stopping' in notification) return this.#askToReconnect()
    if (!('launchId' in notification)) return this.#closeStream()
    const person = await this.#findReader()
    if (!person) return this.#closeForReader()
    for (const view of await loadViewsShared(this.#service, person, notification)) {
      const text = JSON.stringify(view)
      // A step that is reported twice changes nothing.
      if (this.#sent.get(view.id) === text) continue
      this.#sent.set(view.id, text)
      this.#send('launch', view)
    }
  }

  async #check(): Promise<void> {
    const { clock, watchedSessions } = this.#service
    this.#dueAt = Number.POSITIVE_INFINITY
    const found = await watchedSessions.find(this.#session.id)
    const { ended, plannedEnd } = requireSession({ ...this.#call, now: clock() }, found)
    if (ended) {
      if (await this.#mayNotify()) this.#send('ended', { reason: ended.reason })
      return this.#closeStream()
    }
    const isNear = plannedEnd.warnAt <= clock()
    // A warning, or the later end after one: activity may be reported at any node.
    if (isNear ? this.#warnedEndAt !== plannedEnd.at : this.#warnedEndAt !== undefined) {
      if (!(await this.#mayNotify())) return this.#closeStream()
      this.#send('idle', plannedEndBody(plannedEnd))
    }
    this.#warnedEndAt = isNear ? plannedEnd.at : undefined
    this.#dueAt = isNear ? plannedEnd.at : plannedEnd.warnAt
  }

  #checkReader(): void {
    this.#service.streamSubscribers.find(this.#call.person.signInId).then(
      (reader) => {
        if (!this.#mayRead(reader)) this.#enqueue(() => this.#closeForReader())
      },
      // Without the database a stream learns nothing new either, and asks before its next event.
      () => {},
    )
  }

  #load() {
    const now = this.#service.clock()
    return loadSession(this.#service, { ...this.#call, now }, this.#call.params.id)
  }

  #mayRead(reader: Person | undefined): reader is Person {
    const { userId } = this.#session
    return reader !== undefined && isAllowedOn(reader, { userId }, this.#call.permission)
  }

  /** The reader as of now; undefined when the sign-in has ended or the role no longer allows to read. */
  async #findReader(): Promise<Person | undefined> {
    const reader = await this.#service.streamSubscribers.find(this.#call.person.signInId)
    return this.#mayRead(reader) ? reader : undefined
  }

  /** The session of the own sign-in was read just now, and its end is for this reader. */
  async #mayNotify(): Promise<boolean> {
    return this.#isOwn || (await this.#findReader()) !== undefined
  }

  /** Closes the stream of a reader who may no longer read. */
  async #closeForReader(): Promise<void> {
    // The end of the own sign-in is an event, which the check sends.
    if (this.#isOwn) await this.#check()
    this.#closeStream()
  }

  /** Ends without an event: the next request is refused, and says why. */
  #closeStream(): void {
    this.body.end()
  }

  #askToReconnect(): void {
    this.#write(`retry: ${this.#randomMs(DRAIN_RECONNECT_DELAY_MS)}\n\n`)
    this.#closeStream()
  }

  #send<Name extends keyof SessionEvents>(event: Name, data: SessionEvents[Name]): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  #write(text: string): void {
    if (this.body.writableEnded || this.body.destroyed) return
    if (!this.body.write(text)) this.body.destroy()
  }

  #randomMs({ least, spread }: { readonly least: number; readonly spread: number }): number {
    return least + (this.#service.randomness.bytes(2).readUInt16BE() % spread)
  }
}

/** The views of a notification, by the user who reads them: the streams of a user share one read. */
const views = new WeakMap<SessionNotification, Map<string, Promise<Launch[]>>>()

function loadViewsShared(
  service: StreamParts,
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
  service: StreamParts,
  person: Person,
  launchId: string,
): Promise<Launch[]> {
  const launch = await findLaunch(service.db, launchId)
  return loadLaunchViews(service, launch ? [launch] : [], { now: service.clock(), person })
}
