// The SQL of the domains of accounts. One account holds a verified domain: a unique index settles two that prove it
// at once. A look is stored only over the domain that it looked at. Contract §13.

import type { AuditEvent } from '../audit/audit.ts'
import { insertEventStatement } from '../audit/audit-store.ts'
import { type Database, type Row, readOne } from '../db/database.ts'
import { insertWithinStatements, isOverLimit } from '../db/record-limit.ts'
import { integer, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, sql } from '../db/sql.ts'
import { MAX_DOMAINS } from '../kernel/record-limits.ts'
import type { Domain, DomainFinding } from './domain.ts'

const domainOf = (row: Row): Domain => ({
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  domain: text(row, 'domain'),
  token: text(row, 'token'),
  createdAt: integer(row, 'created_at'),
  verifiedAt: optionalInteger(row, 'verified_at'),
  provedAt: optionalInteger(row, 'proved_at'),
  checkedAt: optionalInteger(row, 'checked_at'),
  finding: optionalText(row, 'finding') as DomainFinding | undefined,
})

export async function listDomains(db: Database, accountId: string): Promise<Domain[]> {
  const rows = await db.read(sql`SELECT * FROM domains WHERE account_id = ${accountId} ORDER BY id`)
  return rows.map(domainOf)
}

export async function findDomain(
  db: Database,
  accountId: string,
  id: string,
): Promise<Domain | undefined> {
  const row = await readOne(
    db,
    sql`SELECT * FROM domains WHERE id = ${id} AND account_id = ${accountId}`,
  )
  return row && domainOf(row)
}

/** Lists the domains that were proved once and not looked at since. What never was proved is looked at on request. */
export async function listDueDomains(
  db: Database,
  checkedBefore: number,
  limit: number,
): Promise<Domain[]> {
  const rows = await db.read(
    sql`SELECT d.* FROM domains d JOIN accounts a ON a.id = d.account_id AND a.deleted_at IS NULL
      WHERE d.proved_at IS NOT NULL AND d.checked_at <= ${checkedBefore}
      ORDER BY d.checked_at LIMIT ${limit}`,
  )
  return rows.map(domainOf)
}

/** Returns false when the account has as many as it may. @throws UniqueViolation when it has this one */
export async function insertDomain(db: Database, domain: Domain): Promise<boolean> {
  const { id, accountId } = domain
  const limit = {
    ...({ ownerTable: 'accounts', ownerId: accountId, table: 'domains' } as const),
    ...({ ownerColumn: 'account_id', isCounted: ALWAYS, max: MAX_DOMAINS } as const),
  }
  const insert = sql`INSERT INTO domains (id, account_id, domain, token, created_at)
    VALUES (${id}, ${accountId}, ${domain.domain}, ${domain.token}, ${domain.createdAt})`
  return !isOverLimit(await db.write(...insertWithinStatements(limit, id, insert)))
}

/** Returns false when the account has no such domain. */
export async function deleteDomain(db: Database, accountId: string, id: string): Promise<boolean> {
  const [rows = []] = await db.write(
    sql`DELETE FROM domains WHERE id = ${id} AND account_id = ${accountId} RETURNING id`,
  )
  return rows.length > 0
}

/**
 * Stores what a look made of a domain. Returns false when it was looked at or removed meanwhile: of two one stores.
 * @param event of a change of the state; written only with it
 * @throws UniqueViolation when another account holds the domain
 */
export async function updateCheckedDomain(
  db: Database,
  seen: Domain,
  checked: Domain,
  event: AuditEvent | undefined,
): Promise<boolean> {
  const isSeen = sql`id = ${seen.id} AND COALESCE(checked_at, 0) = ${seen.checkedAt ?? 0}`
  const isHere = sql`EXISTS (SELECT 1 FROM domains WHERE ${isSeen})`
  const results = await db.write(
    // Locks the row: of two nodes the second finds none.
    sql`UPDATE domains SET token = token WHERE ${isSeen}`,
    ...(event ? [insertEventStatement(event, isHere)] : []),
    sql`UPDATE domains SET verified_at = ${checked.verifiedAt ?? null},
        proved_at = ${checked.provedAt ?? null}, checked_at = ${checked.checkedAt ?? null},
        finding = ${checked.finding ?? null} WHERE ${isSeen} RETURNING id`,
  )
  return results.at(-1)?.length === 1
}

/** Finds the domain as another account has verified it. */
export async function findHolder(db: Database, domain: string): Promise<Domain | undefined> {
  const row = await readOne(
    db,
    sql`SELECT * FROM domains WHERE domain = ${domain} AND verified_at IS NOT NULL`,
  )
  return row && domainOf(row)
}

/** The account that has verified the domain, and whether its people join without an invitation. */
export async function findVerifiedDomain(
  db: Database,
  domain: string,
): Promise<{ readonly accountId: string; readonly isJoinable: boolean } | undefined> {
  const row = await readOne(
    db,
    sql`SELECT d.account_id, a.join_by_domain FROM domains d
      JOIN accounts a ON a.id = d.account_id AND a.deleted_at IS NULL
      WHERE d.domain = ${domain} AND d.verified_at IS NOT NULL`,
  )
  return (
    row && {
      accountId: text(row, 'account_id'),
      isJoinable: optionalText(row, 'join_by_domain') === 'provider',
    }
  )
}
