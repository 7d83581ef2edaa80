// `chartside users`: lists and makes the users of the platform, gives and takes the role of an
// administrator, disables and enables, and issues the link that recovers a lost password. Each change
// is an event of the platform's audit trail. docs/use/sign-in.md says when to use which.

import { ALWAYS, type Database, isShared } from '@chartside/server/operator/database'
import {
  changeUserAccess,
  eraseUser,
  findPlatformUser,
  insertMethodStatement,
  insertOrRestoreUser,
  issueReset,
  listPlatformUsers,
  normalizeEmail,
  OPERATOR,
  PLATFORM_ROLES,
  type PlatformRole,
  type PlatformUser,
  passwordHasher,
  REMOVED,
  sessionBroadcast,
  sessionSubscriptions,
  type UserAccess,
} from '@chartside/server/operator/people'
import { newId } from '@chartside/server/operator/runtime'
import { Argument, Command, Option } from 'commander'
import { auditAction, type OperatorAction } from './audit-action.ts'
import {
  type CliContext,
  CommandFailed,
  loadConfig,
  openConfigured,
  refused,
  withDatabase,
} from './context.ts'
import { type Output, printResult, withJson } from './output.ts'
import { formatTable, formatTime } from './table.ts'

const PAGE = 200
const GENERATED_BYTES = 15

interface NewUser extends Output {
  readonly name?: string
  readonly role: PlatformRole
}

export function usersCommand(context: CliContext): Command {
  const users = new Command('users').description('The users of the platform and their roles.')
  withJson(users.command('list'))
    .description('Every user: role, state, last sign-in.')
    .addOption(new Option('--role <role>', 'only these').choices(PLATFORM_ROLES))
    .action((options: Output & { readonly role?: PlatformRole }) => listAll(context, options))
  newUser(users, 'create', 'Makes a user with a generated password, and prints it once.').action(
    (email: string, options: NewUser) => createUser(context, email, options),
  )
  newUser(
    users,
    'invite',
    'Makes a user, and prints a link to set a password or a passkey.',
  ).action((email: string, options: NewUser) => inviteUser(context, email, options))
  ofUser(
    users,
    'reset',
    'Prints a link to replace every login method: for a lost password.',
  ).action((email: string, options: Output) => resetUser(context, email, options))
  for (const { name, about, action, access } of CHANGES) {
    ofUser(users, name, about).action((email: string, options: Output) =>
      changeUser(context, email, { action, access }, options),
    )
  }
  ofUser(
    users,
    'erase',
    'Puts the id of a removed user in place of name and address, for good.',
  ).action((email: string, options: Output) => eraseRemoved(context, email, options))
  return users
}

const address = () => new Argument('<email>', 'the address with which the person signs in')

const ofUser = (users: Command, name: string, about: string) =>
  withJson(users.command(name)).description(about).addArgument(address())

const newUser = (users: Command, name: string, about: string) =>
  ofUser(users, name, about)
    .option('--name <name>', 'how the person is called; the address without it')
    .addOption(
      new Option('--role <role>', 'of the platform; a viewer sees all and changes nothing')
        .choices(PLATFORM_ROLES)
        .default('member'),
    )

interface Change {
  readonly name: string
  readonly about: string
  readonly action: OperatorAction
  access(user: PlatformUser): UserAccess
}

const CHANGES: readonly Change[] = [
  {
    name: 'remove',
    about: 'Ends and deletes all that gives a user access. An invitation begins anew.',
    action: 'removeUser',
    access: () => REMOVED,
  },
  {
    name: 'disable',
    about: 'Ends every sign-in of a user, and lets them begin no other.',
    action: 'disableUser',
    access: ({ role }) => ({ role, isDisabled: true }),
  },
  {
    name: 'enable',
    about: 'Lets a disabled user sign in again, as before.',
    action: 'enableUser',
    access: ({ role }) => ({ role, isDisabled: false }),
  },
  {
    name: 'promote',
    about: 'Makes a user administrator of the platform.',
    action: 'promoteUser',
    access: ({ isDisabled }) => ({ role: 'admin', isDisabled }),
  },
  {
    name: 'demote',
    about: 'Takes the role of an administrator away. The last one keeps it.',
    action: 'demoteUser',
    access: ({ isDisabled }) => ({ role: 'member', isDisabled }),
  },
]

async function loadUser(db: Database, email: string): Promise<PlatformUser> {
  const user = await findPlatformUser(db, { email: normalizeEmail(email) })
  if (user) return user
  throw new CommandFailed(`There is no user ${email}. chartside users list shows all.`)
}

const stateOf = ({ isDisabled, isRemoved }: PlatformUser) =>
  isRemoved ? 'removed' : isDisabled ? 'disabled' : 'active'

const shown = (user: PlatformUser) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  disabled: user.isDisabled,
  removed: user.isRemoved,
  isEmergency: user.isEmergency === true,
  lastSignInAt: user.lastSignInAt === undefined ? null : new Date(user.lastSignInAt).toISOString(),
})

