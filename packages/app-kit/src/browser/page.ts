// The part of its page that the browser half uses. `globalThis` fits in a browser, a fake in tests.
// Storage is per tab and read only on demand, because a browser that blocks it throws at the first
// access.

export interface Page {
  readonly location: Pick<Location, 'origin' | 'pathname' | 'search' | 'hash' | 'replace'>
  readonly history: Pick<History, 'replaceState' | 'state'>
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** The page itself, to tell it from `parent`: a framed page has another parent. */
  readonly self?: unknown
  readonly parent?: Pick<Window, 'postMessage'>
  readonly addEventListener?: PageListener
  readonly removeEventListener?: PageListener
}

type PageListener = (type: string, listener: (event: Event) => void) => void

export const thisPage = (): Page => globalThis as unknown as Page
