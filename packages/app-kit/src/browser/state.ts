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

const storageKey = (launchId: string): string => `chartside:launch:${launchId}`

function withStorage<T>(page: Page, use: (storage: Page['sessionStorage']) => T): T {
  try {
    return use(page.sessionStorage)
  } catch (cause) {
    throw new AppKitError('storage_unavailable', 'The browser keeps nothing for this tab.', {
      fix: 'Allow this site to store data (sessionStorage) in the panel, then launch the app again.',
      cause,
    })
  }
}

function parseStored(json: string | null): StoredLaunch | undefined {
  if (json === null) return undefined
  try {
    const { csrf, issuer, codeVerifier } = JSON.parse(json)
    if (typeof csrf !== 'string' || csrf === '' || typeof issuer !== 'string') return undefined
    return typeof codeVerifier === 'string' ? { csrf, issuer, codeVerifier } : { csrf, issuer }
  } catch {
    return undefined
  }
}

/** Constant time: compares every character, so the time does not depend on the difference. */
function isSameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  }
  return difference === 0
}

/** RFC 7636 4.2: the S256 challenge of a verifier. */
export async function buildCodeChallenge(codeVerifier: string): Promise<string> {
  if (!crypto.subtle) {
    throw new AppKitError('crypto_unavailable', 'PKCE needs Web Crypto, which this page lacks.', {
      fix: `Serve the app over https, or from localhost. ${LAUNCH_AGAIN}`,
    })
  }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  return encodeBase64url(new Uint8Array(digest))
}

function encodeBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
