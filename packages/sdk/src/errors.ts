// The error class of the SDK. `code` comes from the closed list of contract §5 and spec §7; `cause`
// is the text of the likely cause, `fix` says what to do about it, and `message` is both. None holds
// a token or a code. The loader and the served script are two bundles in one page with one class:
// the first one registers it under a global symbol, so `instanceof` holds for both.
import type { ServiceSDKErrorCode } from '@chartside/protocol/handshake'

export const LAUNCH_AGAIN = 'Launch the app again from the side panel.'

class PageError extends Error {
  override readonly name = 'ServiceSDKError'
  readonly code: ServiceSDKErrorCode
  /** A sentence, not the error behind this one. */
  override readonly cause: string
  readonly fix: string

  /** `cause` without `fix` is the text of an earlier host, which may name its fix itself. */
  constructor(code: ServiceSDKErrorCode, cause: string, fix?: string) {
    super(fix ? `${cause} ${fix}` : cause)
    this.code = code
    this.cause = cause
    this.fix = fix ?? LAUNCH_AGAIN
  }
}

const PLACE = Symbol.for('chartside.ServiceSDKError')
const page = globalThis as { [PLACE]?: typeof PageError }
page[PLACE] ??= PageError

export type ServiceSDKError = PageError
/** The class by name: written out, its type would list what Node.js adds to the constructor of errors. */
export type ServiceSDKErrorClass = new (
  ...values: ConstructorParameters<typeof PageError>
) => PageError
/**
 * The error with which the SDK rejects: `code` from a closed list, `cause` as a sentence, and `fix`. The
 * class exists once for a page. The constructor never throws. Spec §7; contract §5.
 * @example if (error instanceof ServiceSDKError && error.code === 'HOST_NOT_FOUND') showOpenFromPanel()
 */
export const ServiceSDKError: ServiceSDKErrorClass = page[PLACE]
