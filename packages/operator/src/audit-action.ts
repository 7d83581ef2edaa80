// Writes what a command did into the platform's audit trail, with the account of the machine that ran
// it: the command line needs no sign-in of Chartside, so this is all that is known. Never an argument
// that may be a secret. Security P02, P06.
import { type AuditEvent, insertEventStatement, PLATFORM } from '@chartside/server/operator/audit'
import type { Database } from '@chartside/server/operator/database'
import { newId } from '@chartside/server/operator/runtime'
import type { CliContext } from './context.ts'

export type OperatorAction =
  | 'archiveAuditTrail'
  | 'backUpDatabase'
  | 'changeInstallation'
  | 'collectEvidence'
  | 'copyDatabase'
  | 'partitionDatabase'
  | 'createEmergencyAccess'
  | 'createUser'
  | 'demoteUser'
  | 'disableUser'
  | 'enableUser'
  | 'eraseAccount'
  | 'eraseUser'
  | 'exportAuditTrail'
  | 'importAccount'
  | 'inviteMember'
  | 'inviteUser'
  | 'migrateDatabase'
  | 'promoteUser'
  | 'removeEmergencyAccess'
  | 'removeUser'
  | 'resealKeys'
  | 'resetUser'
  | 'restoreDatabase'
  | 'revokeKey'
  | 'rotateKeys'

interface Done {
  readonly action: OperatorAction
  /** The record, or the kind of record. */
  readonly target: string
  /** The trail of an account in place of the platform's. */
  readonly accountId?: string
  readonly detail?: Readonly<Record<string, string>>
}

/** @throws DatabaseUnavailable: the command then ends with an error, whatever it has done before. */
export async function auditAction(
  { clock, randomness, operator }: Pick<CliContext, 'clock' | 'operator' | 'randomness'>,
  db: Database,
  { action, target, accountId = PLATFORM, detail = {} }: Done,
): Promise<void> {
  const now = clock()
  const event: AuditEvent = {
    id: newId('evt', now, randomness),
    at: now,
    accountId,
    actor: 'operator',
    action,
    target,
    launchId: undefined,
    ip: 'local',
    outcome: 'ok',
    detail: { user: operator.user, host: operator.host, ...detail },
  }
  await db.write(insertEventStatement(event))
}
