// The part of its page that the browser half uses. `globalThis` fits in a browser, a fake in tests.
// Storage is per tab and read only on demand, because a browser that blocks it throws at the first
// access.

export interface Page {
  readonly location: Pick<Location, 'origin' | 'pathname' | 'search' | 'hash' | 'replace'>
  readonly history: Pick<History, 'replaceState' | 'state'>
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

export const thisPage = (): Page => globalThis as unknown as Page
