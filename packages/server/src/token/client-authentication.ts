// Authenticates the client: HTTP Basic, client_id and client_secret in the body, or a signed assertion, one of
// the three and never two. Parsing is pure; authenticating loads the app with its secrets and keys, and takes
// the same time for an unknown client. Token, introspect and revoke use it. RFC 6749 2.3.1 and 5.2, RFC 7523,
// security T02-T04, K03, P08.

import type { App } from '../apps/app.ts'
import type { HasApps } from '../apps/app-directory.ts'
import { decideClientSecret } from '../apps/client-secret.ts'
import { updateSecretLastUsed } from '../apps/client-secret-store.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { OAuthCall } from '../http/call.ts'
import { OAuthError } from '../kernel/errors.ts'
import type { HasLog } from '../kernel/log.ts'
import type { Reason } from '../kernel/reasons.ts'
import { redeemJwt } from '../keys/used-jwt-store.ts'
import {
  ASSERTION_TYPE,
  type AssertionProblem,
  assertionEndsAt,
  type ClientAssertion,
  clientOfAssertion,
  findClaimsProblem,
  isSignedBy,
  readAssertion,
} from './client-assertion.ts'

type Parts = HasApps & HasConfig & HasDatabase & HasRateLimits & HasLog

export type AuthenticationParts = Parts

export interface SecretCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly method: 'client_secret_basic' | 'client_secret_post'
}

export interface AssertionCredentials {
  readonly clientId: string
  readonly assertion: ClientAssertion
  readonly method: 'private_key_jwt'
}

/** The methods as metadata names them (RFC 8414). */
export type ClientCredentials = SecretCredentials | AssertionCredentials

export interface AuthenticatedClient {
  readonly app: App
  /** The secret; undefined when a key authenticated the client. */
  readonly secretId: string | undefined
}

interface SentCredentials {
  readonly client_id?: string
  readonly client_secret?: string
  readonly client_assertion?: string
  readonly client_assertion_type?: string
}

/** The header is the challenge that a 401 has (RFC 9110 15.5.2). */
export const BASIC_CHALLENGE = { 'www-authenticate': 'Basic realm="chartside", charset="UTF-8"' }

/** @throws OAuthError invalid_request or invalid_client without exactly one method. RFC 6749 5.2 */
export function parseClientCredentials(
  authorization: string | undefined,
  body: SentCredentials,
): ClientCredentials {
  if (body.client_assertion !== undefined || body.client_assertion_type !== undefined) {
    return parseAssertionCredentials(authorization, body)
  }
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

function parseAssertionCredentials(
  authorization: string | undefined,
  { client_assertion_type: type, client_assertion: text, ...body }: SentCredentials,
): AssertionCredentials {
  if (body.client_secret !== undefined || /^Basic\b/i.test(authorization ?? '')) {
    throw new OAuthError(
      'invalid_request',
      'The client authenticates twice: client_assertion and a client secret. Use one.',
    )
  }
  if (type !== ASSERTION_TYPE || text === undefined) {
    throw refusedAssertion({
      reason: 'assertion_malformed',
      message: `Send client_assertion, and client_assertion_type ${ASSERTION_TYPE}.`,
    })
  }
  const assertion = readAssertion(text)
  if ('reason' in assertion) throw refusedAssertion(assertion)
  const clientId = clientOfAssertion(assertion)
  // RFC 7521 4.2: client_id is not needed, and names the same client.
  if (clientId === undefined || (body.client_id ?? clientId) !== clientId) {
    const message = 'sub of client_assertion must be the client ID, and client_id the same one.'
    throw refusedAssertion({ reason: 'assertion_malformed', message })
  }
  return { clientId, assertion, method: 'private_key_jwt' }
}

const refusedAssertion = ({ reason, message }: AssertionProblem): OAuthError =>
  new OAuthError('invalid_client', message, { reason, headers: BASIC_CHALLENGE })

function parseBasic(authorization: string): SecretCredentials | undefined {
  if (!/^Basic\b/i.test(authorization)) return undefined
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  // RFC 7617 2: an id, a colon, a secret, and no control characters.
  const hasControl = /\p{Cc}/u.test(pair)
  if (colon < 0 || hasControl) {
    const what =
      colon >= 0
        ? 'it has a control character, such as a line break at the end of the secret'
        : 'after Basic comes the base64 of client_id:client_secret'
    throw new OAuthError(
      'invalid_client',
      `The Authorization header is not valid HTTP Basic: ${what}.`,
      { headers: BASIC_CHALLENGE },
    )
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
  service: AuthenticationParts,
  credentials: ClientCredentials,
  { address, now }: Pick<OAuthCall, 'address' | 'now'>,
): Promise<AuthenticatedClient> {
  if (credentials.method === 'private_key_jwt') {
    return authenticateByKey(service, credentials, { address, now })
  }
  const client = await service.apps.findClient(credentials.clientId)
  const secret = decideClientSecret(client?.secrets, credentials.clientSecret, now)
  if (!client || !secret) {
    await countFailure(service, credentials, { address, now })
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

/** Counts an unknown client too: the duration must not show which clients exist. */
async function countFailure(
  { limits }: HasRateLimits,
  { clientId }: Pick<ClientCredentials, 'clientId'>,
  { address, now }: Pick<OAuthCall, 'address' | 'now'>,
): Promise<void> {
  const attempt = { address, subject: clientId }
  await limits.count(attempt, now, 'clientSecret', 'clientSecretsOfNetwork')
}

/** The claims, then the signature, then the single use: only what a client has signed uses a jti up. */
async function authenticateByKey(
  service: AuthenticationParts,
  { clientId, assertion }: AssertionCredentials,
  { address, now }: Pick<OAuthCall, 'address' | 'now'>,
): Promise<AuthenticatedClient> {
  const { config, db } = service
  const refuse = async (refusal: OAuthError): Promise<never> => {
    await countFailure(service, { clientId }, { address, now })
    throw refusal
  }
  const audiences = [config.issuerUrl, `${config.baseUrl}/app-auth/token`]
  const problem = findClaimsProblem(assertion, { clientId, audiences, now })
  if (problem) return refuse(refusedAssertion(problem))
  const app = (await service.apps.findClient(clientId))?.app
  if (!isSignedBy(assertion, app?.jwks?.keys) || !app) {
    if (clientId.startsWith('app_')) return refuse(invalidClient({ clientId }, 'client_unknown'))
    return refuse(invalidAssertion(app ? 'assertion_key' : 'client_unknown'))
  }
  const { jti } = assertion.claims
  const use = { signedBy: app.id, jti: String(jti), expiresAt: assertionEndsAt(assertion) }
  if (!(await redeemJwt(db, use))) return refuse(invalidAssertion('assertion_replayed'))
  return { app, secretId: undefined }
}

/** The same answer for an unknown client, a foreign signature and a second use. */
const invalidAssertion = (reason: Reason): OAuthError =>
  refusedAssertion({
    reason,
    message:
      'The client is unknown, or client_assertion is not signed by one of its registered keys, or was used before. Check client_id and kid, and production against staging.',
  })

/** The same answer for each reason; the reason goes to the log and to the owner of the app. */
export function invalidClient(
  { clientId }: Pick<SecretCredentials, 'clientId'>,
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
