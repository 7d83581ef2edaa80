// The handler of authorize: parse, load, decide, store, redirect. It neither sets nor reads cookies,
// sends no CORS header, and redirects only to a RegisteredRedirectUri. Spec §4.1, contract §2.
import { buildUrlWithQuery } from '@chartside/protocol/oauth'
import type { App, RegisteredRedirectUri } from '../apps/app.ts'
import { buildLaunchEvent } from '../audit/launch-event.ts'
import { buildErrorPage } from '../http/html/error-page.ts'
import { FORM, parametersFromForm } from '../http/input/parameters.ts'
import { inOAuthCharacters } from '../http/replies.ts'
import type { OAuthCall, TextReply } from '../http/route.ts'
import { OAuthError } from '../kernel/errors.ts'
import { hashBearer, mintBearer, newId, parseBearer } from '../kernel/identifiers.ts'
import { insertLaunchFailure } from '../launches/launch-store.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { Service } from '../service.ts'
import {
  type AuthorizeRequest,
  decideAuthorize,
  decideClient,
  explain,
  type LaunchWithSignInState,
  launchParameter,
  parseAuthorizeRequest,
  type Refusal,
} from './authorize.ts'
import { findLaunchWithSignInState, updateLaunchCode } from './authorize-store.ts'

type Parts = Pick<Service, 'apps' | 'config' | 'db' | 'limits' | 'randomness' | 'subscriptions'>

export async function authorize(service: Parts, call: OAuthCall): Promise<TextReply> {
  const encoded = encodedParameters(call)
  const request = parseAuthorizeRequest(parametersFromForm(encoded))
  const clientId = request.values.client_id
  const known = clientId === undefined ? undefined : await service.apps.findClient(clientId)
  const client = decideClient(request, known?.app)
  if ('refusal' in client) {
    await service.limits.count(call, call.now, 'authorize')
    return refuseWithoutRedirect(service, call, clientId, client.refusal)
  }

  const { values } = request
  const decision = await grantCode(service, call, request, client)
  return redirect(call, client.redirectUri, {
    ...('refused' in decision ? describeRefusal(decision.refused, call.traceId) : decision),
    ...(values.state === undefined ? {} : { state: rawState(encoded, values.state) }),
    iss: service.config.issuerUrl,
  })
}

/** Load, decide, store: a code for the launch, or the refusal. */
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
  const facts = { request, app, found, environment: config.environment, now: call.now }
  const decision = decideAuthorize(facts)
  if ('refusal' in decision) {
    await service.limits.count(call, call.now, 'authorize')
    await recordRefusal(service, call, found, decision.refusal)
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
  }
  const event = buildLaunchEvent(service, call, {
    action: 'authorize',
    actor: launch.context.sub,
    target: app.id,
    launchId: launch.id,
  })
  if (!(await updateLaunchCode(db, newCode, event, cutoff))) {
    const refusal = explain('access_denied', 'launch_lost_race')
    await recordRefusal(service, call, found, refusal)
    return { refused: refusal }
  }
  void service.subscriptions.notify(launch.sessionId, { launchId: launch.id })
  call.log.debug({ launch: launch.id, app: app.name }, 'authorized: code issued')
  return { code }
}

const describeRefusal = ({ code, description }: Refusal, traceId: string) => ({
  error: code,
  error_description: inOAuthCharacters(`${description} (trace ${traceId})`),
})

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

const wantsPage = (call: OAuthCall) => call.accept.includes('text/html')

function refuseWithoutRedirect(
  service: Pick<Service, 'config'>,
  call: OAuthCall,
  clientId: string | undefined,
  { cause, fix }: { cause: string; fix: string },
): TextReply {
  const { traceId } = call
  // The parameter may hold a secret by mistake: the log gets it only if it has the form of an id.
  const shown = clientId && /^(cli|app)_\w{1,64}$/.test(clientId) ? clientId : undefined
  call.log.warn({ clientId: shown, cause, fix }, 'authorize refused, no redirect')
  if (!wantsPage(call)) throw new OAuthError('invalid_request', `${cause} ${fix}`)
  return buildErrorPage(400, service.config.hostOrigins, {
    title: 'This app could not be opened',
    cause,
    fix,
    code: 'invalid_request',
    traceId,
  })
}

/** Stores the refusal on the timeline of the launch, if the request named an existing launch. */
async function recordRefusal(
  service: Parts,
  call: OAuthCall,
  found: LaunchWithSignInState | undefined,
  { code, reason, description }: Refusal,
): Promise<void> {
  const launchId = found?.launch.id
  const { traceId } = call
  call.log.warn({ launch: launchId, code, reason, description }, 'authorize refused')
  if (!found || launchId === undefined) return
  const { context, appId } = found.launch
  const step = { action: 'authorize', actor: context.sub, target: appId, launchId, reason } as const
  const failure = {
    id: newId('evt', call.now, service.randomness),
    launchId,
    step: 'authorize',
    code,
    reason,
    detail: reason === 'request_malformed' ? description : undefined,
    traceId,
    failedAt: call.now,
  } as const
  await insertLaunchFailure(service.db, failure, buildLaunchEvent(service, call, step))
  void service.subscriptions.notify(found.launch.sessionId, { launchId })
}
