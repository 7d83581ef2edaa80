// Issues a reset: a one-time link at which a user replaces every login method. The caller has checked
// the permission of the administrator; invitation-store.ts checks it again when the link is used. The
// link of an administrator is mailed to them alone, and the other administrators get a notice. [V22]
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { User } from '../kernel/user.ts'
import { loadMailer } from '../mail/load-mailer.ts'
import { type Mailer, MailFailed } from '../mail/mail.ts'
import { buildResetMail, buildResetNotice } from '../mail/mail-texts.ts'
import { listFellowAdministrators } from '../users/user-store.ts'
import type { MAILED_ADDRESS, ONE_TIME_ADDRESS } from './credential-schema.ts'
import { mintInvitation } from './invitation.ts'
import { insertInvitationStatements, revokeCredentialLinksStatement } from './invitation-store.ts'
import { refuseEmergencyAccount } from './ordinary-user.ts'

interface ResetTarget {
  readonly userId: string
  /** The account whose administrator issued the reset, if any. */
  readonly accountId: string | undefined
  /** A user, or {@link OPERATOR}. */
  readonly createdBy: string
}

interface IssuedReset {
  readonly url: string
  readonly expiresAt: number
}

type Parts = HasConfig & HasDatabase & HasRandomness

export async function issueReset(
  { config, db, randomness }: Parts,
  { userId, accountId, createdBy }: ResetTarget,
  { now, log }: Pick<PersonCall, 'now'> & { readonly log?: PersonCall['log'] },
): Promise<IssuedReset> {
  const about = {
    userId,
    accountId,
    createdBy,
    signInId: undefined,
    purpose: 'reset',
  } as const
  const minted = mintInvitation(config.baseUrl, about, now, randomness)
  await db.write(...insertInvitationStatements(minted))
  log?.info({ user: userId }, 'reset issued')
  return { url: minted.url, expiresAt: minted.invitation.expiresAt }
}

type Addressee = Pick<User, 'id' | 'email' | 'name'>

export type ResetAnswer = Answer<201, typeof ONE_TIME_ADDRESS> | Answer<202, typeof MAILED_ADDRESS>

/**
 * Issues a reset for an administrator who has the permission. The answer has the link, or, when the user
 * administers the platform or an account, or did lately, the address to which it was mailed.
 * @throws ApiError 409 for the caller themselves, for the account for emergencies, and for an administrator
 *   without a mail server; 503 when the mail server takes no mail: then no link is open.
 */
export async function answerReset(
  service: Parts,
  user: Addressee & Pick<User, 'isEmergency'>,
  accountId: string | undefined,
  call: Pick<PersonCall, 'person' | 'now' | 'log' | 'traceId'>,
): Promise<ResetAnswer> {
  if (user.id === call.person.user.id) {
    throw new ApiError(
      'conflict',
      'You cannot reset yourself. Add or remove a way to sign in under Settings, or ask another administrator.',
    )
  }
  refuseEmergencyAccount(user, call.log)
  const headers = { 'cache-control': 'no-store' }
  const about = { userId: user.id, accountId, createdBy: call.person.user.id }
  const administrators = await listFellowAdministrators(service.db, user.id, call.now)
  if (administrators.length === 0) {
    const { url, expiresAt } = await issueReset(service, about, call)
    return { status: 201, headers, body: { url, expiresAt: rfc3339(expiresAt) } }
  }
  const mailer = await requireMailer(service)
  try {
    const reset = await issueReset(service, about, call)
    await deliverReset(service, mailer, user, reset, call)
    for (const one of administrators) {
      if (one.id !== user.id) await notify(mailer, one, user, call)
    }
    const expiresAt = rfc3339(reset.expiresAt)
    return { status: 202, headers, body: { sentTo: user.email, expiresAt } }
  } finally {
    mailer.close()
  }
}

/** @throws ApiError 409 */
async function requireMailer({ config }: HasConfig): Promise<Mailer> {
  const mailer = await loadMailer(config)
  if (mailer) return mailer
  throw new ApiError(
    'conflict',
    'The link of an administrator is mailed to them, and no mail server is configured (CHARTSIDE_SMTP_URL). On the server: chartside users reset.',
  )
}

async function deliverReset(
  { db }: HasDatabase,
  mailer: Mailer,
  user: Addressee,
  { url, expiresAt }: IssuedReset,
  { now, log, traceId }: Pick<PersonCall, 'now' | 'log' | 'traceId'>,
): Promise<void> {
  try {
    await mailer.send(buildResetMail(user, url, expiresAt))
  } catch (error) {
    await db.write(revokeCredentialLinksStatement(user.id, now))
    if (!(error instanceof MailFailed)) throw error
    log.warn({ traceId, cause: error.message }, 'a reset was not mailed')
    throw new ApiError(
      'temporarily_unavailable',
      'The mail server did not take the mail, so no link is open. Try again, or on the server: chartside users reset.',
    )
  }
}

/** The reset stands without the notice; the audit trail has the event in any case. */
async function notify(
  mailer: Mailer,
  to: Addressee,
  about: Addressee,
  { person, log, traceId }: Pick<PersonCall, 'person' | 'log' | 'traceId'>,
): Promise<void> {
  try {
    await mailer.send(buildResetNotice(to, about, person.user))
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error
    log.warn({ traceId, user: to.id, cause: error.message }, 'a notice of a reset was not mailed')
  }
}