const listAll = (context: CliContext, { role, json }: Output & { readonly role?: PlatformRole }) =>
  withDatabase(openConfigured(loadConfig(context)), async (db) => {
    const users: PlatformUser[] = []
    const filters = { email: undefined, role, isDisabled: undefined, q: undefined }
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: PlatformUser[] = await listPlatformUsers(db, filters, { cursor, limit: PAGE })
      users.push(...page)
      cursor = page.length < PAGE ? undefined : page.at(-1)?.id
    }
    const rows = users.map((user) => [
      user.email,
      user.name,
      user.isEmergency ? 'admin (emergency)' : user.role,
      stateOf(user),
      user.lastSignInAt === undefined ? 'never' : formatTime(user.lastSignInAt),
    ])
    const heading = ['e-mail', 'name', 'role', 'state', 'last sign-in (UTC)']
    printResult(context, { ...(json && { json }) }, users.map(shown), formatTable(heading, rows))
  })

async function insertUser(
  context: CliContext,
  db: Database,
  email: string,
  { name = email, role }: NewUser,
): Promise<PlatformUser> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new CommandFailed(`${email} is not an e-mail address.`)
  const { randomness } = context
  const user = await insertOrRestoreUser({ db, randomness }, { email, name, role }, context.clock())
  if (user) return user
  throw new CommandFailed(
    `There is a user ${email}. chartside users promote, enable and reset change an existing one.`,
  )
}

const createUser = (context: CliContext, email: string, options: NewUser) =>
  withDatabase(openConfigured(loadConfig(context)), async (db) => {
    const { randomness, clock } = context
    const password = randomness.bytes(GENERATED_BYTES).toString('base64url')
    const passwordHash = await passwordHasher(randomness).hash(password)
    const user = await insertUser(context, db, email, options)
    const id = newId('mth', clock(), randomness)
    const method = { id, kind: 'password', label: 'Password', passwordHash } as const
    await db.write(insertMethodStatement(user.id, method, clock(), ALWAYS))
    await auditAction(context, db, { action: 'createUser', target: user.id, detail: roleOf(user) })
    printResult(
      context,
      options,
      { ...shown(user), password },
      `Password of ${user.email}: ${password}`,
    )
    context.note('It is not shown again. The person changes it after the first sign-in.')
  })

const roleOf = ({ role }: PlatformUser) => ({ role })

const inviteUser = (context: CliContext, email: string, options: NewUser) => {
  const config = loadConfig(context)
  return withDatabase(openConfigured(config), async (db) => {
    const user = await insertUser(context, db, email, options)
    await auditAction(context, db, { action: 'inviteUser', target: user.id, detail: roleOf(user) })
    await printLink(context, { config, db }, user, options)
  })
}

const resetUser = (context: CliContext, email: string, options: Output) => {
  const config = loadConfig(context)
  return withDatabase(openConfigured(config), async (db) => {
    const user = await loadUser(db, email)
    if (user.isRemoved) {
      throw new CommandFailed(`${email} was removed. Run chartside users invite ${email}.`)
    }
    if (user.isDisabled) {
      throw new CommandFailed(`${email} is disabled. Run chartside users enable ${email} first.`)
    }
    if (user.isEmergency) {
      throw new CommandFailed(
        `${email} is the account for emergencies: chartside emergency create.`,
      )
    }
    await auditAction(context, db, { action: 'resetUser', target: user.id })
    await printLink(context, { config, db }, user, options)
  })
}

async function printLink(
  context: CliContext,
  service: Pick<Parameters<typeof issueReset>[0], 'config' | 'db'>,
  user: PlatformUser,
  options: Output,
): Promise<void> {
  const about = { userId: user.id, accountId: undefined, createdBy: OPERATOR }
  const { randomness, clock } = context
  const { url, expiresAt } = await issueReset({ ...service, randomness }, about, { now: clock() })
  const until = new Date(expiresAt).toISOString()
  printResult(context, options, { ...shown(user), url, expiresAt: until }, url)
  context.note(
    `Only for ${user.email}. It works once, until ${formatTime(expiresAt)} UTC, and replaces ` +
      'every login method. Send it on a way that you trust.',
  )
}

const changeUser = (
  context: CliContext,
  email: string,
  { action, access }: Pick<Change, 'action' | 'access'>,
  options: Output,
) => {
  const config = loadConfig(context)
  return withDatabase(openConfigured(config), async (db) => {
    const { clock, randomness } = context
    const stored = await loadUser(db, email)
    const onLost = () => context.note('The nodes see the end within 15 seconds.')
    const broadcast = isShared(config.databaseUrl)
      ? sessionBroadcast({ db, clock, randomness, onLost })
      : undefined
    const subscriptions = sessionSubscriptions(broadcast)
    const changed = await changeUserAccess(
      { db, subscriptions },
      stored,
      access(stored),
      clock(),
    ).catch(refused)
    if (!changed) throw new CommandFailed(`${email} was changed at the same time. Try again.`)
    await auditAction(context, db, { action, target: stored.id })
    const text = `${changed.email}: ${changed.role}, ${stateOf(changed)}.`
    printResult(context, options, shown(changed), text)
  })
}

const eraseRemoved = (context: CliContext, email: string, options: Output) =>
  withDatabase(openConfigured(loadConfig(context)), async (db) => {
    const stored = await loadUser(db, email)
    const erased = await eraseUser({ db }, stored, context.clock()).catch(refused)
    await auditAction(context, db, { action: 'eraseUser', target: erased.id })
    printResult(context, options, shown(erased), `${erased.id}: name and address are erased.`)
    context.note(
      'Launches keep them until the retention is over, backups as long as you keep these, and the audit\n' +
        'trail a name that the person has changed (docs/operate/compliance.md).',
    )
  })
