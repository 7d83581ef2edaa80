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

export type Task = (on: Connection) => Promise<void>

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

export interface VisitCounts {
  launches: number
  moves: number
  revoked: number
  /** Tokens that expired on an open page. */
  expired: number
  signIns: number
  signOuts: number
  /** Pages whose session ended because its provider was idle. */
  idle: number
}

interface Page {
  readonly sessionId: string
  readonly stream: PageStream
  tokens: readonly AppToken[]
}

/** A seat with the pages of who sits there. */
interface Place extends Seat {
  readonly pages: Set<Page>
  /** The last activity that the service knows of. */
  activeAt: number
  /** Counts the providers who worked here. */
  signIns: number
  /** Pages that are not closed. */
  left: number
  /** The last work at this seat; the next one begins after it. */
  last: Promise<void>
}

const SHARES = { moves: 0.5, revokes: 0.1, leftOpen: 0.05, signsOut: 0.7 }
const MAX_LEFT_OPEN = 2
/** The time within which a stream must have said that its session ended. */
const STREAM_MS = 2000
const IDLE_STREAM_MS = 5000
/** The part of the idle time after which a silent person counts as gone, before the service says so. */
const SILENT = 0.75
/** The service records activity a tenth of the idle time late, so it may end a sign-in so early. */
const EARLIEST_IDLE = 0.85
const EXPIRY_SLACK_MS = 1500

export class Visits {
  readonly counts: VisitCounts = {
    ...{ launches: 0, moves: 0, revoked: 0, expired: 0, signIns: 0, signOuts: 0, idle: 0 },
  }
  readonly #setting: VisitSetting
  readonly #idleMs: number
  readonly #places: readonly Place[]
  #abandoned = 0

