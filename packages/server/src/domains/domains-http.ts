// The handlers of the domains of an account: list, add, look at DNS, remove. A domain leads nowhere before DNS has
// proved it. Contract §13.
import type { Account } from '../accounts/account.ts'
import { loadAccount } from '../accounts/account-access.ts'
import { type HasDatabase, UniqueViolation } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { pageOf, parsePage } from '../http/input/pagination.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached, MAX_DOMAINS } from '../kernel/record-limits.ts'
import { rfc3339 } from '../kernel/time.ts'
import {
  type Domain,
  explainFinding,
  parseDomain,
  recordNameOf,
  recordValueOf,
  stateOf,
} from './domain.ts'
import { proveDomain } from './domain-proof.ts'
import type { DOMAIN, DOMAIN_BODY, DOMAINS } from './domain-schema.ts'
import { deleteDomain, findDomain, insertDomain, listDomains } from './domain-store.ts'
import type { HasTxtLookup } from './txt-lookup.ts'

const orNull = (at: number | undefined) => (at === undefined ? null : rfc3339(at))

const domainBody = (stored: Domain): PayloadOf<typeof DOMAIN> => ({
  id: stored.id,
  domain: stored.domain,
  state: stateOf(stored),
  record: { name: recordNameOf(stored.domain), value: recordValueOf(stored.token) },
  createdAt: rfc3339(stored.createdAt),
  verifiedAt: orNull(stored.verifiedAt),
  checkedAt: orNull(stored.checkedAt),
  ...(stored.finding
    ? { finding: { code: stored.finding, ...explainFinding(stored, stored.finding) } }
    : {}),
})

export async function listDomainsOf(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof DOMAINS>> {
  const account = await loadAccount(service, call)
  const page = parsePage(call.query, { of: ['dom'] })
  return { status: 200, body: pageOf(await listDomains(service.db, account.id), page, domainBody) }
}

export async function createDomain(
  { db, randomness }: HasDatabase & HasRandomness,
  call: PersonCall<'id', typeof DOMAIN_BODY>,
): Promise<Answer<201, typeof DOMAIN>> {
  const account = await loadAccount({ db }, call)
  const domain: Domain = {
    id: newId('dom', call.now, randomness),
    accountId: account.id,
    domain: checkedDomainName(call.body.domain),
    token: randomness.bytes(15).toString('base64url'),
    createdAt: call.now,
    ...{ verifiedAt: undefined, provedAt: undefined, checkedAt: undefined, finding: undefined },
  }
  const isStored = await insertDomain(db, domain).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) throw error
    throw new ApiError('conflict', 'This account has this domain already.')
  })
  if (!isStored) throw limitReached('account', 'domains', MAX_DOMAINS)
  return { status: 201, body: domainBody(domain) }
}

/** @throws ApiError invalid_request */
function checkedDomainName(typed: string): string {
  const name = parseDomain(typed)
  if (name !== undefined) return name
  throw new ApiError('invalid_request', 'This is not the name of a domain.', [
    { field: '/domain', message: 'Enter what follows the @, for example lakeside.example.' },
  ])
}

/** Looks at DNS now, and says what is missing. */
export async function checkDomain(
  service: HasDatabase & HasLog & HasRandomness & HasRateLimits & HasTxtLookup,
  call: PersonCall<'id' | 'domainId'>,
): Promise<Answer<200, typeof DOMAIN>> {
  const account = await loadAccount(service, call)
  const domain = await loadDomain(service, account, call.params.domainId)
  const by = { actor: call.person.user.id, ip: call.address }
  const attempt = { address: call.address, subject: by.actor }
  await service.limits.count(attempt, call.now, 'preflights')
  const checked = await proveDomain(service, domain, call.now, { by })
  const body = domainBody(checked ?? (await loadDomain(service, account, domain.id)))
  return { status: 200, headers: { 'cache-control': 'no-store' }, body }
}

export async function removeDomain(
  service: HasDatabase,
  call: PersonCall<'id' | 'domainId'>,
): Promise<Answer<204>> {
  const account = await loadAccount(service, call)
  const isDeleted = await deleteDomain(service.db, account.id, call.params.domainId)
  if (!isDeleted) throw notFound('domain')
  return { status: 204 }
}

async function loadDomain({ db }: HasDatabase, account: Account, id: string): Promise<Domain> {
  const domain = await findDomain(db, account.id, id)
  if (!domain) throw notFound('domain')
  return domain
}
