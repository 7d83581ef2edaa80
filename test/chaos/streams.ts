// The event streams of a run: EHR pages of many people, each followed by the client of packages/host, which
// opens a lost stream again. Records when each stream was lost, for when it chose to ask again, when it was
// back, and what it received. Judges nothing; stream-times.ts does.
import { setTimeout as sleep } from 'node:timers/promises'
import { setUpPractices } from '../../bench/src/practices.ts'
import type { LaunchingPerson } from '../../bench/src/target.ts'
import { type Clock, systemClock } from '../../packages/host/src/clock.ts'
import { createServiceClient } from '../../packages/host/src/service.ts'
import { followSession } from '../../packages/host/src/session-events.ts'
import { ADMIN } from '../process/service-process.ts'
import { api, openSession } from '../process/story-verbs.ts'
import { chosenMoment, type Incident, type Loss, summarize } from './stream-times.ts'

/** Below the limits of the service: 8 of a session and 64 of a person. */
const STREAMS_OF_SESSION = 5
const SESSIONS_OF_PERSON = 10
const STREAMS_OF_PERSON = STREAMS_OF_SESSION * SESSIONS_OF_PERSON
const OPENED_TOGETHER = 50
const MAX_WAIT_MS = 20_000
const POLL_MS = 20

export interface StreamReport {
  readonly opened: number
  readonly people: number
  readonly incidents: readonly Incident[]
  /** Streams that heard of a launch in their session, of those that had to, and the slowest of them. */
  readonly news: Delivery
  /** The same of the end of their session. */
  readonly ends: Delivery
}

export interface Delivery {
  readonly delivered: number
  readonly wanted: number
  readonly slowestMs: number
}

export interface Streams {
  readonly count: number
  /** What is lost from now on belongs to this. */
  mark(incident: string): void
  /** Launches an app in one session of each person, then ends every sign-in. */
  finish(): Promise<StreamReport>
  close(): void
}

interface Stream {
  readonly sessionId: string
  readonly person: LaunchingPerson
  readonly losses: Loss[]
  isOpen: boolean
  newsAt: number
  endedAt: number
}

const now = () => performance.now()

export async function openStreams(baseUrl: string, wanted: number): Promise<Streams> {
  const people = await setUpPractices(baseUrl, ADMIN, {
    practices: Math.ceil(wanted / STREAMS_OF_PERSON),
    appsEach: 1,
    signInsEach: 1,
  })
  const closing = new AbortController()
  const incidents: string[] = []
  const streams: Stream[] = []
  for (const person of people) {
    const { sessionToken, accountId } = person
    const open = () => openSession({ baseUrl, sessionToken }, accountId)
    const sessions = await Promise.all(Array.from({ length: SESSIONS_OF_PERSON }, open))
    for (const sessionId of sessions) {
      for (let i = 0; i < STREAMS_OF_SESSION && streams.length < wanted; i++) {
        streams.push({ sessionId, person, losses: [], isOpen: false, newsAt: 0, endedAt: 0 })
      }
    }
  }
  for (let at = 0; at < streams.length; at += OPENED_TOGETHER) {
    const some = streams.slice(at, at + OPENED_TOGETHER)
    for (const stream of some) follow(stream, baseUrl, incidents, closing.signal)
    await waitFor(() => some.every(({ isOpen }) => isOpen))
  }
  if (!streams.every(({ isOpen }) => isOpen)) throw new Error('some event streams did not open')

  async function notifyStreams(): Promise<Delivery> {
    const began = now()
    const sessions = new Set(streams.map(({ sessionId }) => sessionId))
    const first = new Set(people.map((p) => streams.find((s) => s.person === p)?.sessionId ?? ''))
    const asked = streams.filter(({ sessionId }) => first.has(sessionId) && sessions.has(sessionId))
    for (const stream of streams) stream.newsAt = 0
    const launches = [...first].map((sessionId) => {
      const person = streams.find((stream) => stream.sessionId === sessionId)?.person
      if (!person) return Promise.resolve()
      const body = { appId: person.apps[0]?.id, kind: 'ui' }
      return api({ ...person, baseUrl }, 'POST', `/api/sessions/${sessionId}/launches`, body)
    })
    await Promise.all(launches)
    await waitFor(() => asked.every(({ newsAt }) => newsAt > 0))
    return delivered(
      asked.map(({ newsAt }) => newsAt),
      began,
    )
  }

  async function endAll(): Promise<Delivery> {
    const began = now()
    await Promise.all(people.map((one) => api({ ...one, baseUrl }, 'POST', '/auth/sign-out', {})))
    await waitFor(() => streams.every(({ endedAt }) => endedAt > 0))
    return delivered(
      streams.map(({ endedAt }) => endedAt),
      began,
    )
  }

  return {
    count: streams.length,
    mark: (incident) => void incidents.push(incident),
    async finish() {
      await waitFor(() => streams.every(({ isOpen }) => isOpen))
      const losses = streams.flatMap((stream) => stream.losses)
      const summaries = incidents.map((name) =>
        summarize(
          name,
          losses.filter((loss) => loss.incident === name),
        ),
      )
      const news = await notifyStreams()
      const ends = await endAll()
      return { opened: streams.length, people: people.length, incidents: summaries, news, ends }
    },
    close: () => closing.abort(),
  }
}

function follow(stream: Stream, baseUrl: string, incidents: string[], closed: AbortSignal): void {
  const client = createServiceClient({
    service: baseUrl,
    sessionToken: stream.person.sessionToken,
    sessionId: stream.sessionId,
    fetch,
  })
  const lose = () => {
    if (!stream.isOpen || closed.aborted) return
    stream.isOpen = false
    stream.losses.push({ incident: incidents.at(-1) ?? 'before any fault', lostAt: now() })
  }
  /** The moment for which the timer was set that ended last. */
  let dueAt: number | undefined
  const clock: Clock = {
    ...systemClock,
    after(ms, task) {
      const due = now() + ms
      return systemClock.after(ms, () => {
        dueAt = due
        task()
      })
    },
  }
  const openEvents = async (signal: AbortSignal) => {
    const loss = stream.losses.at(-1)
    if (loss) loss.askedAt ??= chosenMoment(loss.lostAt, dueAt, now())
    const body = watchEnd(await client.openEvents(signal), lose)
    stream.isOpen = true
    if (loss) loss.backAt ??= now()
    return body
  }
  const listener = {
    onLaunch: () => {
      stream.newsAt ||= now()
    },
    onIdle() {},
    onEnded: () => {
      stream.endedAt ||= now()
    },
    onResumed() {},
    onBroken() {},
  }
  void followSession({ ...client, openEvents }, clock, listener, closed)
}

/** The same bytes; says when no more come, for whatever reason. */
function watchEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        onEnd()
        controller.close()
      } catch (error) {
        onEnd()
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

function delivered(times: readonly number[], began: number): Delivery {
  const reached = times.filter((time) => time > 0)
  return {
    delivered: reached.length,
    wanted: times.length,
    slowestMs: Math.max(0, ...reached.map((time) => time - began)),
  }
}

async function waitFor(isTrue: () => boolean): Promise<void> {
  const end = now() + MAX_WAIT_MS
  while (!isTrue() && now() < end) await sleep(POLL_MS)
}
