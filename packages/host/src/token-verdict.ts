// Decides whether the host accepts the token that an app presents. Pure: only the service's
// introspection counts. Contract §5 step 5; security X03, L05.
import type { FailureFields, ServiceSDKErrorCode } from '@chartside/protocol/handshake'
import type { Introspection } from './service.ts'

export type TokenVerdict =
  | { readonly accepted: true; readonly expiresAt: number | null }
  | ({ readonly accepted: false } & FailureFields)

export function decideToken(
  token: Pick<Introspection, 'active' | 'launchId' | 'expiresAt'>,
  launchId: string,
): TokenVerdict {
  if (!token.active) {
    return refuse(
      'TOKEN_REJECTED',
      'The service does not know this access token as live. Likely causes: it has expired or was ' +
        'revoked; its code was redeemed twice; it comes from another environment (production or ' +
        'staging); an ID token was passed in its place.',
      'Compare client ID and base URL with the environment, exchange each code once, then launch ' +
        'again: a new launch gives a new token.',
    )
  }
  if (token.launchId !== launchId) {
    return refuse(
      'LAUNCH_MISMATCH',
      'The access token belongs to another launch than this frame. Likely cause: the app keeps ' +
        'one token for all its tabs.',
      'Keep it per launch_id, and exchange the code of this launch.',
    )
  }
  return { accepted: true, expiresAt: token.expiresAt }
}

const refuse = (code: ServiceSDKErrorCode, message: string, fix: string): TokenVerdict => ({
  accepted: false,
  code,
  message,
  fix,
})
