// The better-auth part of the provider: the connection to Chartside with the settings of a hosted
// provider's console, one-time tickets, and cookies that work in a panel. In memory.
import type { ProviderAppSettings } from '@chartside/app-kit/server'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { oneTimeToken } from 'better-auth/plugins/one-time-token'

export interface AuthOptions {
  readonly settings: ProviderAppSettings
  readonly clientId: string
  readonly clientSecret: string
  readonly tokenUrl: string
  readonly log: (line: string) => void
}

/** The connection "chartside"; its callback is `{provider}/api/auth/callback/chartside`. */
export function createAuth({ settings, clientId, clientSecret, tokenUrl, log }: AuthOptions) {
  return betterAuth({
    baseURL: settings.providerUrl,
    secret: settings.managementToken,
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: 'chartside',
            clientId,
            clientSecret,
            discoveryUrl: `${settings.baseUrl}/app-auth/.well-known/openid-configuration`,
            tokenUrl,
            scopes: ['launch', 'openid', 'profile', 'email'],
            requireIdTokenVerification: true,
          },
        ],
      }),
      // Issued on the provider's own page and redeemed by the app's server, which needs no cookie.
      oneTimeToken({
        disableClientRequest: true,
        disableSetSessionCookie: true,
        storeToken: 'hashed',
      }),
    ],
    // Inside the panel the provider is a third party: the browser sends only such cookies.
    advanced: {
      cookiePrefix: 'provider',
      useSecureCookies: true,
      defaultCookieAttributes: { sameSite: 'none', secure: true, partitioned: true },
    },
    // The default error page of better-auth names no fix.
    onAPIError: { errorURL: `${settings.providerUrl}/failed` },
    logger: { log: (level, message) => level === 'error' && log(`failed: ${message}`) },
    telemetry: { enabled: false },
  })
}
