// A peer on loopback: the npm package oidc-provider with its own sign-in and consent pages, two
// clients, introspection and revocation. A test may configure it badly. Owns no expectation.
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider'
import type { Places } from './planted-faults.ts'

export const REDIRECT_URI = 'https://first.conformance.example/callback'
const SECRETS = { first: 'a secret of the first client', second: 'a secret of the second client' }

/** Its endpoints. */
export const PEER_PLACES: Places = {
  authorize: '/auth',
  token: '/token',
  userinfo: '/me',
  keys: '/jwks',
  metadata: '/.well-known/openid-configuration',
  introspect: '/token/introspection',
  revoke: '/token/revocation',
}

export interface Peer {
  /** Where it listens. */
  readonly origin: string
  /** The options of a run against it. */
  readonly args: readonly string[]
  stop(): Promise<void>
}

/** @param publicUrl where its callers find it, when that is a proxy */
export async function startPeer(
  changes: Configuration = {},
  clientChanges: Partial<ClientMetadata> = {},
  publicUrl?: string,
): Promise<Peer> {
  const http = createServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port.')
  const origin = `http://localhost:${address.port}`
  const issuer = publicUrl ?? origin
  const client = (id: keyof typeof SECRETS): ClientMetadata => ({
    client_id: id,
    client_secret: SECRETS[id],
    redirect_uris: [REDIRECT_URI],
    response_types: ['code'],
    ...clientChanges,
  })
  const provider = new Provider(issuer, {
    clients: [client('first'), client('second')],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    responseTypes: ['code'],
    pkce: { required: () => false },
    // OpenID Connect Core 3.1.2.1: authorize takes POST, and redirect_uri is required.
    enableHttpPostMethods: true,
    allowOmittingSingleRegisteredRedirectUri: false,
    jwks: { keys: [signingKey()] },
    cookies: { keys: ['a key of the test'], long: { sameSite: 'none' } },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, name: 'A Person', email: 'person@conformance.example' }),
    }),
    features: {
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
    },
    ...changes,
  })
  provider.proxy = publicUrl !== undefined
  http.on('request', provider.callback())
  return {
    origin,
    args: [
      ...['--issuer', issuer, '--client-id', 'first', '--client-secret', SECRETS.first],
      ...['--redirect-uri', REDIRECT_URI],
      ...['--other-client-id', 'second', '--other-client-secret', SECRETS.second],
      ...['--login-script', `${import.meta.dirname}/peer-login.ts`],
      ...['--code-reuse-wait-seconds', '1'],
    ],
    async stop() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

/** For every algorithm of RSA. */
function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', use: 'sig' } as const
}
