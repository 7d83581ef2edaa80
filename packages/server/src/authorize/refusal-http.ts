// What a refused authorize request leaves behind: a failed step on the launch that it names, also
// when there is no redirect; and the page or the JSON answer where no redirect may be sent. Never
// decides whether a request is refused. Contract §2.

import type { App } from '../apps/app.ts'
import type { HasApps } from '../apps/app-directory.ts'
import { buildLaunchEvent } from '../audit/launch-event.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { OAuthCall, TextReply } from '../http/call.ts'
import { buildErrorPage, CHART_IS_SAFE } from '../http/html/error-page.ts'
import { isForPerson } from '../http/input/accept.ts'
import { parametersFromForm } from '../http/input/parameters.ts'
import { inOAuthCharacters } from '../http/replies.ts'
import { OAuthError } from '../kernel/errors.ts'
import { hashBearer, newId, parseBearer } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { REASONS } from '../kernel/reasons.ts'
import { describeSent, listRegistered, type NamedValue } from '../launches/evidence.ts'
import { insertLaunchFailure } from '../launches/timeline/launch-failure-store.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import { type LaunchWithSignInState, listMentionedLaunches } from './authorize.ts'
import {
  type AuthorizeRequest,
  parseAuthorizeRequest,
  type Refusal,
  refusalOf,
} from './authorize-request.ts'
import { findLaunchWithSignInState } from './authorize-store.ts'

type Parts = HasApps &
  HasClock &
  HasConfig &
  HasDatabase &
  HasMetrics &
  HasRandomness &
  HasSubscriptions

export const describeRefusal = ({ code, cause, fix }: Refusal, traceId: string) => ({
  error: code,
  error_description: inOAuthCharacters(`${cause} ${fix} (trace ${traceId})`),
})

const listSent = ({ raw }: AuthorizeRequest, { sent }: Refusal): NamedValue[] =>
  sent.map((name) => describeSent(name, raw.get(name)?.[0]))

/** Stores the refusal on the timeline of the launch that the request names, if there is one. */
export async function recordRefusal(
  service: Parts,
  call: OAuthCall,
  request: AuthorizeRequest,
  refusal: Refusal,
  known?: LaunchWithSignInState,
): Promise<void> {
  const found = known ?? (await findMentionedLaunch(service, call, request))
  const { code, reason, cause, fix } = refusal
  const { traceId, now } = call
  call.log.warn({ launch: found?.launch.id, code, reason, cause, fix }, 'authorize refused')
  if (!found) return
  const { id: launchId, userId: actor, appId, sessionId } = found.launch
  const step = { action: 'authorize', actor, target: appId, launchId, reason } as const
  const failure = {
    id: newId('evt', now, service.randomness),
    launchId,
    step: 'authorize',
    code,
    reason,
    detail: cause === REASONS[reason].cause ? undefined : cause,
    fix: fix === REASONS[reason].fix ? undefined : fix,
    sent: listSent(request, refusal),
    traceId,
    receivedAt: call.receivedAt,
    failedAt: service.clock(),
  } as const
  await insertLaunchFailure(service.db, failure, buildLaunchEvent(service, call, step))
  service.metrics.noteLaunch('failed', reason)
  void service.subscriptions.notify(sessionId, { launchId })
}

async function findMentionedLaunch(
  { config, db }: HasConfig & HasDatabase,
  { now }: OAuthCall,
  request: AuthorizeRequest,
): Promise<LaunchWithSignInState | undefined> {
  const cutoff = livenessCutoff(now, config.sessionIdleSeconds)
  for (const launchId of listMentionedLaunches(request)) {
    const id = parseBearer('lnch', 'lau', launchId)
    if (!id) continue
    const found = await findLaunchWithSignInState(db, id, hashBearer(launchId), cutoff)
    if (found) return found
  }
  return undefined
}

/** Answers where the client is not trusted: a person gets a page and a program gets JSON. */
export async function refuseWithoutRedirect(
  service: HasApps & HasConfig,
  call: OAuthCall,
  request: AuthorizeRequest,
  app: App | undefined,
  refusal: Refusal,
): Promise<TextReply> {
  const { cause, fix, code } = refusal
  if (!isForPerson(call.accept)) throw new OAuthError(code, `${cause} ${fix}`)
  return buildErrorPage(
    { status: 400, service: service.config, framedBy: service.config.hostOrigins },
    {
      title: 'This app could not be opened',
      happened: CHART_IS_SAFE,
      todo: 'Open the app again from the side panel. If it fails again, give your support the trace below.',
      code,
      reason: refusal.reason,
      cause,
      fix,
      traceId: call.traceId,
      at: call.now,
      evidence: await loadShownEvidence(service, request, app, refusal),
    },
  )
}

/**
 * Loads sent and registered values, in development only: the page has no signed-in reader. Elsewhere the
 * app's owner reads them on the timeline.
 */
async function loadShownEvidence(
  { apps, config }: HasApps & HasConfig,
  request: AuthorizeRequest,
  app: App | undefined,
  refusal: Refusal,
): Promise<{ sent: NamedValue[]; registered: NamedValue[] } | undefined> {
  if (config.environment !== 'development') return undefined
  const sent = listSent(request, refusal)
  const { client_id: clientId } = request.values
  const meant =
    refusal.reason === 'client_id_is_app_id' && clientId ? await apps.findApp(clientId) : app
  return { sent, registered: meant ? listRegistered(meant, refusal.reason, sent) : [] }
}

/**
 * The refusal of a browser that an app sent to a wrong address in place of authorize. Without it the frame shows
 * “refused to connect”, because no other page of the service may be framed, and the timeline has no step.
 * Never redirects: the refusal is a page, and a failed step of the launch that the request names.
 */
export async function refuseWrongPath(
  service: Parts & HasRateLimits,
  call: OAuthCall,
): Promise<TextReply> {
  const request = parseAuthorizeRequest(parametersFromForm(call.query))
  const refusal = refusalOf('invalid_request', 'authorize_address_wrong', {
    fix: `Send the browser to ${service.config.baseUrl}/app-auth/authorize, as authorization_endpoint of discovery says.`,
  })
  await service.limits.count(call, call.now, 'authorize')
  await recordRefusal(service, call, request, refusal)
  const page = await refuseWithoutRedirect(service, call, request, undefined, refusal)
  return { ...page, status: 404 }
}
