// Builds the views of launches for one reader: timelines with their failures, and the names and secrets that
// this reader may see. Reads each table once for all launches; writes nothing. Contract §3.
import type { HasApps } from '../../apps/app-directory.ts'
import { findStoredSecrets } from '../../apps/client-secret-store.ts'
import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PayloadOf } from '../../http/call.ts'
import { isAllowed, type Person } from '../../kernel/user.ts'
import { livenessCutoff } from '../../liveness/liveness.ts'
import type { Launch } from '../launch.ts'
import type { LAUNCH } from '../launch-schema.ts'
import { listLaunchFailures } from './launch-failure-store.ts'
import { buildLaunchView } from './timeline.ts'

/** The launches with their timelines: one statement for the failures of all of them. */
export async function loadLaunchViews(
  service: HasApps & HasConfig & HasDatabase,
  launches: readonly Launch[],
  { now, person }: { readonly now: number; readonly person: Person },
): Promise<PayloadOf<typeof LAUNCH>[]> {
  const failures = await listLaunchFailures(service.db, launches)
  const cutoff = livenessCutoff(now, service.config.sessionIdleSeconds)
  const apps = await Promise.all(launches.map(({ appId }) => service.apps.findApp(appId)))
  const isOwned = apps.map(
    (app) => app !== undefined && isAllowed(person, app.accountId, 'develop'),
  )
  const owned = launches.filter((_, i) => isOwned[i])
  const secrets = await findStoredSecrets(service.db, listSecretIds(owned, failures))
  return launches.map((launch, i) => {
    const { sub, account } = launch.context
    const seesName = sub === person.user.id || isAllowed(person, account.id, 'run')
    const reader = { ownedApp: isOwned[i] ? apps[i] : undefined, secrets, seesName }
    const name = apps[i]?.name ?? 'a deleted app'
    return buildLaunchView(launch, name, failures.get(launch.id) ?? [], cutoff, reader)
  })
}

/** The secrets that the exchanges of these launches used or tried. */
function listSecretIds(
  launches: readonly Launch[],
  failures: Awaited<ReturnType<typeof listLaunchFailures>>,
): string[] {
  const ids = launches.flatMap(({ id, exchangeClient }) => [
    exchangeClient?.secretId,
    ...(failures.get(id) ?? []).map(({ client }) => client?.secretId),
  ])
  return [...new Set(ids.filter((id) => id !== undefined))]
}
