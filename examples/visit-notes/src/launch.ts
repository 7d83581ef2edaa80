// How a launch becomes a session, option 1: this server exchanges the code for the page's SDK; once
// that is ready the page presents the ID token, which is verified and starts one session. Nothing is
// kept in between. The secret never leaves this server. Spec §5.1, §5.4, §5.6.
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
    'POST /api/exchange': async (request) => {
      const body = await readJson(request)
      const code = requireText(body, 'code')
      const codeVerifier = requireText(body, 'code_verifier')
      const { accessToken, idToken } = await kit.exchange(code, { codeVerifier, redirectUri })
      return Response.json({ access_token: accessToken, id_token: idToken })
    },

    'POST /api/session': async (request) => {
      const body = await readJson(request)
      const idToken = requireText(body, 'id_token')
      const nonceProof = requireText(body, 'nonce_proof')
      const identity = await kit.verifyIdToken(idToken, { nonceProof })
      const session = await sessions.start(identity, request)
      log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
      return session.respond()
    },
  }
}
