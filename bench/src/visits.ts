// What providers do in a clinic's day: they sign in, open EHR pages, go from chart to chart, close pages, leave
// some open, sign out or walk away. Every token works until the moment at which it must end, and not after.
// Every open page has an event stream, which must say why the session ended.

import type { DayTimes } from './clinic-day.ts'
import type { Connection } from './connection.ts'
import {
  type AppToken,
  buildEventsRequest,
  closePageAt,
  isActiveAt,
  launchAgain,
  openPageAt,
  reportActivityAt,
  revokeAt,
  type Seat,
  signInAt,
  signOutAt,
} from './day-operations.ts'
import { openPageStream, type PageStream } from './page-stream.ts'
import type { Provider } from './target.ts'

interface Page {
  readonly sessionId: string
  readonly stream: PageStream
  tokens: readonly AppToken[]
}

interface Place extends Seat {
  readonly pages: Set<Page>
  /** When this provider asked for something for the last time. */
  activeAt: number
  /** Counts the providers who worked here. */
  signIns: number
  /** Pages that nobody closes. */
  left: number
  /** What is done here is done one after the other. */
  last: Promise<void>
}

export type Task = (on: Connection) => Promise<void>

export interface Visits {
  arrive: Task
  /** Closes every page and signs everybody out. */
  closeAll: Task
  readonly counts: Readonly<Record<VisitCount, number>>
  openPages(): number
}

export type VisitCount =
  | 'launches'
  | 'moves'
  | 'revoked'
  | 'expired'
  | 'signIns'
  | 'signOuts'
  | 'idle'

const SHARES = { moves: 0.5, revokes: 0.1, leftOpen: 0.05, signsOut: 0.7 }
const MAX_LEFT_OPEN = 2
/** Until a stream must have said that its session ended. */
const STREAM_MS = 2000
const IDLE_STREAM_MS = 5000
/** Who has been silent for so much of the idle time may have been signed out by it at the next request. */
const SILENT = 0.75
/** The service records activity a tenth of the idle time late. */
const EARLIEST_IDLE = 0.85
const EXPIRY_SLACK_MS = 1500

export interface VisitSetting {
  readonly port: number
  readonly people: readonly Provider[]
  readonly times: DayTimes
  readonly random: () => number
  /** Does it at that moment or soon after, by `performance.now()`. */
  readonly schedule: (at: number, task: Task) => void
  /** Gets each answer of the token endpoint. */
  readonly onExchange: (answer: string) => void
}

