// The worker's callback page: checks the answer of authorize, takes the code out of the address,
// lets the SDK fetch the tokens from the registered endpoint, and tells its own backend who is
// there. Holds no token itself. Spec §2.2, §5.2, §7; security R06, R07.
import type { InitServiceSDK } from '@chartside/sdk'

declare const Chartside: { readonly initWorkerServiceSDK: InitServiceSDK }

void watch().catch((error: unknown) => {
  console.error('Coding Watch could not start:', error instanceof Error ? error.message : error)
})

async function watch(): Promise<void> {
  takeCallback()
  // No token is passed: the SDK read the code as it loaded and asks POST /token (spec §5.2).
  const sdk = await Chartside.initWorkerServiceSDK()
  const { idToken } = (await sdk.sessionContext?.getIdToken()) ?? {}
  const response = await fetch('/presence', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id_token: idToken }),
  })
  if (!response.ok) throw new Error(`The backend of Coding Watch answered ${response.status}.`)
}

/** Every check of the callback, before the SDK may spend the code. */
function takeCallback(): void {
  const parameters = new URLSearchParams(location.search)
  history.replaceState(null, '', location.pathname)
  const error = parameters.get('error')
  if (error) throw new Error(`${error}: ${parameters.get('error_description') ?? 'no description'}`)
  const state = parameters.get('state')
  if (!parameters.get('code') || !state) throw new Error('Missing OAuth parameters')
  const colon = state.indexOf(':')
  const key = `coding-watch:${state.slice(0, colon)}`
  const stored = sessionStorage.getItem(key)
  const isOurs = stored !== null && isSameText(stored, state.slice(colon + 1))
  if (!isOurs || (parameters.get('iss') ?? issuer()) !== issuer()) {
    throw new Error('CSRF validation failed')
  }
  sessionStorage.removeItem(key)
}

/** Looks at every character, so the time it takes does not tell where two values differ. */
function isSameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  }
  return difference === 0
}

function issuer(): string | undefined {
  return document.body.dataset.issuer
}
