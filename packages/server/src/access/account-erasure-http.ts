// The edge that erases a deleted account with its people, some of them in each call, so that no call takes long.
// Each person is an event of the trail of the platform. docs/operate/compliance.md.
import { PLATFORM } from '../audit/audit.ts'
import { insertEventStatement } from '../audit/audit-store.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { closed, flag, integer, titled } from '../http/payload.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { eraseAccount } from './account-erasure.ts'

/** Each is a write of their own: about a second together. */
const MAX_PEOPLE = 100

export const ERASURE = titled(
  'AccountErasure',
  closed({
    people: { ...integer, minimum: 0, examples: [12], description: 'Erased by this call.' },
    isComplete: { ...flag, description: 'False: call it again, and it goes on.' },
  }),
)

export async function eraseDeletedAccount(
  service: HasDatabase & HasRandomness & HasSubscriptions,
  { params, person, now, address, traceId, auditNotes, log }: PersonCall<'id'>,
): Promise<Answer<200, typeof ERASURE>> {
  const record = async (target: string) => {
    const event = {
      ...{ id: newId('evt', now, service.randomness), at: now, accountId: PLATFORM },
      ...{ actor: person.user.id, action: 'eraseUser', target, launchId: undefined, ip: address },
      ...{ outcome: 'ok' as const, detail: { trace: traceId } },
    }
    await service.db.write(insertEventStatement(event))
  }
  const options = { now, maxPeople: MAX_PEOPLE, record }
  const { people, isComplete } = await eraseAccount(service, params.id, options)
  auditNotes.detail = { people: String(people.length) }
  log.info({ account: params.id, people: people.length, isComplete }, 'account erased')
  return { status: 200, body: { people: people.length, isComplete } }
}