export function startVisits(setting: VisitSetting): Visits {
  const { port, people, times, random, schedule, onExchange } = setting
  const idleMs = 1000 * times.idleSeconds
  const counts = { launches: 0, moves: 0, revoked: 0, expired: 0, signIns: 0, signOuts: 0, idle: 0 }
  let idling = 0
  const places = people.map(
    (person, number): Place => ({
      ...{ number, person, sessionToken: '', pages: new Set() },
      ...{ activeAt: 0, signIns: 0, left: 0, last: Promise.resolve() },
    }),
  )
  const at = (place: Place, work: Task): Task => {
    return (on) => {
      const done = place.last.then(() => work(on))
      place.last = done.catch(() => {})
      return done
    }
  }

  const check = async (on: Connection, place: Place, page: Page, isLive: boolean) => {
    for (const token of page.tokens) {
      const left = token.expiresAt - performance.now()
      if (Math.abs(left) < EXPIRY_SLACK_MS) continue
      if (isLive && left < 0) counts.expired += 1
      const isExpected = isLive && left > 0
      if ((await isActiveAt(on, place, token)) === isExpected) continue
      throw new Error(isExpected ? 'a token was lost' : 'a token outlived its end')
    }
  }

  const expectEnd = async ({ stream }: Page, reason: string, ms: number) => {
    await stream.waitForEnd(ms)
    const found = stream.end()?.reason ?? 'nothing'
    stream.close()
    if (found !== reason) throw new Error(`an event stream said ${found} in place of ${reason}`)
  }

  /** Nobody is here any more: the service ends the sign-in by itself, no earlier and no later. */
  const walkAway = (place: Place) => {
    const { activeAt } = place
    for (const page of place.pages) {
      idling += 1
      schedule(activeAt + idleMs + IDLE_STREAM_MS, async (on) => {
        await expectEnd(page, 'idle', 0)
        const endedAt = page.stream.end()?.at ?? 0
        if (endedAt < activeAt + EARLIEST_IDLE * idleMs) throw new Error('idle before its time')
        await check(on, place, page, false)
        counts.idle += 1
        idling -= 1
      })
    }
    place.pages.clear()
    place.sessionToken = ''
    place.left = 0
  }

  const isSilent = ({ activeAt }: Place) => performance.now() > activeAt + SILENT * idleMs

  /** A task of this provider at this page; nothing when either is gone. */
  const atPage = (place: Place, page: Page, work: Task) =>
    at(place, async (on) => {
      if (place.sessionToken !== '' && isSilent(place)) walkAway(place)
      if (place.pages.has(page)) await work(on)
    })

  const noteActivity = async (on: Connection, place: Place, sessionId: string) => {
    place.activeAt = performance.now()
    await reportActivityAt(on, place, sessionId)
  }

  const signOut = async (on: Connection, place: Place) => {
    const pages = [...place.pages]
    for (const page of pages) await check(on, place, page, true)
    place.pages.clear()
    place.left = 0
    await signOutAt(on, place)
    counts.signOuts += 1
    for (const page of pages) {
      await expectEnd(page, 'signed_out', STREAM_MS)
      await check(on, place, page, false)
    }
  }

  const signIn = async (on: Connection, place: Place) => {
    place.activeAt = performance.now()
    await signInAt(on, place)
    counts.signIns += 1
    place.signIns += 1
    const { signIns } = place
    const leave = at(place, async (on) => {
      if (place.signIns !== signIns || place.sessionToken === '') return
      if (isSilent(place) || random() > SHARES.signsOut) walkAway(place)
      else await signOut(on, place)
    })
    schedule(performance.now() + times.shiftMs * (0.5 + random()), leave)
  }

  const move = async (on: Connection, place: Place, page: Page) => {
    counts.moves += 1
    await noteActivity(on, place, page.sessionId)
    await check(on, place, page, true)
    const tokens: AppToken[] = []
    for (const before of page.tokens) {
      tokens.push(await launchAgain(on, place, page.sessionId, before))
      counts.launches += 1
    }
    for (const { answer } of tokens) onExchange(answer)
    await check(on, place, page, false)
    page.tokens = tokens
    await check(on, place, page, true)
  }

  const revokeOne = async (on: Connection, place: Place, page: Page) => {
    const [first, ...others] = page.tokens
    if (!first) return
    counts.revoked += 1
    await revokeAt(on, place, first)
    await check(on, place, { ...page, tokens: [first] }, false)
    page.tokens = others
  }

  const closePage = async (on: Connection, place: Place, page: Page) => {
    await check(on, place, page, true)
    place.pages.delete(page)
    await closePageAt(on, place, page.sessionId)
    await expectEnd(page, 'closed', STREAM_MS)
    await check(on, place, page, false)
  }

  const openPage = async (on: Connection, place: Place) => {
    const { sessionId, tokens } = await openPageAt(on, place)
    await noteActivity(on, place, sessionId)
    for (const { answer } of tokens) onExchange(answer)
    counts.launches += tokens.length
    const stream = await openPageStream(port, buildEventsRequest(place, sessionId))
    const page: Page = { sessionId, stream, tokens }
    place.pages.add(page)
    await check(on, place, page, true)
    const openedAt = performance.now()
    const mean = times.maxPageMs / 6
    const openMs = Math.min(times.maxPageMs, -mean * Math.log(1 - random()))
    const half = openedAt + openMs / 2
    if (random() < SHARES.moves) {
      schedule(
        half,
        atPage(place, page, (on) => move(on, place, page)),
      )
    } else if (random() < SHARES.revokes) {
      schedule(
        half,
        atPage(place, page, (on) => revokeOne(on, place, page)),
      )
    }
    if (random() < SHARES.leftOpen && place.left < MAX_LEFT_OPEN) place.left += 1
    else {
      schedule(
        openedAt + openMs,
        atPage(place, page, (on) => closePage(on, place, page)),
      )
    }
  }

  return {
    counts,
    openPages: () => places.reduce((sum, { pages }) => sum + pages.size, idling),
    arrive(on) {
      const place = places[Math.floor(random() * places.length)]
      if (!place) throw new Error('nobody works here')
      return at(place, async (on) => {
        if (place.sessionToken !== '' && isSilent(place)) walkAway(place)
        if (place.sessionToken === '') await signIn(on, place)
        await openPage(on, place)
      })(on)
    },
    async closeAll(on) {
      for (const place of places) {
        await at(place, async () => {
          if (place.sessionToken === '') return
          if (isSilent(place)) walkAway(place)
          else await signOut(on, place)
        })(on)
      }
    },
  }
}
