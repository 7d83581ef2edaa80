// The sessions that a page holds, by id, and the starts that it asked for: one of each for every
// `createSession` object of the page, because a code works once and a renewal changes the bearer of
// all of them. In memory only; sends nothing. Spec §5.6.
import type { Page } from './page.ts'

export interface HeldSession {
  readonly id: string
  /** Undefined before its first renewal in this page, and once the session is over. */
  bearer: string | undefined
  /** While one is under way: whether the session goes on. */
  renewal: Promise<boolean> | undefined
  /** The page has ended it: a renewal that was under way brings nothing back. */
  isOver: boolean
}

export interface Start {
  readonly session: HeldSession
  /** The whole answer of the app's server. */
  readonly reply: unknown
}

interface Holdings {
  readonly sessions: Map<string, HeldSession>
  /** By address and body. */
  readonly starts: Map<string, Promise<Start>>
}

const holdings = new WeakMap<Page, Holdings>()

function holdingsOf(page: Page): Holdings {
  const held = holdings.get(page) ?? { sessions: new Map(), starts: new Map() }
  holdings.set(page, held)
  return held
}

export const startsOf = (page: Page): Map<string, Promise<Start>> => holdingsOf(page).starts

export function holdSession(page: Page, id: string): HeldSession {
  const { sessions } = holdingsOf(page)
  const session = sessions.get(id) ?? {
    id,
    bearer: undefined,
    renewal: undefined,
    isOver: false,
  }
  sessions.set(id, session)
  return session
}
