// The edge of POST /api/accounts/import: practices of one request, one after another, with a result for
// each. Events go into the trail of each account. Contract §10 (import).

import { insertEventStatement } from '../audit/audit-store.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import { loadMailer } from '../mail/load-mailer.ts'
import { type Mailer, MailFailed } from '../mail/mail.ts'
import { buildInvitationMail } from '../mail/mail-texts.ts'
import {
  type ImportChoices,
  type ImportedPerson,
  type ImportedPractice,
  importPractice,
  type NewInvitation,
} from './import.ts'
import { type IMPORT, type IMPORT_BODY, MAX_PEOPLE } from './import-schema.ts'

type Parts = HasClock & HasConfig & HasDatabase & HasLog & HasRandomness

type ImportCall = PersonCall<never, typeof IMPORT_BODY>

export async function importAccounts(
  service: Parts,
  call: ImportCall,
): Promise<Answer<200, typeof IMPORT>> {
  const { practices, dryRun = false, mail = false, resend = false } = call.body
  refuseTooMany(practices)
  const mailer = mail && !dryRun ? await requireMailer(service) : undefined
  const choices: ImportChoices = {
    createdBy: call.person.user.id,
    isDryRun: dryRun,
    isResent: () => resend,
    async record(event) {
      const { now, address: ip, traceId: trace } = call
      const id = newId('evt', now, service.randomness)
      const detail = { trace, ...event.detail }
      const actor = call.person.user.id
      await service.db.write(
        insertEventStatement({
          ...event,
          id,
          at: now,
          actor,
          ip,
          launchId: undefined,
          outcome: 'ok',
          detail,
        }),
      )
    },
    deliver: (invitation) => deliver(mailer, invitation, call),
  }
  try {
    const items: ImportedPractice[] = []
    for (const practice of practices) items.push(await importPractice(service, practice, choices))
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: { dryRun, items } }
  } finally {
    mailer?.close()
  }
}

/** @throws ApiError 400 */
function refuseTooMany(practices: ImportCall['body']['practices']): void {
  const people = practices.reduce((sum, one) => sum + (one.people?.length ?? 0), 0)
  if (people > MAX_PEOPLE) {
    const message = `At most ${MAX_PEOPLE} people in one request; these are ${people}.`
    throw new ApiError('invalid_request', message, [{ field: '/practices', message }])
  }
  const ids = practices.map(({ externalId }) => externalId)
  // By its place: what a caller typed is not repeated in the log.
  const twice = ids.findIndex((one, i) => ids.indexOf(one) !== i)
  if (twice >= 0) {
    const first = ids.indexOf(ids[twice] ?? '')
    const message = `This practice is there twice, first at /practices/${first}.`
    const field = `/practices/${twice}/externalId`
    throw new ApiError('invalid_request', message, [{ field, message }])
  }
}

/** @throws ApiError 400 */
async function requireMailer({ config }: HasConfig): Promise<Mailer> {
  const mailer = await loadMailer(config)
  if (mailer) return mailer
  const message = 'No mail server is configured: set CHARTSIDE_SMTP_URL, or leave mail out.'
  throw new ApiError('invalid_request', message, [{ field: '/mail', message }])
}

/** A mail that is not taken leaves the link in the answer, so that it can go another way. */
async function deliver(
  mailer: Mailer | undefined,
  invitation: NewInvitation,
  { log, traceId }: ImportCall,
): Promise<Partial<ImportedPerson>> {
  const link = {
    invitationUrl: invitation.url,
    invitationExpiresAt: rfc3339(invitation.expiresAt),
  }
  if (!mailer) return link
  const { account, ...person } = invitation
  try {
    await mailer.send(buildInvitationMail({ ...person, accountName: account.name }))
    return { mail: 'sent', invitationExpiresAt: link.invitationExpiresAt }
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error
    log.warn({ traceId, cause: error.message }, 'an invitation was not mailed')
    return { ...link, mail: 'failed', problem: error.message }
  }
}
