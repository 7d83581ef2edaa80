// The handlers of an app that is switched off on one EHR, for those who develop it and for the platform: on which EHRs
// it was launched lately, and where it is off, since when, by whom and why. Contract §16.

import { loadApp } from '../apps/app-access.ts'
import { notifyLaunchesEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { rfc3339 } from '../kernel/time.ts'
import {
  listEhrStops,
  resumeOnEhr,
  type StoppedBy,
  stopOnEhr,
} from '../liveness/stopped-ehr-store.ts'
import type { EHR_STOPS, STOP_BODY, STOPPED_ON_EHR } from './running-schema.ts'
import { listEhrsOfApp } from './running-store.ts'

const LATELY_MS = 14 * 24 * 60 * 60_000
/** The form of the names that a collection gives to its EHRs. */
const EHR_TYPE = /^[a-z0-9][a-z0-9_-]{0,63}$/

export async function showEhrStops(
  { db }: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof EHR_STOPS>> {
  const { id } = await loadApp({ db }, call)
  const [launched, stops] = await Promise.all([
    listEhrsOfApp(db, id, call.now - LATELY_MS),
    listEhrStops(db, [id]),
  ])
  const types = [...new Set([...launched, ...stops.map(({ ehrType }) => ehrType)])].sort()
  const ehrs = types.map((ehrType) => {
    const stop = stops.find((one) => one.ehrType === ehrType)
    return {
      ehrType,
      stopped: stop
        ? {
            ...{ at: rfc3339(stop.at), reason: stop.reason, side: stop.side },
            // An account does not learn who of the platform has done it.
            by:
              stop.side === 'account' || sideOf(call) === 'platform'
                ? { id: stop.by, name: stop.byName }
                : null,
          }
        : null,
    }
  })
  return { status: 200, body: { ehrs } }
}

const sideOf = ({ person }: Pick<PersonCall, 'person'>): StoppedBy =>
  person.user.role === 'admin' ? 'platform' : 'account'

const byPlatform = () =>
  new ApiError(
    'app_disabled_by_platform',
    'An administrator of the platform switched this app off on the EHR; only the platform changes that.',
  )

export async function stopAppOnEhr(
  service: HasDatabase & HasSubscriptions,
  call: PersonCall<'id' | 'ehrType', typeof STOP_BODY>,
): Promise<Answer<200, typeof STOPPED_ON_EHR>> {
  const { id: appId } = await loadApp(service, call)
  const ehrType = parseEhrType(call.params.ehrType)
  const { reason } = call.body
  Object.assign(call.auditNotes, { reason })
  const stop = { appId, ehrType, reason, by: call.person.user.id, side: sideOf(call), at: call.now }
  const ended = await stopOnEhr(service.db, stop)
  if (!ended) throw byPlatform()
  await notifyLaunchesEnded(service, ended)
  call.log.info({ app: appId, launches: ended.length }, 'app stopped on an EHR')
  return { status: 200, body: { ehrType, endedLaunches: ended.length } }
}

export async function letAppRunOnEhr(
  { db }: HasDatabase,
  call: PersonCall<'id' | 'ehrType'>,
): Promise<Answer<204>> {
  const { id: appId } = await loadApp({ db }, call)
  const app = { appId, ehrType: parseEhrType(call.params.ehrType) }
  if (await resumeOnEhr(db, app, sideOf(call), call.now)) return { status: 204 }
  throw byPlatform()
}

function parseEhrType(sent: string): string {
  if (EHR_TYPE.test(sent)) return sent
  throw notFound('EHR')
}
