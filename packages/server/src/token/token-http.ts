// The handler of the token endpoint: parse, authenticate the client, redeem the code in one atomic
// statement, issue, reply. After the redemption it only computes: a crash then leaves a redeemed
// code and a token that no client has. Spec §4.2, contract §2.

import { type App, isSmart } from '../apps/app.ts'
import type { HasApps } from '../apps/app-directory.ts'
import { buildLaunchEvent } from '../audit/launch-event.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { HasRegionGate } from '../http/admission/region-gate.ts'
import type { Answer, OAuthCall } from '../http/call.ts'
import {
  parametersFromBody,
  parseParameters,
  refuseSecretsInUrl,
} from '../http/input/parameters.ts'
import { NO_STORE } from '../http/replies.ts'
import { OAuthError } from '../kernel/errors.ts'
import { hashBearer, mintBearer, parseBearer } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { REASONS } from '../kernel/reasons.ts'
import { signJws } from '../keys/jws.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import type { SigningKey } from '../keys/signing-key.ts'
import { deriveLaunchId } from '../launches/launch.ts'
import type { HasResponseTimes } from '../launches/response-times.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import {
  type AuthenticatedClient,
  authenticateClient,
  type ClientCredentials,
  invalidClient,
  parseClientCredentials,
} from './client-authentication.ts'
import {
  buildExchangeClient,
  describeAuthentication,
  describeRefused,
  listSentFields,
  recordExchangeFailure,
  usedSecret,
} from './exchange-evidence.ts'
import { refuseMalformedExchange } from './malformed-exchange.ts'
import {
  buildIdTokenClaims,
  challengeOf,
  decideExchangeRefusal,
  hasScope,
  invalidGrant,
} from './token.ts'
import { TOKEN_PARAMETERS, type TOKENS } from './token-schema.ts'
import {
  findCodeFacts,
  invalidateCode,
  type Redeemed,
  redeemCode,
  revokeTokenOfCode,
} from './token-store.ts'

type Parts = HasResponseTimes &
  HasApps &
  HasClock &
  HasConfig &
  HasDatabase &
  HasKeys &
  HasRateLimits &
  HasLog &
  HasMetrics &
  HasRandomness &
  HasRegionGate &
  HasSubscriptions

export async function exchange(
  service: Parts,
  call: OAuthCall,
): Promise<Answer<200, typeof TOKENS>> {
  if (call.isFromPage) await refusePage(service, call)
  const request = await parseExchange(service, call)
  const codeHash = hashBearer(request.code)
  const launchId = parseBearer('code', 'lau', request.code)

  const { credentials, authenticated } = await authenticateExchange(service, call, {
    ...request,
    codeHash,
    launchId,
  })
  const { app, secretId } = authenticated
  if (!app.enabled) {
    if (launchId) await invalidateCode(service.db, launchId, codeHash, app.clientId, call.now)
    throw new OAuthError(
      'unauthorized_client',
      `${REASONS.app_disabled.cause} ${REASONS.app_disabled.fix}`,
      { reason: 'app_disabled' },
    )
  }
  if (!launchId) throw invalidGrant('code_unknown')

  // Before the redemption: a node without a signing key must not invalidate the code.
  const { idTokenSignedResponseAlg: alg } = app
  // Another node may have created the first key of this algorithm a moment ago.
  if (alg !== 'RS256') await service.keys.ensure(alg, call.now)
  const signer = service.keys.signer(alg, call.now)
  const accessToken = mintBearer('at', launchId, service.randomness)
  const client = buildExchangeClient(service, call, credentials, usedSecret(secretId))
  const attempt = { ...request, launchId, codeHash, clientId: app.clientId, now: call.now }
  const redemption = {
    ...attempt,
    challenge: challengeOf(request.codeVerifier),
    tokenHash: hashBearer(accessToken),
    tokenExpiresAt: call.now + lifetimesOf(service, app).accessToken * 1000,
    receivedAt: call.receivedAt,
    answeredAt: service.clock(),
    authorizeAnsweredAt: service.responseTimes.find(launchId, 'authorize'),
    client,
    logoutAfterMs:
      app.backchannelLogoutUri === undefined ? undefined : service.config.sessionIdleSeconds * 1000,
  }
  const step = { action: 'exchange', actor: app.clientId, target: app.id, launchId } as const
  const authentication = describeAuthentication(credentials)
  const event = buildLaunchEvent(service, call, { ...step, ...authentication })
  const result = await redeemCode(service.db, redemption, event)
  if ('redeemed' in result) {
    return issue(service, call, { app, signer, accessToken, redeemed: result.redeemed })
  }

  const facts = 'invalidated' in result ? result.invalidated : result.unchanged
  const reason = decideExchangeRefusal(facts, attempt)
  if (reason === 'code_replayed') {
    await revokeTokenOfCode(service.db, launchId, codeHash, app.clientId, call.now)
  }
  if (facts && reason !== 'code_unknown' && reason !== 'client_mismatch') {
    const { sessionId } = facts
    const { clientId } = app
    const sent = listSentFields(request.values)
    const failure = { clientId, launchId, sessionId, reason, sent, client }
    await recordExchangeFailure(service, call, failure)
  }
  throw invalidGrant(reason)
}

const parametersOf = (call: OAuthCall) =>
  parseParameters(TOKEN_PARAMETERS, parametersFromBody(call.contentType, call.body))

