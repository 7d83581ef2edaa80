// An app's server that verifies every ID token with an independent library (jose) and a cached key
// set; it fetches the keys again only for an unknown key. Imports no code of the service. OpenID
// Connect Core 3.1.3.7.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'

export interface Expected {
  readonly audience: string
  readonly launchId: string
}

export interface RelyingParty {
  /** Gives the kid. @throws Error that says why the token cannot be trusted. */
  verify(idToken: string, expected: Expected): Promise<string>
  readonly counts: { readonly fetches: number }
}

/** The node may be killed meanwhile, so the fetch is repeated. */
const MAX_FETCHES = 40

/** `keysUrl`: the node that gives the keys; by default the one that the balancer chooses. */
export function openRelyingParty(baseUrl: string, keysUrl = baseUrl): RelyingParty {
  const issuer = `${baseUrl}/app-auth`
  const counts = { fetches: 0 }
  let keys = fetchKeys()

  async function fetchKeys() {
    counts.fetches += 1
    for (let tries = 1; ; tries++) {
      try {
        const answer = await fetch(`${keysUrl}/app-auth/.well-known/jwks.json`)
        if (answer.ok) return createLocalJWKSet((await answer.json()) as JSONWebKeySet)
      } catch (error) {
        if (tries === MAX_FETCHES) throw error
      }
      await sleep(50)
    }
  }

  return {
    counts,
    async verify(idToken, { audience, launchId }) {
      const rules = { issuer, audience, algorithms: ['RS256'] }
      const known = keys
      const { payload } = await jwtVerify(idToken, await known, rules).catch(async (error) => {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // Of many tokens with a new key, only the first fetches the key set.
        if (keys === known) keys = fetchKeys()
        return jwtVerify(idToken, await keys, rules)
      })
      if (payload.launch_id !== launchId) throw new Error('the ID token is for another launch')
      return decodeProtectedHeader(idToken).kid ?? ''
    },
  }
}
