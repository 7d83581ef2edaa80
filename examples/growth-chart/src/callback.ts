// Checks a callback before the server sends anything for it: the parameters are present, and this
// browser began the launch. Owns both refusals; the library makes all later checks. Pure.
// Spec §2.2, §7; security R05, R06, R07.
import { hash, timingSafeEqual } from 'node:crypto'
import { Problem } from '@chartside/app-kit/server'
import type { Pending } from './oauth.ts'

export interface Callback {
  readonly launchId: string
  readonly pending: Pending
}

export const writePending = ({ csrf, codeVerifier, nonce }: Pending): string =>
  [csrf, codeVerifier, nonce].join('.')

/**
 * `readPending`: the cookie of a launch, as `writePending` made it; empty when there is none.
 * @throws Problem 400
 */
export function checkCallback(
  query: URLSearchParams,
  readPending: (launchId: string) => string,
): Callback {
  const state = query.get('state')
  if (!state || !(query.get('code') || query.get('error'))) {
    throw refuse('missing_oauth_parameters', 'Missing OAuth parameters')
  }
  const [launchId = ''] = state.split(':')
  const [csrf = '', codeVerifier = '', nonce = ''] = readPending(launchId).split('.')
  // An empty part is never compared: an attacker would not have to guess it.
  const isKnown = [launchId, csrf, codeVerifier, nonce].every((part) => part !== '')
  if (!isKnown || !isSame(state, `${launchId}:${csrf}`)) {
    throw refuse('csrf_validation_failed', 'CSRF validation failed')
  }
  return { launchId, pending: { csrf, codeVerifier, nonce } }
}

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))

const refuse = (error: string, cause: string): Problem =>
  new Problem(400, { error, cause, fix: 'Launch the app again from the panel beside the chart.' })
