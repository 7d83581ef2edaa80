// The handlers of an issued access token: userinfo (OpenID Connect Core 5.3), introspect (RFC 7662,
// for the app and for the signed-in user of a host) and revoke (RFC 7009). Never tells a caller why
// a token is not live. Contract §2.

import { buildLaunchEvent } from '../audit/launch-event.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, OAuthCall } from '../http/call.ts'
import {
  FORM,
  parametersFromBody,
  parametersFromForm,
  parseParameters,
  type RawParameters,
  refuseSecretsInUrl,
} from '../http/input/parameters.ts'
import { NO_STORE } from '../http/replies.ts'
import { OAuthError } from '../kernel/errors.ts'
import { hashBearer, parseBearer } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { isReached } from '../kernel/user.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import { deriveLaunchId } from '../launches/launch.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import { findPerson } from '../sign-in/caller.ts'
import {
  type AuthenticationParts,
  authenticateClient,
  BASIC_CHALLENGE,
  parseClientCredentials,
} from './client-authentication.ts'
import { buildScopedClaims, hasScope } from './token.ts'
import { type CLAIMS, PRESENTED_TOKEN, type TOKEN_STATE } from './token-schema.ts'
import { findLiveToken, type LiveToken, revokeToken } from './token-store.ts'

export async function userinfo(
  service: HasConfig & HasDatabase & HasKeys,
  call: OAuthCall,
): Promise<Answer<200, typeof CLAIMS>> {
  const token = presentedBearer(call)
  const live = token === undefined ? undefined : await findToken(service, token, call.now)
  if (!live) throw invalidToken(token)
  if (!hasScope(live.scope, 'openid')) throw insufficientScope()
  const { context } = live
  return {
    status: 200,
    headers: NO_STORE,
    body: {
      sub: context.sub,
      ...buildScopedClaims(context, live.scope),
      ...launchClaims(service, live),
    },
  }
}

/** Returns the token of the header or form body, never both and never of the URL (RFC 6750 2, security C12). */
function presentedBearer(call: OAuthCall): string | undefined {
  refuseSecretsInUrl(call.query)
  const [, inHeader] = /^Bearer +(\S+)$/i.exec(call.authorization ?? '') ?? []
  const isForm = call.method === 'POST' && call.contentType.toLowerCase().startsWith(FORM)
  const [inBody, ...more] = isForm ? (parametersFromForm(call.body).get('access_token') ?? []) : []
  if (more.length > 0 || (inHeader !== undefined && inBody !== undefined)) {
    throw new OAuthError('invalid_request', 'The access token was sent more than once.')
  }
  return inHeader ?? (typeof inBody === 'string' && inBody !== '' ? inBody : undefined)
}

function invalidToken(token: string | undefined): OAuthError {
  if (token === undefined) {
    return new OAuthError('invalid_token', 'Send the access token in the Authorization header.', {
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="chartside"' },
    })
  }
  return new OAuthError(
    'invalid_token',
    'The access token is unknown, expired or revoked. Launch the app again for a new token.',
    {
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="chartside", error="invalid_token"' },
    },
  )
}

/** OpenID Connect Core 5.3, RFC 6750 3.1: userinfo is for a token that was asked for with openid. */
const insufficientScope = () =>
  new OAuthError('insufficient_scope', 'Userinfo needs the scope openid: send it to authorize.', {
    status: 403,
    headers: {
      'www-authenticate': 'Bearer realm="chartside", error="insufficient_scope", scope="openid"',
    },
  })

