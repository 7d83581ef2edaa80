// How a launch becomes a session, option 1: this server exchanges the code, verifies the ID token
// and starts the app's own session, in this order. The secret never leaves this server. Spec §5.1,
// §5.4, §5.6.
import { createAppKit, readJson, type Sessions } from '@chartside/app-kit/server'
import type { Routes } from './app.ts'
import { requireText } from './fields.ts'
import type { Settings } from './settings.ts'

interface LaunchOptions {
  readonly settings: Settings
  readonly sessions: Sessions
  readonly log: (line: string) => void
}

export function createLaunch({ settings, sessions, log }: LaunchOptions): Routes {
  const { baseUrl, tokenUrl, clientId, clientSecret, publicUrl } = settings
  const kit = createAppKit({ baseUrl, tokenUrl, clientId, clientSecret })
  const redirectUri = `${publicUrl}/callback`
  return {
    'POST /api/session': async (request) => {
      const body = await readJson(request)
      const code = requireText(body, 'code')
      const codeVerifier = requireText(body, 'code_verifier')
      const { accessToken, idToken } = await kit.exchange(code, { codeVerifier, redirectUri })
      const identity = await kit.verifyIdToken(idToken)
      log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
      const session = await sessions.start(identity)
      return session.respond({ access_token: accessToken, id_token: idToken })
    },
  }
}
