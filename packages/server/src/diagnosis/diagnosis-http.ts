// The handler of a diagnosis: loads the silent launch, visits the page that the browser was sent to last, and
// stores what keeps it from going on as a failed step. It fetches what is registered and nothing else.

import { isSmart, listOrigins } from '../apps/app.ts'
import type { HasApps } from '../apps/app-directory.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import type { Launch } from '../launches/launch.ts'
import { loadLaunch } from '../launches/launch-access.ts'
import { insertSilence } from '../launches/timeline/launch-failure-store.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import type { Finding } from '../preflight/finding.ts'
import { checkPage } from '../preflight/page-checks.ts'
import type { HasPageVisitor } from '../preflight/page-visitor.ts'
import { choosePage, describeFinding, findObstacle } from './diagnosis.ts'
import type { DIAGNOSIS, DIAGNOSIS_BODY } from './diagnosis-schema.ts'

type Parts = HasApps &
  HasConfig &
  HasDatabase &
  HasMetrics &
  HasPageVisitor &
  HasRandomness &
  HasRateLimits &
  HasSubscriptions

type Call = PersonCall<'id', typeof DIAGNOSIS_BODY>

export async function diagnoseLaunch(
  service: Parts,
  call: Call,
): Promise<Answer<200, typeof DIAGNOSIS>> {
  const launch = await loadLaunch(service, call)
  const app = await service.apps.findApp(launch.appId)
  const page = app && choosePage(app, launch)
  if (!page) return answer(false)
  await countDiagnosis(service, call, app.id)
  const { baseUrl, environment, hostOrigins } = service.config
  const ports = [app.launchUrl, app.workerLaunchUrl, ...app.redirectUris].flatMap((url) =>
    url === undefined ? [] : new URL(url).port || [],
  )
  // A machine of a developer has one vendor with many apps; elsewhere one vendor leaves slots to others.
  const account = environment === 'development' ? launch.id : app.accountId
  const owner = { person: launch.id, account }
  const [visit] = await service.pageVisitor.visit([page.url], new Set(ports), owner)
  if (!visit) return answer(false)
  const { origin = '' } = call.body
  const findings = checkPage(visit, {
    hostOrigins: hostOrigins.includes(origin) ? [origin] : hostOrigins,
    appOrigins: listOrigins(app),
    runsSdk: page.runsSdk && !isSmart(app),
    isSmart: isSmart(app),
    sdkUrl: `${baseUrl}/sdk/v1/sdk.js`,
    tokenEndpoint: app.tokenEndpoint,
    now: call.now,
  })
  const obstacle = findObstacle(findings, app, launch)
  if (!obstacle) return answer(true)
  return answer(true, (await record(service, call, launch, obstacle)) ? obstacle : undefined)
}

const answer = (checked: boolean, found?: Finding): Answer<200, typeof DIAGNOSIS> => ({
  status: 200,
  headers: { 'cache-control': 'no-store' },
  body: {
    checked,
    ...(found
      ? { finding: { code: found.code, cause: describeFinding(found), fix: found.fix ?? '' } }
      : {}),
  },
})

/** Each one sends a request to a server of others. In production an app is visited once in an hour. */
async function countDiagnosis({ config, limits }: Parts, call: Call, appId: string): Promise<void> {
  const { address, now, person } = call
  const userId = person.user.id
  if (config.environment === 'production') {
    return limits.count({ address, subject: appId }, now, 'diagnosis')
  }
  await limits.count({ address, subject: `${appId} ${userId}` }, now, 'preflightOfApp')
  await limits.count({ address, subject: userId }, now, 'preflights')
}

/** Returns false when the launch went on, or ended, while its page was visited. */
async function record(
  service: HasDatabase & HasMetrics & HasRandomness & HasSubscriptions,
  call: Call,
  launch: Launch,
  found: Finding,
): Promise<boolean> {
  const isStored = await insertSilence(service.db, launch, {
    id: newId('evt', call.now, service.randomness),
    launchId: launch.id,
    part: launch.part,
    step: 'handshake',
    code: found.code,
    reason: 'page_not_opened',
    detail: describeFinding(found),
    fix: found.fix,
    traceId: call.traceId,
    failedAt: call.now,
  })
  if (!isStored) return false
  service.metrics.noteLaunch('failed', 'page_not_opened')
  call.log.warn({ launch: launch.id, app: launch.appId, code: found.code }, 'a launch is silent')
  void service.subscriptions.notify(launch.sessionId, { launchId: launch.id })
  return true
}