  constructor(setting: VisitSetting) {
    this.#setting = setting
    this.#idleMs = 1000 * setting.times.idleSeconds
    this.#places = setting.people.map((person, number) => ({
      ...{ number, person, sessionToken: '', pages: new Set() },
      ...{ activeAt: 0, signIns: 0, left: 0, last: Promise.resolve() },
    }))
  }

  openPages(): number {
    return this.#places.reduce((sum, { pages }) => sum + pages.size, this.#abandoned)
  }

  /** A provider opens a page, after a sign-in when the place is free. */
  async arrive(on: Connection): Promise<void> {
    const place = this.#places[Math.floor(this.#setting.random() * this.#places.length)]
    if (!place) throw new Error('there is no provider')
    const work = async (on: Connection) => {
      if (!this.#isHere(place)) await this.#signIn(on, place)
      await this.#openPage(on, place)
    }
    await this.#at(place, work)(on)
  }

  /** Signs every provider out who has not walked away. */
  async closeAll(on: Connection): Promise<void> {
    for (const place of this.#places) {
      const work = async (on: Connection) => {
        if (this.#isHere(place)) await this.#signOut(on, place)
      }
      await this.#at(place, work)(on)
    }
  }

  #at(place: Place, work: Task): Task {
    return (on) => {
      const done = place.last.then(() => work(on))
      place.last = done.catch(() => {})
      return done
    }
  }

  /** Whether a provider sits there. Who has been silent for long has walked away. */
  #isHere(place: Place): boolean {
    if (place.sessionToken === '') return false
    const isSilent = performance.now() > place.activeAt + SILENT * this.#idleMs
    if (isSilent) this.#walkAway(place)
    return !isSilent
  }

  async #signIn(on: Connection, place: Place): Promise<void> {
    const { random, schedule, times } = this.#setting
    place.activeAt = performance.now()
    await signInAt(on, place)
    this.counts.signIns += 1
    place.signIns += 1
    const { signIns } = place
    const leave = async (on: Connection) => {
      if (place.signIns !== signIns || !this.#isHere(place)) return
      if (random() < SHARES.signsOut) await this.#signOut(on, place)
      else this.#walkAway(place)
    }
    schedule(performance.now() + times.shiftMs * (0.5 + random()), this.#at(place, leave))
  }

  async #signOut(on: Connection, place: Place): Promise<void> {
    const pages = [...place.pages]
    for (const page of pages) await this.#check(on, place, page.tokens, true)
    place.pages.clear()
    place.left = 0
    await signOutAt(on, place)
    this.counts.signOuts += 1
    for (const page of pages) {
      await expectEnd(page, 'signed_out', STREAM_MS)
      await this.#check(on, place, page.tokens, false)
    }
  }

  /** The service ends the sign-in by itself, neither earlier nor later than it says. */
  #walkAway(place: Place): void {
    const { activeAt } = place
    for (const page of place.pages) {
      this.#abandoned += 1
      this.#setting.schedule(activeAt + this.#idleMs + IDLE_STREAM_MS, async (on) => {
        await expectEnd(page, 'idle', 0)
        const endedAt = page.stream.end()?.at ?? 0
        if (endedAt < activeAt + EARLIEST_IDLE * this.#idleMs) {
          throw new Error('a sign-in ended as idle before its time')
        }
        await this.#check(on, place, page.tokens, false)
        this.counts.idle += 1
        this.#abandoned -= 1
      })
    }
    place.pages.clear()
    place.sessionToken = ''
    place.left = 0
  }

  async #openPage(on: Connection, place: Place): Promise<void> {
    const { port, random, times } = this.#setting
    const { sessionId, tokens } = await openPageAt(on, place)
    await this.#noteActivity(on, place, sessionId)
    this.#noteTokens(tokens)
    const stream = await openPageStream(port, buildEventsRequest(place, sessionId))
    const page: Page = { sessionId, stream, tokens }
    place.pages.add(page)
    await this.#check(on, place, tokens, true)
    const openMs = Math.min(times.maxPageMs, (-times.maxPageMs / 6) * Math.log(1 - random()))
    if (random() < SHARES.moves) {
      this.#later(openMs / 2, place, page, (on) => this.#move(on, place, page))
    } else if (random() < SHARES.revokes) {
      this.#later(openMs / 2, place, page, (on) => this.#revokeOne(on, place, page))
    }
    if (random() < SHARES.leftOpen && place.left < MAX_LEFT_OPEN) place.left += 1
    else this.#later(openMs, place, page, (on) => this.#closePage(on, place, page))
  }

  /** Unless the page has ended before. */
  #later(ms: number, place: Place, page: Page, work: Task): void {
    const task = this.#at(place, async (on) => {
      if (this.#isHere(place) && place.pages.has(page)) await work(on)
    })
    this.#setting.schedule(performance.now() + ms, task)
  }

  /** Moves to the next chart: every app is launched again, and what it had before is dead. */
  async #move(on: Connection, place: Place, page: Page): Promise<void> {
    this.counts.moves += 1
    await this.#noteActivity(on, place, page.sessionId)
    await this.#check(on, place, page.tokens, true)
    const tokens: AppToken[] = []
    for (const before of page.tokens) {
      tokens.push(await launchAgain(on, place, page.sessionId, before))
    }
    this.#noteTokens(tokens)
    await this.#check(on, place, page.tokens, false)
    page.tokens = tokens
    await this.#check(on, place, tokens, true)
  }

  async #revokeOne(on: Connection, place: Place, page: Page): Promise<void> {
    const [first, ...others] = page.tokens
    if (!first) return
    this.counts.revoked += 1
    await revokeAt(on, place, first)
    await this.#check(on, place, [first], false)
    page.tokens = others
  }

  async #closePage(on: Connection, place: Place, page: Page): Promise<void> {
    await this.#check(on, place, page.tokens, true)
    place.pages.delete(page)
    await closePageAt(on, place, page.sessionId)
    await expectEnd(page, 'closed', STREAM_MS)
    await this.#check(on, place, page.tokens, false)
  }

  async #noteActivity(on: Connection, place: Place, sessionId: string): Promise<void> {
    place.activeAt = performance.now()
    await reportActivityAt(on, place, sessionId)
  }

  #noteTokens(tokens: readonly AppToken[]): void {
    this.counts.launches += tokens.length
    for (const { answer } of tokens) this.#setting.onExchange(answer)
  }

  /**
   * Checks the tokens; live ones may have expired meanwhile. @throws Error for a token that is lost, or
   * outlives its end.
   */
  async #check(on: Connection, place: Place, tokens: readonly AppToken[], isLive: boolean) {
    for (const token of tokens) {
      const leftMs = token.expiresAt - performance.now()
      if (Math.abs(leftMs) < EXPIRY_SLACK_MS) continue
      const isExpected = isLive && leftMs > 0
      if ((await isActiveAt(on, place, token)) !== isExpected) {
        throw new Error(isExpected ? 'a token was lost' : 'a token outlived its end')
      }
      if (isLive && !isExpected) this.counts.expired += 1
    }
  }
}

/** @throws Error when the stream does not say in time that its session ended, and why. */
async function expectEnd({ stream }: Page, reason: string, withinMs: number): Promise<void> {
  await stream.waitForEnd(withinMs)
  const found = stream.end()?.reason ?? 'nothing'
  stream.close()
  if (found !== reason) throw new Error(`an event stream said ${found} in place of ${reason}`)
}
