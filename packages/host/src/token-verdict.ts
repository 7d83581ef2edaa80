// The host's judgement of a token that an app presents, and of how long it may be used. Pure:
// the introspection is the service's word, and nothing else counts. Contract §5 steps 5-6;
// security X03, L05.
import type { ServiceSDKErrorCode } from '@chartside/protocol/handshake'
import type { Introspection } from './service.ts'

export type TokenVerdict =
  | { readonly accepted: true; readonly expiresAt: number | null }
  | { readonly accepted: false; readonly code: ServiceSDKErrorCode; readonly message: string }

export function judgeToken(token: Introspection, launchId: string): TokenVerdict {
  if (!token.active) {
    return refuse(
      'TOKEN_REJECTED',
      'The service does not know this access token as live. Likely causes: it has expired or was ' +
        'revoked; its code was redeemed twice; it comes from another environment (production or ' +
        'staging); an ID token was passed in its place. A new launch gives a new token.',
    )
  }
  if (token.launchId !== launchId) {
    return refuse(
      'LAUNCH_MISMATCH',
      'The access token belongs to another launch than this frame. Likely cause: the app keeps ' +
        'one token for all its tabs; keep it per launch_id, and exchange the code of this launch.',
    )
  }
  return { accepted: true, expiresAt: token.expiresAt }
}

const refuse = (code: ServiceSDKErrorCode, message: string): TokenVerdict => ({
  accepted: false,
  code,
  message,
})

const WARNING_MS = 60_000

/**
 * When to warn the app and when to launch it again. Null when the end is unknown, or already past
 * by this machine's clock although the service calls the token live: then the service's own word,
 * on the event stream, is waited for.
 */
export function planExpiry(
  expiresAt: number | null,
  now: number,
): { readonly warnInMs: number; readonly endInMs: number } | null {
  if (expiresAt === null || expiresAt <= now) return null
  const endInMs = expiresAt - now
  return { warnInMs: Math.max(endInMs - WARNING_MS, 0), endInMs }
}
