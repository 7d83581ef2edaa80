// The one error class an app meets. `code` comes from the closed list of contract §5 and spec §7;
// `message` names the likely cause and what to do about it, and never holds a token or a code.
import type { ServiceSDKErrorCode } from '@chartside/protocol/handshake'

export class ServiceSDKError extends Error {
  override readonly name = 'ServiceSDKError'
  readonly code: ServiceSDKErrorCode

  constructor(code: ServiceSDKErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
