// The part of its page that the SDK uses: no cookie, no storage, no DOM. `globalThis` fits in a
// browser, a fake in tests. In a server-side render there is no parent, and init fails with
// HOST_NOT_FOUND. Contract §5.
import type { PageTimings } from '@chartside/protocol/handshake'
import type { Address } from './page-code.ts'
import type { DrawnPage } from './paint.ts'

export interface Page extends Address, DrawnPage {
  readonly parent?: Pick<Window, 'postMessage'>
  /** The origin is "null" in a sandbox without allow-same-origin, whatever the address says. */
  readonly origin?: string
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  fetch(url: string, init: RequestInit): Promise<Response>
  readonly performance?: Pick<Performance, 'getEntriesByType' | 'now'>
}

export interface Log {
  /** One readable line, only with `debug: true`. Never given a token or a code. */
  debug(line: string): void
  warn(line: string): void
}

export const openLog = (debug: boolean): Log => ({
  debug: (line) => {
    if (debug) console.info(`[Chartside] ${line}`)
  },
  warn: (line) => console.warn(`[Chartside] ${line}`),
})

/** Returns the milliseconds of the page since its navigation; null where the browser does not say. */
export function measurePage({ performance }: Page): PageTimings | null {
  try {
    const clock = performance as Performance
    const [entry] = clock.getEntriesByType('navigation') as [PerformanceNavigationTiming]
    const { responseStart, responseEnd, domContentLoadedEventEnd } = entry
    const timings = {
      responseStartMs: Math.round(responseStart),
      responseEndMs: Math.round(responseEnd),
      domContentLoadedMs: Math.round(domContentLoadedEventEnd),
      helloMs: Math.round(clock.now()),
    }
    // The host checks them again; not a number is not at least 0.
    return Object.values(timings).every((ms) => ms >= 0) ? timings : null
  } catch {
    // One of them is not there.
    return null
  }
}
