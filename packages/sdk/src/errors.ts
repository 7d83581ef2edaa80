// The one error class an app meets. `code` comes from the closed list of contract §5 and spec §7;
// `message` names the likely cause and what to do about it, and never holds a token or a code.
// The package's loader and the served script are two bundles in one page and still have one class:
// whichever runs first leaves it where the other finds it, so `instanceof` holds for both.
import type { ServiceSDKErrorCode } from '@chartside/protocol/handshake'

class PageError extends Error {
  override readonly name = 'ServiceSDKError'
  readonly code: ServiceSDKErrorCode

  constructor(code: ServiceSDKErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

const PLACE = Symbol.for('chartside.ServiceSDKError')
const page = globalThis as { [PLACE]?: typeof PageError }
page[PLACE] ??= PageError

export type ServiceSDKError = PageError
export const ServiceSDKError: typeof PageError = page[PLACE]
