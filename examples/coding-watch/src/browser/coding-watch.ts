// The worker's page, which nobody sees: goes to authorize; on the callback checks the answer, lets the
// SDK fetch the tokens from the registered endpoint, and tells its own backend who is there. A
// failure shows in the console and in the host's timeline. Spec §2.2, §5.2, §7.
import { beginLaunch, readCallback } from '@chartside/app-kit/browser'
import { readSettings } from '@chartside/example-app-shell/browser'
import type { InitServiceSDK } from '@chartside/sdk'
import type { PageSettings } from '../pages.ts'

/** The served script is a tag of the callback page, in front of this one. */
declare const Chartside: { readonly initWorkerServiceSDK: InitServiceSDK }

const settings = readSettings<PageSettings>()

const story = location.pathname === '/launch' ? launch() : watch()
story.catch((error: unknown) => {
  console.error('Coding Watch could not start:', error instanceof Error ? error.message : error)
})

async function launch(): Promise<void> {
  await beginLaunch({ ...settings, scope: 'launch openid profile' })
}

async function watch(): Promise<void> {
  // No token is passed: the SDK read the code as it loaded and asks POST /token, once these checks
  // have passed.
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
