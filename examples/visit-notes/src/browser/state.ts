// `state` of the authorize request: `<launch_id>:<csrf>`, made on the launch page and checked on the
// callback page. Owns the stored CSRF value (per tab, keyed by launch) and its removal.
// Spec §2.2; security R05, R06.

/** 256 bits, well over the 128 that a guesser must not reach. */
const CSRF_BYTES = 32

const storageKey = (launchId: string): string => `visit-notes:csrf:${launchId}`

export function beginState(launchId: string, storage: Storage): string {
  const csrf = base64url(crypto.getRandomValues(new Uint8Array(CSRF_BYTES)))
  storage.setItem(storageKey(launchId), csrf)
  return `${launchId}:${csrf}`
}

/** True when this tab made `state`. The stored value works once. */
export function redeemState(state: string, storage: Storage): boolean {
  const colon = state.indexOf(':')
  if (colon < 1) return false
  const key = storageKey(state.slice(0, colon))
  const stored = storage.getItem(key)
  if (stored === null || !isSameText(stored, state.slice(colon + 1))) return false
  storage.removeItem(key)
  return true
}

/** Looks at every character, so the time it takes does not tell where two values differ. */
function isSameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  }
  return difference === 0
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
