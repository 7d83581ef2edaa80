// What this half uses of the page it runs in, and nothing else. `globalThis` satisfies it in a
// browser; fakes stand in for it in tests. Storage is per tab and read only when it is needed,
// because a browser that blocks it throws at the first touch.

export interface Page {
  readonly location: Pick<Location, 'origin' | 'pathname' | 'search' | 'hash' | 'replace'>
  readonly history: Pick<History, 'replaceState' | 'state'>
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

export const thisPage = (): Page => globalThis as unknown as Page
