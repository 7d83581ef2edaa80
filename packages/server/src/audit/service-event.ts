// Writes what the service does by itself, such as creating a key, to the trail of the platform. Not for what
// a person does: the pipeline of requests audits that.
import type { HasDatabase } from '../db/database.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { PLATFORM } from './audit.ts'
import { insertEventStatement } from './audit-store.ts'

export async function auditService(
  { db, clock, randomness }: HasClock & HasDatabase & HasRandomness,
  done: readonly { readonly action: string; readonly target: string }[],
): Promise<void> {
  const now = clock()
  const events = done.map((one) =>
    insertEventStatement({
      ...{ ...one, id: newId('evt', now, randomness), at: now, accountId: PLATFORM },
      ...{ actor: 'service', launchId: undefined, ip: 'local', outcome: 'ok', detail: {} },
    }),
  )
  if (events.length > 0) await db.write(...events)
}
