// How a launch becomes a session, option 2: the registered token endpoint exchanges the code for
// the SDK; the page then presents the ID token, which is verified and starts one session. The
// secret never leaves this server. Spec §4.3, §5.2, §5.4, §5.6.
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
  const allowedOrigins = [publicUrl]
  const kit = createAppKit({ baseUrl, tokenUrl, clientId, clientSecret, allowedOrigins, log })
  return {
    'POST /token': kit.handleTokenRequest,

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
