// The handler of authorize: parse, load, decide, store, redirect. It neither sets nor reads cookies,
// sends no CORS header, and redirects only to a RegisteredRedirectUri. Spec §4.1, contract §2.

import { buildUrlWithQuery } from '@chartside/protocol/oauth'
import type { App, RegisteredRedirectUri } from '../apps/app.ts'
import type { HasApps } from '../apps/app-directory.ts'
import { buildLaunchEvent } from '../audit/launch-event.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { OAuthCall, TextReply } from '../http/call.ts'
import { FORM, parametersFromForm } from '../http/input/parameters.ts'
import { OAuthError } from '../kernel/errors.ts'
import { hashBearer, mintBearer, parseBearer } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import type { HasResponseTimes } from '../launches/response-times.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import { decideAuthorize, decideClient, launchParameter } from './authorize.ts'
import {
  type AuthorizeRequest,
  parseAuthorizeRequest,
  type Refusal,
  refusalOf,
} from './authorize-request.ts'
import { findLaunchWithSignInState, updateLaunchCode } from './authorize-store.ts'
import { explainRedirectUri } from './redirect-uri-difference.ts'
import { describeRefusal, recordRefusal, refuseWithoutRedirect } from './refusal-http.ts'

type Parts = HasResponseTimes &
  HasApps &
  HasClock &
  HasConfig &
  HasDatabase &
  HasRateLimits &
  HasMetrics &
  HasRandomness &
  HasSubscriptions

export async function authorize(service: Parts, call: OAuthCall): Promise<TextReply> {
  const encoded = encodedParameters(call)
  const request = parseAuthorizeRequest(parametersFromForm(encoded))
  const clientId = request.values.client_id
  const known = clientId === undefined ? undefined : await service.apps.findClient(clientId)
  const client = decideClient(request, known?.app)
  if ('refusal' in client) {
    await service.limits.count(call, call.now, 'authorize')
    const precise = describeRedirectUriMismatch(request, known?.app, client.refusal)
    await recordRefusal(service, call, request, precise)
    // The page has no signed-in reader: what is registered is the business of the owner.
    const shown = service.config.environment === 'development' ? precise : client.refusal
    return refuseWithoutRedirect(service, call, request, known?.app, shown)
  }

  const { values } = request
  const decision = await grantCode(service, call, request, client)
  return redirect(call, client.redirectUri, {
    ...('refused' in decision ? describeRefusal(decision.refused, call.traceId) : decision),
    ...(values.state === undefined ? {} : { state: rawState(encoded, values.state) }),
    iss: service.config.issuerUrl,
  })
}

/** Says what exactly is wrong with a redirect URI that is not registered. */
function describeRedirectUriMismatch(
  { values }: AuthorizeRequest,
  app: App | undefined,
  refusal: Refusal,
): Refusal {
  if (refusal.reason !== 'redirect_uri_unregistered' || !app) return refusal
  return { ...refusal, ...explainRedirectUri(app.redirectUris, values.redirect_uri ?? '') }
}

/** Loads, decides and stores: a code for the launch, or the refusal. */
async function grantCode(
  service: Parts,
  call: OAuthCall,
  request: AuthorizeRequest,
  { app, redirectUri }: { app: App; redirectUri: RegisteredRedirectUri },
): Promise<{ code: string } | { refused: Refusal }> {
  const { config, db } = service
  const cutoff = livenessCutoff(call.now, config.sessionIdleSeconds)
  const launchId = launchParameter(request, app)
  const id = launchId && parseBearer('lnch', 'lau', launchId)
  const found = id
    ? await findLaunchWithSignInState(db, id, hashBearer(launchId), cutoff)
    : undefined
  const { environment, issuerUrl: issuer } = config
  const decision = decideAuthorize({ request, app, found, environment, issuer, now: call.now })
  if ('refusal' in decision) {
    await service.limits.count(call, call.now, 'authorize')
    await recordRefusal(service, call, request, decision.refusal, found)
    return { refused: decision.refusal }
  }

  const { launch, scope, nonce, codeChallenge } = decision.grant
  const code = mintBearer('code', launch.id, service.randomness)
  const newCode = {
    launchId: launch.id,
    clientId: app.clientId,
    codeHash: hashBearer(code),
    codeExpiresAt: call.now + config.codeLifetimeSeconds * 1000,
    launchExpiresAt: call.now + config.launchLifetimeSeconds * 1000,
    redirectUri,
    codeChallenge,
    nonce,
    scope,
    receivedAt: call.receivedAt,
    answeredAt: service.clock(),
  }
  const event = buildLaunchEvent(service, call, {
    action: 'authorize',
    actor: launch.userId,
    target: app.id,
    launchId: launch.id,
  })
  if (!(await updateLaunchCode(db, newCode, event, cutoff))) {
    const refusal = refusalOf('access_denied', 'launch_lost_race')
    await recordRefusal(service, call, request, refusal, found)
    return { refused: refusal }
  }
  service.responseTimes.record(launch.id, 'authorize', service.clock())
  void service.subscriptions.notify(launch.sessionId, { launchId: launch.id })
  call.log.debug({ launch: launch.id, app: app.name }, 'authorized: code issued')
  return { code }
}

/** GET carries the parameters in the query, POST in a form (OpenID Connect Core 3.1.2.1). */
function encodedParameters(call: OAuthCall): string {
  if (call.method !== 'POST') return call.query
  if (call.contentType.split(';')[0]?.trim().toLowerCase() === FORM) return call.body
  throw new OAuthError('invalid_request', `POST to authorize takes ${FORM} only.`)
}

/** The state in its own encoding, so that the app gets back the same bytes. */
function rawState(encoded: string, decoded: string): { encoded: string } {
  const pair = encoded.split('&').find((part) => part.startsWith('state='))
  const raw = pair?.slice('state='.length)
  const isSafe = raw !== undefined && /^[A-Za-z0-9\-._~!$'()*+,;:@/?%=]+$/.test(raw)
  return { encoded: isSafe ? raw : encodeURIComponent(decoded.toWellFormed()) }
}

function redirect(
  call: OAuthCall,
  to: RegisteredRedirectUri,
  parameters: Record<string, string | { encoded: string }>,
): TextReply {
  return {
    // After a POST the browser must follow with GET and not send the form again (RFC 9700 4.12).
    status: call.method === 'POST' ? 303 : 302,
    headers: { location: buildUrlWithQuery(to, parameters), 'cache-control': 'no-store' },
  }
}
