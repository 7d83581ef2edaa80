// What the modules need from a service under test, whatever it is: its issuer, clients, and people
// whose browsers can open an authorize request. Interfaces only; chartside-target.ts and
// peer-target.ts implement them.
import type { CryptoKey } from 'jose'
import type { Browser } from './browser.ts'
import type { LogoutReceiver } from './logout-receiver.ts'

/** The key with which a client signs for itself; its public half is registered. */
export interface ClientKey {
  readonly alg: 'ES256'
  readonly kid: string
  readonly privateKey: CryptoKey
}

export interface Client {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
  /** A second registered redirect URI, which has a query. */
  readonly redirectUriWithQuery?: string
  /** The name that the target's API has for the client. */
  readonly appId?: string
  readonly key?: ClientKey
  /** The algorithm that it registered for its ID tokens; RS256 when absent. */
  readonly idTokenSignedResponseAlg?: 'ES256'
}

/** One person and their browser. */
export interface UserAgent {
  readonly browser: Browser
  /** Gives what an authorize request needs beside the standard parameters: a fresh launch, or nothing. */
  prepare(client: Client): Promise<Preparation>
  signOut(): Promise<void>
}

export interface Preparation {
  readonly parameters: Readonly<Record<string, string>>
  /** The registered Launch URL as the host would open it. */
  readonly launchUrl?: string
}

export interface Target {
  readonly kind: 'chartside' | 'peer'
  readonly issuer: string
  readonly client: Client
  /** Another confidential client of the same service, when there is one; at Chartside a SMART app. */
  readonly otherClient: Client | undefined
  /** Every authorize request has these scopes. */
  readonly scopes: readonly string[]
  /** `isSeparate`: a sign-in that this module may end. */
  newUserAgent(options?: { isSeparate?: boolean }): Promise<UserAgent>
  /** Takes the logout tokens of the client, where the service reaches this machine. */
  readonly logoutReceiver: LogoutReceiver | undefined
  /** Removes what the run registered. */
  close(): Promise<void>
}

/** The members of the metadata that the modules read; all may be absent in a faulty document. */
export interface Metadata {
  readonly issuer?: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly jwks_uri: string
  readonly userinfo_endpoint?: string
  readonly introspection_endpoint?: string
  readonly revocation_endpoint?: string
  readonly scopes_supported?: readonly string[]
  readonly code_challenge_methods_supported?: readonly string[]
  readonly grant_types_supported?: readonly string[]
  readonly response_types_supported?: readonly string[]
  readonly token_endpoint_auth_methods_supported?: readonly string[]
  readonly id_token_signing_alg_values_supported?: readonly string[]
  readonly authorization_response_iss_parameter_supported?: boolean
  readonly [name: string]: unknown
}