/** Refuses what a browser sent, before a code is spent, and says so on the launch of the code. */
async function refusePage(service: Parts, call: OAuthCall): Promise<never> {
  const reason = 'exchange_from_page'
  const { values } = parametersOf(call)
  const { code } = values
  const launchId = code && parseBearer('code', 'lau', code)
  const facts = launchId ? await findCodeFacts(service.db, launchId) : undefined
  if (code && launchId && facts?.codeHash === hashBearer(code)) {
    const { sessionId, clientId } = facts
    const sent = listSentFields(values)
    await recordExchangeFailure(service, call, { clientId, launchId, sessionId, reason, sent })
  }
  const { cause, fix } = REASONS[reason]
  throw new OAuthError('invalid_request', `${cause} ${fix}`, { reason })
}

/** @throws OAuthError, which is on the launch when the request names its code and its client. */
async function parseExchange(service: Parts, call: OAuthCall) {
  try {
    return readExchange(call)
  } catch (error) {
    return refuseMalformedExchange(service, call, error)
  }
}

function readExchange(call: OAuthCall) {
  refuseSecretsInUrl(call.query)
  const { values, problems } = parametersOf(call)
  const [problem] = problems.values()
  if (problem) throw new OAuthError('invalid_request', problem)
  if (values.grant_type === undefined) {
    throw new OAuthError(
      'invalid_request',
      'The parameter grant_type is missing; it must be authorization_code.',
    )
  }
  if (values.grant_type !== 'authorization_code') {
    throw new OAuthError(
      'unsupported_grant_type',
      'grant_type must be authorization_code. There is no refresh: an expired token needs a new launch.',
    )
  }
  if (values.code === undefined) {
    throw new OAuthError('invalid_request', 'The parameter code is missing.')
  }
  return {
    code: values.code,
    redirectUri: values.redirect_uri,
    codeVerifier: values.code_verifier,
    values,
  }
}

interface Presented {
  readonly values: ReturnType<typeof parametersOf>['values']
  readonly codeHash: string
  readonly launchId: string | undefined
}

/**
 * A failed attempt of its own client invalidates the code, also for a wrong or missing secret or assertion
 * (security C08, V38).
 * @throws OAuthError invalid_client, invalid_request; RequestRefused
 */
async function authenticateExchange(
  service: Parts,
  call: OAuthCall,
  presented: Presented,
): Promise<{ credentials: ClientCredentials; authenticated: AuthenticatedClient }> {
  const { values, codeHash, launchId } = presented
  const credentials = await parseCredentials(service, call, values)
  try {
    return { credentials, authenticated: await authenticateClient(service, credentials, call) }
  } catch (error) {
    if (!launchId || !(error instanceof OAuthError)) throw error
    const { clientId } = credentials
    const sessionId = await invalidateCode(service.db, launchId, codeHash, clientId, call.now)
    if (!sessionId) throw error
    const refused = await describeRefused(service, call, credentials, error)
    const sent = listSentFields(values)
    const failure = { clientId, launchId, sessionId, sent, ...refused }
    await recordExchangeFailure(service, call, failure)
    // The caller has a code of this client, so it may know which secret was refused.
    const hadSecret = credentials.method !== 'private_key_jwt'
    throw hadSecret ? invalidClient(credentials, refused.reason) : error
  }
}

/** @throws OAuthError, which is on the launch when the request names the client of its code. */
async function parseCredentials(
  service: Parts,
  call: OAuthCall,
  values: Presented['values'],
): Promise<ClientCredentials> {
  try {
    return parseClientCredentials(call.authorization, values)
  } catch (error) {
    return refuseMalformedExchange(service, call, error)
  }
}

/** The lifetimes of the app in seconds, at most the present maximum of the platform. [V16] */
const lifetimesOf = ({ config }: HasConfig, app: App) => ({
  accessToken: Math.min(app.accessTokenLifetimeSeconds, config.maxAccessTokenLifetimeSeconds),
  idToken: Math.min(app.idTokenLifetimeSeconds, config.maxIdTokenLifetimeSeconds),
})

interface Issuance {
  readonly app: App
  readonly signer: SigningKey
  readonly accessToken: string
  readonly redeemed: Redeemed
}

async function issue(
  service: Parts,
  call: OAuthCall,
  { app, signer, accessToken, redeemed }: Issuance,
): Promise<Answer<200, typeof TOKENS>> {
  const { accessToken: lifetimeSeconds } = lifetimesOf(service, app)
  const idToken = hasScope(redeemed.scope, 'openid')
    ? await signIdToken(service, call, { app, signer, accessToken, redeemed })
    : undefined
  service.responseTimes.record(redeemed.id, 'exchange', service.clock())
  void service.subscriptions.notify(redeemed.sessionId, { launchId: redeemed.id })
  call.log.info({ launch: redeemed.id, app: app.name }, 'code exchanged')
  return {
    status: 200,
    headers: NO_STORE,
    body: {
      access_token: accessToken,
      ...(idToken === undefined ? {} : { id_token: idToken }),
      token_type: 'Bearer',
      expires_in: lifetimeSeconds,
      scope: redeemed.scope,
      // SMART App Launch 2.2, launch context.
      ...(isSmart(app) ? { tenant: redeemed.context.account.id, need_patient_banner: true } : {}),
    },
  }
}

const signIdToken = (
  service: HasConfig & HasKeys & HasRandomness,
  call: OAuthCall,
  { app, signer, accessToken, redeemed }: Issuance,
): Promise<string> =>
  signJws(
    signer,
    buildIdTokenClaims({
      issuer: service.config.issuerUrl,
      clientId: app.clientId,
      context: redeemed.context,
      launchId: deriveLaunchId(service.keys.launchKey, redeemed),
      scope: redeemed.scope,
      nonce: redeemed.nonce,
      accessToken,
      jti: service.randomness.bytes(16).toString('base64url'),
      now: call.now,
      lifetimeSeconds: lifetimesOf(service, app).idToken,
    }),
  )
