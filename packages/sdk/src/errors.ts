// The error class of the SDK. `code` comes from the closed list of contract §5 and spec §7;
// `message` names the likely cause and the fix, and never holds a token or a code. The loader and
// the served script are two bundles in one page with one class: the first one registers it under a
// global symbol, so `instanceof` holds for both.
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
