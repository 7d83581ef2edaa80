// Looks at DNS for a domain and stores what it found, when an administrator asks and every day by itself. A change of
// the state is an event in the trail of the account, in the same write.
import type { AuditEvent } from '../audit/audit.ts'
import { type HasDatabase, UniqueViolation } from '../db/database.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import {
  checkedDomain,
  type Domain,
  type DomainFinding,
  judgeRecords,
  recordNameOf,
  stateOf,
} from './domain.ts'
import { findHolder, listDueDomains, updateCheckedDomain } from './domain-store.ts'
import type { HasTxtLookup } from './txt-lookup.ts'

type Parts = HasDatabase & HasLog & HasRandomness & HasTxtLookup

/** The caller who asks for a look; the event of its outcome names them. */
interface AskedBy {
  readonly actor: string
  readonly ip: string
}
const BY_ITSELF: AskedBy = { actor: 'service', ip: 'local' }

/** The domain as this look leaves it; undefined when it was looked at or removed meanwhile. */
export async function proveDomain(
  service: Parts,
  domain: Domain,
  now: number,
  { by = BY_ITSELF, signal }: { readonly by?: AskedBy; readonly signal?: AbortSignal } = {},
): Promise<Domain | undefined> {
  const records = await service.lookupTxt(recordNameOf(domain.domain), signal)
  const store = (stored: Domain, finding: DomainFinding, asked: AskedBy) =>
    storeCheck(service, stored, checkedDomain(stored, finding, now), asked)
  const finding = judgeRecords(domain.token, records)
  const stored = await store(domain, finding, by)
  if (stored !== 'held') return stored
  // The same answer says whether the other account's record is still there.
  const holder = await findHolder(service.db, domain.domain)
  const held = holder && judgeRecords(holder.token, records)
  if (holder && held && held !== 'proved') await store(holder, held, BY_ITSELF)
  const again = await store(domain, finding, by)
  const left = again === 'held' ? await store(domain, 'held_by_another', by) : again
  return left === 'held' ? undefined : left
}

/** Returns `held` when another account has verified the domain. */
async function storeCheck(
  service: HasDatabase & HasLog & HasRandomness,
  seen: Domain,
  checked: Domain,
  by: AskedBy,
): Promise<Domain | 'held' | undefined> {
  try {
    const event = eventOf(service, seen, checked, by)
    return (await updateCheckedDomain(service.db, seen, checked, event)) ? checked : undefined
  } catch (error) {
    if (error instanceof UniqueViolation) return 'held'
    throw error
  }
}

function eventOf(
  { log, randomness }: HasLog & HasRandomness,
  before: Domain,
  after: Domain,
  { actor, ip }: AskedBy,
): AuditEvent | undefined {
  const state = stateOf(after)
  if (state === stateOf(before)) return undefined
  const { domain, finding = 'proved', checkedAt: at = 0 } = after
  log.info({ domain: after.id, state, finding }, 'state of a domain')
  return {
    ...{ id: newId('evt', at, randomness), at, accountId: after.accountId, actor },
    ...(state === 'verified' ? { action: 'domainVerified' } : { action: 'domainLapsed' }),
    ...({ target: after.id, launchId: undefined, ip, outcome: 'ok' } as const),
    detail: { domain, finding },
  }
}

const DAY_MS = 24 * 60 * 60_000
export const DAILY_PROOF = { everyMs: 60_000, batch: 20 } as const

/** Gives how many it looked at; a full batch means that there may be more. */
export async function proveDueDomains(
  service: Parts & HasClock,
  signal?: AbortSignal,
): Promise<number> {
  const now = service.clock()
  const due = await listDueDomains(service.db, now - DAY_MS, DAILY_PROOF.batch)
  for (const domain of due) {
    if (signal?.aborted) break
    await proveDomain(service, domain, now, signal ? { signal } : {})
  }
  return due.length
}
