// The handler that opens an EHR session, with the launches that its caller asks for: one request and one
// write from the page of an EHR to every Launch URL. Contract §3.

import type { AppKind } from '@chartside/protocol/launch'
import type { HasApps } from '../apps/app-directory.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { created } from '../http/replies.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import type { EhrSession } from '../sessions/session.ts'
import { sessionBody } from '../sessions/session-access.ts'
import { prepareSession } from '../sessions/session-opening.ts'
import type { SESSION_BODY } from '../sessions/session-schema.ts'
import { insertSessionStatements } from '../sessions/session-store.ts'
import { type Launchable, loadLaunchable, prepareLaunch } from './launch-opening.ts'
import type { OPENED_SESSION } from './launch-schema.ts'
import { insertLaunchStatements } from './launch-store.ts'

type Parts = HasApps & HasConfig & HasDatabase & HasKeys & HasMetrics & HasRandomness

export async function openSession(
  service: Parts,
  call: PersonCall<never, typeof SESSION_BODY>,
): Promise<Answer<201, typeof OPENED_SESSION>> {
  const { launch: kinds } = call.body
  const session = await prepareSession(service, call, call.body)
  const launchables = await listLaunchables(service, session, kinds ?? [])
  const prepared = launchables.map((one) => prepareLaunch(service, call, session, one))
  const cutoff = livenessCutoff(call.now, service.config.sessionIdleSeconds)
  const [, , rows, ...launchRows] = await service.db.write(
    ...insertSessionStatements(session, cutoff),
    // Each finds the row of the session that the same write inserted, or stores nothing.
    ...prepared.flatMap(({ launch, event }) => insertLaunchStatements(launch, event, cutoff)),
  )
  if (rows?.length !== 1) {
    throw new ApiError(
      'not_signed_in',
      'You have signed out, or were removed from the account, meanwhile.',
    )
  }
  const { id, ehrType, account } = session
  // Two statements of each launch: the row, and its audit event.
  const launches = prepared.flatMap(({ body }, at) =>
    launchRows[at * 2]?.length === 1 ? [body] : [],
  )
  const log = { session: id, account: account.name, ehrType, launches: launches.length }
  call.log.info(log, 'EHR session opened')
  for (const { id: launch, app, kind } of launches) {
    service.metrics.noteLaunch('opened')
    call.log.debug({ launch, app: app.name, kind }, 'launch created')
  }
  const url = `/api/sessions/${id}`
  if (!kinds) return created(url, sessionBody(session))
  const answer = created(url, { ...sessionBody(session), launches })
  // It carries bearer values, and is not what GET shows: no cache, no entity tag.
  return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } }
}

/** The session launches these apps automatically, in the order of the collection. */
async function listLaunchables(
  service: HasApps,
  session: EhrSession,
  kinds: readonly AppKind[],
): Promise<Launchable[]> {
  const wanted = session.apps
    .filter(({ autoLaunch }) => autoLaunch)
    .flatMap((app) =>
      app.kinds.filter((kind) => kinds.includes(kind)).map((kind) => [app.id, kind] as const),
    )
  const found = await Promise.all(
    wanted.map(([appId, kind]) =>
      loadLaunchable(service, session, appId, kind).catch((error: unknown) => {
        // Disabled in this moment: the others launch.
        if (error instanceof ApiError && error.code === 'app_not_available') return undefined
        throw error
      }),
    ),
  )
  return found.filter((one) => one !== undefined)
}
