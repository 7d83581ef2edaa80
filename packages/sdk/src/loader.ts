// The npm package's part of the SDK: adds the served script to the page, once, and calls its init.
// It knows no hosts and no tokens: the script does, which the service keeps current. Owns the
// script element. Each failure is HOST_NOT_FOUND with its cause. Contract §5, spec §5.5; security
// H06, X08.
import { INIT_MARK } from '@chartside/protocol/failure-report'
import { ServiceSDKError } from './errors.ts'
import type { InitOptions, ServiceSDK } from './init.ts'
import { createFailureReporter, reportError } from './launch-failure.ts'
import { memoizeInFlight } from './memoize-in-flight.ts'
import type { Page } from './page.ts'
import { type Address, readCode } from './page-code.ts'
import type { Chartside } from './served.ts'
import { readLimits, waitFor } from './wait.ts'

/**
 * The options of init, and the place of the script: `baseUrl` or `src`. Neither is needed when the page has
 * the script by a tag of its own; one that may still be loading carries the attribute `data-chartside`.
 */
export interface LoadOptions extends InitOptions {
  /** The base address of the service: its newest 1.x script is loaded, from `{baseUrl}/sdk/v1/sdk.js`. */
  readonly baseUrl?: string | undefined
  /** Address of the script itself, such as `url` of `{baseUrl}/sdk/manifest.json`. */
  readonly src?: string | undefined
  /** The Subresource Integrity of `src`, such as `integrity` of the manifest. */
  readonly integrity?: string | undefined
  /** The nonce of the page's Content-Security-Policy. Default: that of the page's first script with one. */
  readonly nonce?: string | undefined
}

export type LoadAndInit = (options?: LoadOptions) => Promise<ServiceSDK>

/** The part of the page that the loader uses. A server has none of it. */
export interface LoaderPage extends Address, Pick<Page, 'parent'> {
  readonly document?: Document
  readonly Chartside?: Chartside
}

export function createLoader(page: LoaderPage): LoadAndInit {
  // A page may remove the code from its address before the script has loaded.
  const codeAtImport = readCode(page)
  const report = createFailureReporter(page)
  const start = memoizeInFlight((options: LoadOptions) => {
    const callInit = ({ initServiceSDK }: Chartside) =>
      initServiceSDK({ ...options, code: options.code ?? readCode(page) ?? codeAtImport })
    const present = findScript(page)
    if (present) return callInit(present)
    const loaded = loadScript(page, options).catch((error) => reportError(report, error))
    return loaded.then(callInit)
  })
  return (options) => {
    Object.assign(page, { [INIT_MARK]: true })
    return start(options ?? {})
  }
}

async function loadScript(page: LoaderPage, options: LoadOptions): Promise<Chartside> {
  const { document } = page
  const { baseUrl = '', integrity = '', nonce } = options
  const limits = readLimits(options)
  const src = options.src ?? (baseUrl && `${baseUrl.replace(/\/+$/, '')}/sdk/v1/sdk.js`)
  if (!document) {
    throw notFound('There is no page here.', 'Call init in the browser, not on a server.')
  }
  const tag = document.querySelector<HTMLScriptElement>('script[data-chartside]')
  if (!tag && !src) {
    throw notFound(
      'The SDK script has no address.',
      'Pass baseUrl, the address of the service, or add the SDK script.',
    )
  }
  const script = tag ?? document.createElement('script')
  let isBlocked = false
  const onViolation = ({ blockedURI }: SecurityPolicyViolationEvent) => {
    isBlocked ||= blockedURI !== '' && script.src.startsWith(blockedURI)
  }
  try {
    const late = () =>
      notFound(
        `The SDK script ${script.src} did not load within ${limits.ms / 1000} s.`,
        'Check that the service runs.',
      )
    await waitFor<void>(limits, late, (resolve, reject, settled) => {
      script.addEventListener('load', () => resolve())
      script.addEventListener('error', () => reject(notLoaded(script.src, isBlocked)))
      // The browser reports a block before the error of the script.
      document.addEventListener('securitypolicyviolation', onViolation, { signal: settled })
      if (tag) return
      script.dataset.chartside = ''
      script.crossOrigin = 'anonymous'
      script.integrity = integrity
      script.nonce = nonce ?? document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''
      script.src = src
      document.head.append(script)
    })
    const present = findScript(page)
    if (present) return present
    throw notFound(`${script.src} loaded, but it is not the SDK script.`, CHECK_ADDRESS)
  } catch (error) {
    const aborted = limits.signal?.aborted
    // Removed before the next attempt. A tag of the page's own may still load for it.
    if (!tag || !aborted) script.remove()
    throw aborted || error instanceof ServiceSDKError
      ? error
      : notFound(String(error), 'Use a script tag.')
  }
}

/** An element with the id "Chartside" shows as window.Chartside too, and is not the SDK. */
const findScript = ({ Chartside }: LoaderPage) =>
  typeof Chartside?.initServiceSDK === 'function' ? Chartside : undefined

const notFound = (cause: string, fix: string) => new ServiceSDKError('HOST_NOT_FOUND', cause, fix)

const CHECK_ADDRESS =
  "Check its address, the page's script-src, and integrity against /sdk/manifest.json."

const notLoaded = (src: string, isBlocked: boolean) =>
  isBlocked
    ? notFound(
        `The page's Content-Security-Policy blocked the SDK script ${src}.`,
        `Allow ${new URL(src).origin} in script-src, or pass the nonce of the policy.`,
      )
    : notFound(`The SDK script ${src} did not load.`, CHECK_ADDRESS)
