// How a launch becomes a session, option 3: the provider has made the exchange. Its ticket
// identifies the user; the platform token, read from its management API, identifies the launch. The
// browser never calls that API. Spec §5.3 rules 3 and 4, §5.6.
import { createPlatformTokenReader, readJson, type Sessions } from '@chartside/app-kit/server'
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
  return {
    'POST /api/session': async (request) => {
      const body = await readJson(request)
      const ticket = requireText(body, 'ticket')
      const launchId = requireText(body, 'launch_id')
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
      log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
      const session = await sessions.start(identity)
      return session.respond({ access_token: accessToken })
    },
  }
}
