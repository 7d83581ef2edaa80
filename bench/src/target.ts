// What the load generator is given about the server that it loads: addresses, clients, and people who are
// signed in. Plain data, because it goes from process to process. Sends nothing.

/** An app of this project's service, with a person who launches it. */
export interface LaunchingPerson {
  readonly sessionToken: string
  readonly sessionId: string
  readonly accountId: string
  readonly deviceId: string
  readonly apps: readonly {
    readonly id: string
    readonly clientId: string
    readonly secret: string
    readonly redirectUri: string
  }[]
}

/** One who can sign in again. */
export interface Provider extends LaunchingPerson {
  readonly email: string
}

/** This project's service. */
export interface ServiceTarget {
  readonly kind: 'service'
  readonly port: number
  readonly people: readonly LaunchingPerson[]
}

/** Another server: an OAuth client of a person who is signed in there by a cookie. */
export interface PeerTarget {
  readonly kind: 'peer'
  readonly port: number
  readonly authorizePath: string
  readonly tokenPath: string
  readonly keysPath: string
  readonly pairs: readonly {
    readonly clientId: string
    readonly secret: string
    readonly redirectUri: string
    readonly cookie: string
  }[]
}

export type Target = ServiceTarget | PeerTarget
