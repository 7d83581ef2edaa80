// `chartside emergency`: makes the account for emergencies (break-glass) and takes it away. Its password
// is printed once, for a safe; each use of it is an alert. docs/use/sign-in.md, security P03.

import { type Statement, sql } from '@chartside/server/operator/database'
import {
  disableUserStatement,
  endEverySignInStatements,
  findUserByEmail,
  insertMethodStatement,
  insertOrFindUser,
  normalizeEmail,
  passwordHasher,
} from '@chartside/server/operator/people'
import { newId } from '@chartside/server/operator/runtime'
import { Command } from 'commander'
import { auditAction } from './audit-action.ts'
import {
  type CliContext,
  CommandFailed,
  loadConfig,
  openConfigured,
  withDatabase,
} from './context.ts'
import { type Output, printResult, withJson } from './output.ts'

const PASSWORD_BYTES = 18
const ALWAYS = sql`1 = 1`

export const emergencyCommand = (context: CliContext) =>
  new Command('emergency')
    .description('The account for emergencies: a password in a safe, each use of it an alert.')
    .addCommand(createCommand(context))
    .addCommand(removeCommand(context))

const createCommand = (context: CliContext) =>
  withJson(new Command('create'))
    .description('Makes the account, or gives it a new password, and prints the password once.')
    .argument('<email>', 'an address that no person has')
    .action((email: string, output: Output) =>
      withDatabase(openConfigured(loadConfig(context)), async (db) => {
        const { clock, randomness } = context
        const now = clock()
        const password = randomness.bytes(PASSWORD_BYTES).toString('base64url')
        const passwordHash = await passwordHasher(randomness).hash(password)
        const id = newId('usr', now, randomness)
        const user = await insertOrFindUser(db, {
          id,
          email: normalizeEmail(email),
          name: 'Emergency access',
          role: 'admin',
          createdAt: now,
          updatedAt: now,
        })
        if (user.id !== id && !user.isEmergency) {
          throw new CommandFailed(`${email} belongs to a person. Choose another address.`)
        }
        const methodId = newId('mth', now, randomness)
        const method = { id: methodId, kind: 'password', label: 'Password', passwordHash } as const
        await db.write(
          sql`UPDATE users SET emergency_at = ${now}, role = 'admin', disabled_at = NULL,
              removed_at = NULL
            WHERE id = ${user.id}`,
          ...withoutAccess(user.id, now),
          insertMethodStatement(user.id, method, now, ALWAYS),
        )
        await auditAction(context, db, { action: 'createEmergencyAccess', target: user.id })
        const record = { id: user.id, email: user.email, password }
        printResult(context, output, record, `Password of ${user.email}: ${password}`)
        context.note(
          'It is not shown again. Keep it in a safe. It signs in without a second factor, for an hour each\n' +
            'time, also while password sign-in is off; each sign-in is a line at error level and an event of\n' +
            'the platform. Run this command again after each use.',
        )
      }),
    )

const removeCommand = (context: CliContext) =>
  withJson(new Command('remove'))
    .description('Takes the account away and ends its sign-ins.')
    .argument('<email>', 'its address')
    .action((email: string, output: Output) =>
      withDatabase(openConfigured(loadConfig(context)), async (db) => {
        const found = await findUserByEmail(db, normalizeEmail(email))
        if (!found?.user.isEmergency) {
          throw new CommandFailed(`${email} is not an account for emergencies.`)
        }
        const now = context.clock()
        const { id } = found.user
        await db.write(disableUserStatement(id, now), ...withoutAccess(id, now))
        await auditAction(context, db, { action: 'removeEmergencyAccess', target: id })
        const { email: removed } = found.user
        const text = `Removed ${removed}, and ended its sign-ins.`
        printResult(context, output, { id, email: removed }, text)
      }),
    )

/** No earlier password, open link, membership or sign-in of the account works. Security V23. */
const withoutAccess = (userId: string, now: number): Statement[] => [
  sql`DELETE FROM login_methods WHERE user_id = ${userId}`,
  sql`DELETE FROM second_factors WHERE user_id = ${userId}`,
  sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`,
  sql`DELETE FROM members WHERE user_id = ${userId}`,
  sql`UPDATE invitations SET used_at = ${now} WHERE user_id = ${userId} AND used_at IS NULL`,
  ...endEverySignInStatements(userId, { at: now, reason: 'revoked' }),
]
