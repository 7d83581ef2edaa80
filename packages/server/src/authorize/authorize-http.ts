// The edge of authorize: parse, load, decide, save, redirect. Sets no cookie and needs none, sends
// no CORS header, and redirects only to a RegisteredRedirectUri. Spec §4.1, contract §2.
import { buildUrlWithQuery } from '@chartside/protocol/oauth'
import type { RegisteredRedirectUri } from '../apps/app.ts'
import { findAppByClientId } from '../apps/app-store.ts'
import { DatabaseUnavailable } from '../db/database.ts'
import { OAuthError } from '../errors.ts'
import { buildErrorPage } from '../http/pages.ts'
import { FORM, parametersFromForm } from '../http/parameters.ts'
import { inOAuthCharacters } from '../http/replies.ts'
import type { OAuthCall, Reply } from '../http/route.ts'
import { hashBearer, mintBearer, newId, parseBearer } from '../identifiers.ts'
import { insertLaunchFailure } from '../launches/launch-store.ts'
import type { Service } from '../service.ts'
import { idleCutoff } from '../sign-in/sign-in.ts'
import {
  decideAuthorize,
  decideClient,
  type LaunchInView,
  launchParameter,
  parseAuthorizeRequest,
  type Refusal,
} from './authorize.ts'
import { findLaunchInView, updateLaunchCode } from './authorize-store.ts'

export async function authorize(service: Service, call: OAuthCall): Promise<Reply> {
  const { config, db } = service
  const sent = sentParameters(call)
  const request = parseAuthorizeRequest(parametersFromForm(sent))
  const { client_id: clientId } = request.values
  const app = clientId === undefined ? undefined : await findAppByClientId(db, clientId)

  const client = decideClient(request, app)
  if ('refusal' in client || !app) {
    const refusal = 'refusal' in client ? client.refusal : { cause: '', fix: '' }
    call.log.warn({ traceId: call.traceId, clientId, ...refusal }, 'authorize refused, no redirect')
    return refuseWithoutRedirect(service, call, refusal)
  }

  const answer = (parameters: Record<string, string>) =>
    redirect(call, client.redirectUri, {
      ...parameters,
      ...(request.values.state === undefined
        ? {}
        : { state: rawState(sent, request.values.state) }),
      iss: config.issuerUrl,
    })
  const refuse = ({ code, description }: Pick<Refusal, 'code' | 'description'>) =>
    answer({
      error: code,
      error_description: inOAuthCharacters(`${description} (trace ${call.traceId})`),
    })

  try {
    const idleSince = idleCutoff(call.now, config.sessionIdleSeconds)
    const launchId = launchParameter(request, app)
    const id = launchId && parseBearer('lnch', 'lau', launchId)
    const inView = id && (await findLaunchInView(db, id, hashBearer(launchId), call.now, idleSince))
    const facts = { request, app, environment: config.environment, now: call.now }
    const decision = decideAuthorize({ ...facts, inView: inView || undefined })
    if ('refusal' in decision) {
      await noteRefusal(service, call, inView || undefined, decision.refusal)
      return refuse(decision.refusal)
    }

    const { launch, scope, nonce, codeChallenge } = decision.grant
    const code = mintBearer('code', launch.id, service.randomness)
    const isSaved = await updateLaunchCode(
      db,
      {
        launchId: launch.id,
        clientId: app.clientId,
        codeHash: hashBearer(code),
        codeExpiresAt: call.now + config.codeLifetimeSeconds * 1000,
        launchExpiresAt: call.now + config.launchLifetimeSeconds * 1000,
        redirectUri: client.redirectUri,
        codeChallenge,
        nonce,
        scope,
      },
      call.now,
      idleSince,
    )
    if (!isSaved) {
      return refuse({
        code: 'access_denied',
        description:
          'The launch was used or ended while it was being authorized. Launch the app again.',
      })
    }
    service.watchers.notify(launch.sessionId, { launchId: launch.id })
    call.log.debug({ launch: launch.id, app: app.name }, 'authorized: code issued')
    return answer({ code })
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    call.log.error({ traceId: call.traceId, err: error }, 'authorize: storage unavailable')
    return refuse({
      code: 'temporarily_unavailable',
      description: 'The service cannot reach its storage. Launch the app again in a moment.',
    })
  }
}

/** GET carries the parameters in the query, POST in a form (OpenID Connect Core 3.1.2.1). */
function sentParameters(call: OAuthCall): string {
  if (call.method !== 'POST') return call.query
  if (call.contentType.split(';')[0]?.trim().toLowerCase() === FORM) return call.body
  throw new OAuthError('invalid_request', `POST to authorize takes ${FORM} only.`)
}

/** The state as it stood on the wire, so that it returns byte for byte however it was encoded. */
function rawState(sent: string, decoded: string): { encoded: string } {
  const pair = sent.split('&').find((part) => part.startsWith('state='))
  const raw = pair?.slice('state='.length)
  const isSafe = raw !== undefined && /^[A-Za-z0-9\-._~!$'()*+,;:@/?%=]+$/.test(raw)
  return { encoded: isSafe ? raw : encodeURIComponent(decoded.toWellFormed()) }
}

function redirect(
  call: OAuthCall,
  to: RegisteredRedirectUri,
  parameters: Record<string, string | { encoded: string }>,
): Reply {
  return {
    // After a POST the browser must go on with GET and not send the form again (RFC 9700 4.12).
    status: call.method === 'POST' ? 303 : 302,
    headers: { location: buildUrlWithQuery(to, parameters), 'cache-control': 'no-store' },
  }
}

function refuseWithoutRedirect(
  service: Service,
  call: OAuthCall,
  { cause, fix }: { cause: string; fix: string },
): Reply {
  if (call.accept.includes('text/html')) {
    return buildErrorPage(400, service.config.extensionOrigins, {
      title: 'This app could not be opened',
      cause,
      fix,
      code: 'invalid_request',
      traceId: call.traceId,
    })
  }
  throw new OAuthError('invalid_request', `${cause} ${fix}`)
}

/** Puts the refusal on the launch's timeline, when the caller held a real launch_id. */
async function noteRefusal(
  service: Service,
  call: OAuthCall,
  inView: LaunchInView | undefined,
  { code, reason, description }: Refusal,
): Promise<void> {
  const launchId = inView?.launch.id
  const { traceId } = call
  call.log.warn({ traceId, launch: launchId, code, reason, description }, 'authorize refused')
  if (!inView || launchId === undefined) return
  await insertLaunchFailure(service.db, {
    id: newId('evt', call.now, service.randomness),
    launchId,
    step: 'authorize',
    code,
    reason,
    detail: reason === 'request_malformed' ? description : undefined,
    traceId,
    failedAt: call.now,
  })
  service.watchers.notify(inView.launch.sessionId, { launchId })
}
