// Any OpenID provider under test: registered clients are given, and a login script answers the pages
// between authorize and the redirect. It has no launches. OpenID Connect Core 3.1.
import { Browser, type LoginScript } from './browser.ts'
import type { Client, Target } from './target.ts'

export interface PeerOptions {
  readonly issuer: string
  readonly client: Client
  readonly otherClient: Client | undefined
  readonly login: LoginScript | undefined
}

export function openPeer({ issuer, client, otherClient, login }: PeerOptions): Target {
  return {
    kind: 'peer',
    issuer,
    client,
    otherClient,
    scopes: ['openid'],
    logoutReceiver: undefined,
    async newUserAgent() {
      let browser = new Browser(new URL(issuer).origin, login)
      return {
        get browser() {
          return browser
        },
        prepare: async () => ({ parameters: {} }),
        // A browser without cookies has no sign-in.
        async signOut() {
          browser = new Browser(new URL(issuer).origin)
        },
      }
    },
    close: async () => {},
  }
}
