// Authenticates the client: HTTP Basic, or client_id and client_secret in the body, never both.
// Parsing is pure; authenticating loads the app with its secrets and compares in constant time.
// Token, introspect and revoke use it. RFC 6749 2.3.1 and 5.2, security T02-T04, K03.
import type { App } from '../apps/app.ts'
import { decideClientSecret } from '../apps/client-secret.ts'
import { updateSecretLastUsed } from '../apps/client-secret-store.ts'
import type { OAuthCall } from '../http/route.ts'
import { OAuthError } from '../kernel/errors.ts'
import type { Reason } from '../kernel/reasons.ts'
import type { Service } from '../service.ts'

/** As metadata names them (RFC 8414). */
export const CLIENT_METHODS = ['client_secret_basic', 'client_secret_post'] as const

export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly method: (typeof CLIENT_METHODS)[number]
}

export interface AuthenticatedClient {
  readonly app: App
  readonly secretId: string
}

/** RFC 9110 15.5.2: a 401 has a challenge. */
export const BASIC_CHALLENGE = { 'www-authenticate': 'Basic realm="chartside", charset="UTF-8"' }

/** @throws OAuthError invalid_request or invalid_client without exactly one method. RFC 6749 5.2 */
export function parseClientCredentials(
  authorization: string | undefined,
  body: { readonly client_id?: string; readonly client_secret?: string },
): ClientCredentials {
  const basic = authorization === undefined ? undefined : parseBasic(authorization)
  if (!basic) {
    const { client_id: clientId, client_secret: clientSecret } = body
    if (clientId === undefined) {
      throw new OAuthError(
        'invalid_client',
        'The request names no client. Send client_id and client_secret from the app’s server, in the body or with HTTP Basic.',
        { headers: BASIC_CHALLENGE },
      )
    }
    if (clientSecret === undefined) {
      throw new OAuthError(
        'invalid_client',
        'The parameter client_secret is missing. Send it from the app’s server, in the body or with HTTP Basic.',
        { reason: 'secret_wrong', headers: BASIC_CHALLENGE },
      )
    }
    return { clientId, clientSecret, method: 'client_secret_post' }
  }
  if (body.client_secret !== undefined) {
    throw new OAuthError(
      'invalid_request',
      'The client authenticates twice: HTTP Basic and client_secret in the body. Use one.',
    )
  }
  if (body.client_id !== undefined && body.client_id !== basic.clientId) {
    throw new OAuthError(
      'invalid_request',
      'client_id in the body differs from the one in HTTP Basic.',
    )
  }
  return basic
}

function parseBasic(authorization: string): ClientCredentials | undefined {
  if (!/^Basic\b/i.test(authorization)) return undefined
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  // RFC 7617 2: an id, a colon, a secret, and no control characters.
  if (colon < 0 || /\p{Cc}/u.test(pair)) {
    throw new OAuthError('invalid_client', 'The Authorization header is not valid HTTP Basic.', {
      headers: BASIC_CHALLENGE,
    })
  }
  return {
    clientId: decodeForm(pair.slice(0, colon)),
    clientSecret: decodeForm(pair.slice(colon + 1)),
    method: 'client_secret_basic',
  }
}

/** RFC 6749 2.3.1 requires form encoding; many clients send raw text. Our values look the same. */
function decodeForm(value: string): string {
  try {
    const decoded = decodeURIComponent(value)
    return decoded.includes('\0') ? value : decoded
  } catch {
    return value
  }
}

/**
 * The app of these credentials. An unknown client and a wrong secret get the same response. Earlier
 * wrong secrets never refuse a right one, so that no caller can lock out a client.
 * @throws OAuthError invalid_client; RequestRefused after too many failures
 */
export async function authenticateClient(
  service: Pick<Service, 'apps' | 'db' | 'limits' | 'log'>,
  credentials: ClientCredentials,
  { address, now }: Pick<OAuthCall, 'address' | 'now'>,
): Promise<AuthenticatedClient> {
  const client = await service.apps.findClient(credentials.clientId)
  const secret = decideClientSecret(client?.secrets, credentials.clientSecret, now)
  if (!client || !secret) {
    // Also for an unknown client: the duration must not show which clients exist.
    const attempt = { address, subject: credentials.clientId }
    await service.limits.count(attempt, now, 'clientSecret', 'clientSecretsOfNetwork')
    throw invalidClient(credentials, client ? 'secret_wrong' : 'client_unknown')
  }
  if (service.apps.shouldRecordUse(secret.id, now)) {
    // Not awaited: a failed write of the last use must not fail the request.
    updateSecretLastUsed(service.db, secret.id, now).catch((error) =>
      service.log.warn({ err: error }, 'could not store the last use of a client secret'),
    )
  }
  return { app: client.app, secretId: secret.id }
}

/** The same answer for each reason; the reason goes to the log and to the owner of the app. */
export function invalidClient(
  { clientId }: Pick<ClientCredentials, 'clientId'>,
  reason: Reason,
): OAuthError {
  const message = clientId.startsWith('app_')
    ? 'client_id holds the app’s id, not its client ID. Use the client ID; it starts with cli_.'
    : 'The client is unknown or its secret is wrong, expired or retired. Check client_id and client_secret, and production against staging.'
  return new OAuthError('invalid_client', message, {
    reason,
    headers: BASIC_CHALLENGE,
  })
}
