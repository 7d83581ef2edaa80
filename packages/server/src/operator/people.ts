// What the command line uses to manage people: users, passwords, resets, imports and the ends of sessions.
// A part of the contract with @chartside/operator (README.md); owns nothing itself.

export { eraseAccount } from '../access/account-erasure.ts'
export {
  changeUserAccess,
  eraseUser,
  insertOrRestoreUser,
  REMOVED,
} from '../access/user-access.ts'
export { sessionBroadcast } from '../cluster/session-broadcast.ts'
export { sessionSubscriptions } from '../cluster/session-subscriptions.ts'
export { OPERATOR } from '../credentials/invitation.ts'
export { insertMethodStatement } from '../credentials/login-method-store.ts'
export { passwordHasher } from '../credentials/password.ts'
export { issueReset } from '../credentials/reset.ts'
export { findSchemaErrors } from '../http/input/schema-check.ts'
export { ApiError } from '../kernel/errors.ts'
export { normalizeEmail, PLATFORM_ROLES, type PlatformRole } from '../kernel/user.ts'
export { loadMailer } from '../mail/load-mailer.ts'
export { type Mailer, MailFailed } from '../mail/mail.ts'
export { buildInvitationMail } from '../mail/mail-texts.ts'
export {
  type ImportedPerson,
  type ImportedPractice,
  importPractice,
  type NewInvitation,
} from '../onboarding/import.ts'
export type { Practice } from '../onboarding/import-plan.ts'
export { PRACTICE } from '../onboarding/import-schema.ts'
export { endEverySignInStatements } from '../sign-in/sign-in-store.ts'
export {
  disableUserStatement,
  findPlatformUser,
  findUserByEmail,
  insertOrFindUser,
  listPlatformUsers,
  type PlatformUser,
  type UserAccess,
} from '../users/user-store.ts'
