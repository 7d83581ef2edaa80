// `state` of the authorize request, `<launch_id>:<csrf>`: made on the Launch URL, checked once on
// the callback. Owns the stored values of a launch in between (sessionStorage, keyed by launch) and
// their removal; never stores a code or a token. Spec §2.2; security R05, R06.
import { AppKitError, LAUNCH_AGAIN } from './errors.ts'
import type { Page } from './page.ts'

/** 256 bits; 128 would be enough against guessing. */
const CSRF_BYTES = 32

export interface StoredLaunch {
  readonly csrf: string
  /** The issuer that the launch was sent to. */
  readonly issuer: string
  readonly codeVerifier?: string
  /** The nonce of the authorize request is its hash. */
  readonly nonceProof?: string
}

export interface CheckedState {
  readonly launchId: string
  readonly stored: StoredLaunch
}

export function mintRandom(bytes = CSRF_BYTES): string {
  return encodeBase64url(crypto.getRandomValues(new Uint8Array(bytes)))
}

export const buildState = (launchId: string, csrf: string): string => `${launchId}:${csrf}`

/** The later of two launches with one launch_id counts, as at the service. */
export function storeLaunch(page: Page, launchId: string, launch: StoredLaunch): void {
  withStorage(page, (storage) => storage.setItem(storageKey(launchId), JSON.stringify(launch)))
}

/**
 * The stored launch of `state`; undefined when this tab did not make it. Works once: a state that
 * passes is deleted.
 * @throws AppKitError storage_unavailable
 */
export function redeemState(page: Page, state: string): CheckedState | undefined {
  const colon = state.indexOf(':')
  if (colon < 1) return undefined
  const launchId = state.slice(0, colon)
  return withStorage(page, (storage) => {
    const stored = parseStored(storage.getItem(storageKey(launchId)))
    if (!stored || !isSameText(stored.csrf, state.slice(colon + 1))) return undefined
    storage.removeItem(storageKey(launchId))
    return { launchId, stored }
  })
}

/** Returns why `redeemState` found nothing. Quotes no stored value. */
export function explainState(page: Page, state: string): string {
  const colon = state.indexOf(':')
  if (colon < 1) return 'state is not <launch_id>:<csrf>.'
  const stored = withStorage(page, (storage) => storage.getItem(storageKey(state.slice(0, colon))))
  return parseStored(stored)
    ? 'state differs from the value that this tab stored for the launch.'
    : 'this tab stored no value for the launch, or has used it.'
}

const storageKey = (launchId: string): string => `chartside:launch:${launchId}`

/** @throws AppKitError storage_unavailable */
export function withStorage<T>(page: Page, use: (storage: Page['sessionStorage']) => T): T {
  try {
    return use(page.sessionStorage)
  } catch (cause) {
    throw new AppKitError(
      'storage_unavailable',
      'The browser denies this page sessionStorage, which a launch needs for a value of its tab.',
      {
        fix: 'Allow this site to store data in the panel (in Chrome: "third-party cookies"), then launch the app again.',
        cause,
      },
    )
  }
}

function parseStored(json: string | null): StoredLaunch | undefined {
  if (json === null) return undefined
  try {
    const { csrf, issuer, codeVerifier, nonceProof } = JSON.parse(json)
    if (typeof csrf !== 'string' || csrf === '' || typeof issuer !== 'string') return undefined
    return {
      ...{ csrf, issuer },
      ...(typeof codeVerifier === 'string' ? { codeVerifier } : {}),
      ...(typeof nonceProof === 'string' ? { nonceProof } : {}),
    }
  } catch {
    return undefined
  }
}

/** Compares every character in constant time, so the time does not depend on the difference. */
function isSameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  }
  return difference === 0
}

/** Returns SHA-256 in base64url: the S256 challenge of a verifier (RFC 7636 4.2), the nonce of a proof. */
export async function hashText(text: string): Promise<string> {
  if (!crypto.subtle) {
    throw new AppKitError(
      'crypto_unavailable',
      'PKCE and a bound ID token need Web Crypto, which this page lacks.',
      { fix: `Serve the app over https, or from localhost. ${LAUNCH_AGAIN}` },
    )
  }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return encodeBase64url(new Uint8Array(digest))
}

function encodeBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
