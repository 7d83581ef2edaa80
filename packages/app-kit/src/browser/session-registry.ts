// The sessions of a page, by id, and the starts that it requested. All `createSession` objects of
// the page share them, because a code works once and a renewal replaces the bearer for all. In
// memory only; sends nothing. Spec §5.6.
import type { Page } from './page.ts'

export interface RegisteredSession {
  readonly id: string
  /** The bearer; undefined before its first renewal in this page, and after its end. */
  bearer: string | undefined
  /** The renewal that is under way; it resolves to whether the session continues. */
  renewal: Promise<boolean> | undefined
  /** The page has ended it; a renewal under way must not restore it. */
  hasEnded: boolean
}

export interface Start {
  readonly session: RegisteredSession
  /** The whole answer of the app's server. */
  readonly reply: unknown
}

interface Registry {
  readonly sessions: Map<string, RegisteredSession>
  /** The starts by address and body. */
  readonly starts: Map<string, Promise<Start>>
}

const registries = new WeakMap<Page, Registry>()

function registryOf(page: Page): Registry {
  const registry = registries.get(page) ?? { sessions: new Map(), starts: new Map() }
  registries.set(page, registry)
  return registry
}

export const startsOf = (page: Page): Map<string, Promise<Start>> => registryOf(page).starts

/** The session with this id; registered when it is new. */
export function registerSession(page: Page, id: string): RegisteredSession {
  const { sessions } = registryOf(page)
  const session = sessions.get(id) ?? {
    id,
    bearer: undefined,
    renewal: undefined,
    hasEnded: false,
  }
  sessions.set(id, session)
  return session
}
