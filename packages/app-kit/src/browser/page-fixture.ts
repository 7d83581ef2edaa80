// A page without a browser, for the tests of this folder: an address, its history, a tab's storage.
// Not part of the package.
import type { Page } from './page.ts'

export interface PageFixture extends Page {
  /** The tab's sessionStorage. */
  readonly stored: Map<string, string>
  /** Addresses of location.replace. */
  readonly navigations: string[]
}

/** `state`: of the history entry, as a reload brings it back. */
export function openPage(
  url: string,
  stored = new Map<string, string>(),
  state: unknown = null,
): PageFixture {
  const navigations: string[] = []
  let entry = structuredClone(state)
  const address = new URL(url)
  const { origin } = address
  return {
    stored,
    navigations,
    location: {
      origin,
      get pathname() {
        return address.pathname
      },
      get search() {
        return address.search
      },
      get hash() {
        return address.hash
      },
      replace: (to: string | URL) => void navigations.push(String(to)),
    },
    history: {
      get state() {
        return entry
      },
      replaceState: (next, _title, to) => {
        entry = structuredClone(next)
        address.href = new URL(to ?? '', address).href
      },
    },
    sessionStorage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
  }
}

/** Opens a page in a browser that blocks third-party storage: any access throws. */
export function openBlockedPage(url: string): Page {
  return Object.defineProperty({ ...openPage(url) }, 'sessionStorage', {
    get: () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  })
}
