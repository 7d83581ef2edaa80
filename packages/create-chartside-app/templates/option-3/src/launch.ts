// How a launch becomes a session, option 3: the provider has made the exchange. Its ticket says who
// signed in; the platform token, read from its management API, says for which launch. The browser
// never talks to that API. Spec §5.3 rules 3 and 4, §5.6.
import { createPlatformTokenReader, type Sessions } from '@chartside/app-kit/server'
import type { Routes } from './app.ts'
import { redeemTicket, whoIs } from './people.ts'
import { Problem } from './problem.ts'
import { readJson, requireText } from './requests.ts'
import type { Settings } from './settings.ts'

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
      const fields = await readJson(request)
      const ticket = requireText(fields, 'ticket')
      const launchId = requireText(fields, 'launch_id')
      const { accessToken } = await platformTokens.read(await redeemTicket(providerApi, ticket))
      const identity = await whoIs(baseUrl, accessToken)
      if (identity.launchId !== launchId) {
        const cause = 'The provider holds the token of another launch.'
        const fix = 'Another tab signed in at the same time. Launch the app again.'
        throw new Problem(409, 'launch_mismatch', cause, fix)
      }
      log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
      const session = await sessions.start(identity)
      return session.respond({ access_token: accessToken })
    },
  }
}