export async function introspect(
  service: AuthenticationParts & HasKeys,
  call: OAuthCall,
): Promise<Answer<200, typeof TOKEN_STATE>> {
  const raw = presentedParameters(call)
  // A host asks when an app presents its token: no activity of a person.
  const caller = await findPerson(service, call.authorization, call.now, { isBackground: true })
  const person = caller && 'user' in caller ? caller : undefined
  const app = person ? undefined : await authenticate(service, call, raw)
  const live = await findToken(service, tokenParameter(raw), call.now)
  // A user sees the tokens of the own launches, an app its own tokens; any other is not active.
  const isOfPerson = (token: LiveToken) =>
    person?.user.id === token.userId && isReached(person, token.context.account.id)
  const isOwn = live && (app ? live.clientId === app.clientId : isOfPerson(live))
  if (!isOwn) return { status: 200, headers: NO_STORE, body: { active: false } }
  return {
    status: 200,
    headers: NO_STORE,
    body: {
      active: true,
      token_type: 'Bearer',
      scope: live.scope,
      client_id: live.clientId,
      iss: service.config.issuerUrl,
      sub: live.context.sub,
      iat: Math.floor(live.issuedAt / 1000),
      exp: Math.floor(live.expiresAt / 1000),
      ...launchClaims(service, live),
    },
  }
}

export async function revoke(
  service: AuthenticationParts & HasRandomness & HasSubscriptions,
  call: OAuthCall,
): Promise<Answer<200>> {
  const raw = presentedParameters(call)
  const app = await authenticate(service, call, raw)
  const token = tokenParameter(raw)
  const launchId = parseBearer('at', 'lau', token)
  if (launchId) {
    const step = { action: 'revoke', actor: app.clientId, target: app.id, launchId } as const
    const event = buildLaunchEvent(service, call, step)
    const sessionId = await revokeToken(service.db, hashBearer(token), app.clientId, event)
    if (sessionId) {
      void service.subscriptions.notify(sessionId, { launchId })
      call.log.info({ launch: launchId, app: app.name }, 'access token revoked by its app')
    }
  }
  // RFC 7009 2.2: the response for an unknown token is the same.
  return { status: 200, headers: { ...NO_STORE, 'content-type': 'application/json' }, body: '{}' }
}

/** An empty body has no parameters; the response is then about the missing authentication. */
function presentedParameters(call: OAuthCall): RawParameters {
  refuseSecretsInUrl(call.query)
  return call.body === '' ? new Map() : parametersFromBody(call.contentType, call.body)
}

async function authenticate(service: AuthenticationParts, call: OAuthCall, raw: RawParameters) {
  const { values, problems } = parseParameters(PRESENTED_TOKEN, raw)
  const [problem] = problems.values()
  if (problem) throw new OAuthError('invalid_request', problem)
  const usesBasic = /^Basic\b/i.test(call.authorization ?? '')
  const hasClient = values.client_id !== undefined || values.client_assertion !== undefined
  if (!usesBasic && !hasClient) {
    throw new OAuthError(
      'invalid_client',
      'Authenticate with client_id and client_secret, or with client_assertion.',
      {
        headers: BASIC_CHALLENGE,
      },
    )
  }
  const credentials = parseClientCredentials(call.authorization, values)
  return (await authenticateClient(service, credentials, call)).app
}

function tokenParameter(raw: RawParameters): string {
  const { values, problems } = parseParameters(PRESENTED_TOKEN, raw)
  const problem = problems.get('token')
  if (problem) throw new OAuthError('invalid_request', problem)
  if (values.token === undefined) {
    throw new OAuthError('invalid_request', 'The parameter token is missing.')
  }
  return values.token
}

async function findToken(
  service: HasConfig & HasDatabase,
  token: string,
  now: number,
): Promise<LiveToken | undefined> {
  const launchId = parseBearer('at', 'lau', token)
  if (!launchId) return undefined
  const cutoff = livenessCutoff(now, service.config.sessionIdleSeconds)
  return findLiveToken(service.db, launchId, hashBearer(token), cutoff)
}

/** The launch context as it was issued (security I03). */
function launchClaims(service: HasKeys, live: LiveToken) {
  const launchId = deriveLaunchId(service.keys.launchKey, {
    id: live.launchId,
    launchHash: live.launchHash,
  })
  const { sid, account, ehr_type, device_id } = live.context
  return { sid, ...(launchId ? { launch_id: launchId } : {}), account, ehr_type, device_id }
}
