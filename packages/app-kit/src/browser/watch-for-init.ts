// Between a checked callback and the init of the SDK nothing else speaks for the page: reports to the
// host at once when a script of the page fails there, and after eight seconds that the SDK was never
// called. The SDK marks its call on the page. Contract §5.
import { INIT_MARK } from '@chartside/protocol/failure-report'
import { listWaiting } from './own-server.ts'
import type { Page } from './page.ts'
import { report } from './report-failure.ts'

/** The wait; it ends before the host stops waiting for a hello (ten seconds). */
const WAIT_MS = 8_000

export function watchForInit(page: Page): void {
  const { addEventListener: listen, removeEventListener: unlisten } = page
  if (!listen || !unlisten) return
  const stop = () => {
    clearTimeout(timer)
    unlisten.call(page, 'error', onError)
    unlisten.call(page, 'unhandledrejection', onError)
  }
  const fail = (message: string) => {
    if (!isInitCalled(page)) {
      const fix = 'Call initServiceSDK on the callback page, after the exchange.'
      report(page, { code: 'init_not_called', message, fix })
    }
    stop()
  }
  const onError = (event: Event) => {
    const { message, reason } = event as Partial<ErrorEvent & PromiseRejectionEvent>
    const text = message ?? (reason instanceof Error ? reason.message : String(reason))
    // The kit has reported its own errors already, with their codes.
    if (typeof (reason as { code?: unknown } | undefined)?.code === 'string') return
    fail(`A script of the page failed before it called initServiceSDK: ${text}`)
  }
  const timer = setTimeout(() => {
    const seconds = WAIT_MS / 1000
    const requests = listWaiting(page).join(', ')
    fail(
      requests
        ? `The app's server has not answered ${requests} for ${seconds} s, so the page has not called initServiceSDK.`
        : `The callback was accepted ${seconds} s ago, and the page has not called initServiceSDK.`,
    )
  }, WAIT_MS)
  // In Node, where apps are tested, the timer must not keep the process alive.
  ;(timer as unknown as { unref?(): void }).unref?.()
  listen.call(page, 'error', onError)
  listen.call(page, 'unhandledrejection', onError)
}

/** True when init was called, or the page has reported why it did not come to init. */
const isInitCalled = (page: Page): boolean =>
  (page as { readonly [INIT_MARK]?: unknown })[INIT_MARK] === true
