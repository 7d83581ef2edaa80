// How a launch becomes a session, option 3: the provider has made the exchange. Its ticket
// identifies the user; the platform token, read from its management API, identifies the launch. The
// identity waits a minute, once, for the page whose SDK is ready. Spec §5.3 rules 3 and 4, §5.6.
import {
  createPendingIdentities,
  createPlatformTokenReader,
  readJson,
  type Sessions,
} from '@chartside/app-kit/server'
import type { Routes } from './app.ts'
import { requireText } from './fields.ts'
import { Problem } from './problem.ts'
import type { Settings } from './settings.ts'
import { fetchUserInfo, redeemTicket } from './user-info.ts'

interface LaunchOptions {
  readonly settings: Settings
  readonly sessions: Sessions
  readonly log: (line: string) => void
}

export function createLaunch({ settings, sessions, log }: LaunchOptions): Routes {
  const { baseUrl, providerApi, managementToken } = settings
  const platformTokens = createPlatformTokenReader({
    managementUrl: providerApi,
    managementToken,
    connection: 'chartside',
  })
  /** Under a secret of the browser that began the launch. */
  const pending = createPendingIdentities()
  return {
    'POST /api/exchange': async (request) => {
      const body = await readJson(request)
      const ticket = requireText(body, 'ticket')
      const launchId = requireText(body, 'launch_id')
      const proof = requireText(body, 'proof')
      const { accessToken } = await platformTokens.read(await redeemTicket(providerApi, ticket))
      const identity = await fetchUserInfo(baseUrl, accessToken)
      // The provider keeps one pair of tokens per user: those of the last sign-in.
      if (identity.launchId !== launchId) {
        throw new Problem(409, {
          error: 'launch_mismatch',
          cause: 'The provider holds the token of another launch.',
          fix: 'Another tab signed in at the same time. Launch the app again.',
        })
      }
      if (!(await pending.add(proof, identity))) {
        throw new Problem(400, {
          error: 'invalid_request',
          cause: 'The proof of the browser is not one of takeLaunch(), or was used.',
          fix: 'Send the proof of takeLaunch(), then launch the app again.',
        })
      }
      return Response.json({ access_token: accessToken })
    },

    'POST /api/session': async (request) => {
      const identity = await pending.redeem(requireText(await readJson(request), 'proof'))
      if (!identity) {
        throw new Problem(401, {
          error: 'launch_not_pending',
          cause: 'No exchange of this browser waits for its session: it waits a minute, once.',
          fix: 'Launch the app again.',
        })
      }
      const session = await sessions.start(identity, request)
      log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
      return session.respond()
    },
  }
}
