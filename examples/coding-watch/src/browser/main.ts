// The worker's page, which stays hidden: redirects to authorize; on the callback checks the
// response, lets the SDK fetch the tokens from the registered endpoint, and reports to its backend
// who is present. A failure shows in the console and in the host's timeline. Spec §2.2, §5.2, §7.
import { beginLaunch, readCallback } from '@chartside/app-kit/browser'
import { readPageSettings } from '@chartside/app-kit/page'
import type { InitServiceSDK } from '@chartside/sdk'

/** The served script is a tag of the callback page, before this one. */
declare const Chartside: { readonly initWorkerServiceSDK: InitServiceSDK }

const page = location.pathname === '/launch' ? launch() : watch()
page.catch((error: unknown) => {
  console.error('Coding Watch could not start:', error instanceof Error ? error.message : error)
})

async function launch(): Promise<void> {
  const { clientId = '', baseUrl, redirectUri = '' } = readPageSettings()
  await beginLaunch({ clientId, baseUrl, redirectUri, scope: 'launch openid profile' })
}

async function watch(): Promise<void> {
  // The SDK read the code as it loaded. After these checks it posts the code to POST /token.
  readCallback()
  const sdk = await Chartside.initWorkerServiceSDK()
  const { idToken } = (await sdk.sessionContext?.getIdToken()) ?? {}
  const response = await fetch('/presence', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id_token: idToken }),
  })
  if (!response.ok) throw new Error(`The backend of Coding Watch answered ${response.status}.`)
}
