// An audit event as one plain sentence: who did what to what. Each action has its verb and its object; a test compares
// them with the actions that the service writes. An action of another version keeps its own name. Pure.

type Verb = keyof typeof PAST

const PAST = {
  add: 'added',
  answer: 'answered',
  'ask for': 'asked for',
  begin: 'began',
  change: 'changed',
  check: 'checked',
  confirm: 'confirmed',
  verify: 'verified',
  delete: 'deleted',
  disable: 'disabled',
  enable: 'enabled',
  end: 'ended',
  erase: 'erased',
  exchange: 'exchanged',
  export: 'exported',
  import: 'imported',
  invite: 'invited',
  give: 'gave',
  let: 'let',
  'look at': 'looked at',
  make: 'made',
  open: 'opened',
  publish: 'published',
  remove: 'removed',
  report: 'reported',
  reset: 'reset',
  retire: 'retired',
  send: 'sent',
  set: 'set',
  sign: 'signed',
  stop: 'stopped',
  use: 'used',
  warn: 'warned',
  withdraw: 'withdrew',
} as const

/** The words of each action; `*` is the name of the target. */
export const ACTIONS: Readonly<Record<string, readonly [verb: Verb, object: string]>> = {
  // Launches
  launch: ['open', 'the app *'],
  authorize: ['begin', 'the authorization of the app *'],
  exchange: ['exchange', 'a code of the app * for a token'],
  replay: ['send', 'a code of the app * again'],
  revoke: ['withdraw', 'a token of the app *'],
  openSession: ['open', 'an EHR session'],
  removeSession: ['end', 'an EHR session'],
  removeLaunch: ['end', 'a launch'],
  showLaunch: ['look at', 'a launch'],
  listLaunches: ['look at', 'the list of launches'],
  listSessions: ['look at', 'the list of EHR sessions'],
  showSession: ['look at', 'an EHR session'],
  // Signing in
  signIn: ['sign', 'in with a password'],
  signInWithPassword: ['sign', 'in with a password'],
  signInWithPasskey: ['sign', 'in with a passkey'],
  oidcCallback: ['sign', 'in at an identity provider'],
  accountProviderCallback: ['sign', 'in at the provider of a practice'],
  verifySecondFactor: ['confirm', 'a sign-in by the second factor'],
  approve: ['confirm', 'the sign-in of an extension'],
  pollToken: ['begin', 'to work in an extension'],
  bindAccount: ['add', 'a provider of a practice to their own sign-in'],
  signOut: ['sign', 'out'],
  endMySignIn: ['end', 'one of their own sign-ins'],
  useEmergencyAccess: ['use', 'the account for emergencies'],
  setUpSecondFactor: ['begin', 'to set up a second factor'],
  confirmSecondFactor: ['set', 'up a second factor'],
  removeSecondFactor: ['remove', 'their own second factor'],
  replaceRecoveryCodes: ['make', 'new recovery codes'],
  enrol: ['set', 'up a second factor at the sign-in'],
  addLoginMethod: ['ask for', 'a further way to sign in'],
  addPasskey: ['add', 'a passkey'],
  removeLoginMethod: ['remove', 'a way to sign in'],
  setPassword: ['set', 'a password'],
  joinAccounts: ['answer', 'an invitation'],
  patchMe: ['change', 'their own name'],
  // People
  listMembers: ['look at', 'the list of members'],
  showMember: ['look at', 'the page of *'],
  exportMembers: ['export', 'the list of members'],
  inviteMember: ['invite', '*'],
  patchMember: ['change', 'the membership of *'],
  changeMembers: ['change', 'several memberships'],
  removeMember: ['remove', '* from the practice'],
  resetMember: ['reset', 'the sign-in of *'],
  endMembership: ['end', 'the membership of * at its time'],
  inviteUser: ['invite', 'the user *'],
  createUser: ['make', 'the user *'],
  patchUser: ['change', 'the user *'],
  removeUser: ['remove', 'the user *'],
  resetUser: ['reset', 'the sign-in of the user *'],
  eraseUser: ['erase', 'a user'],
  promoteUser: ['add', '* to the administrators of the platform'],
  demoteUser: ['remove', '* from the administrators of the platform'],
  disableUser: ['disable', 'the user *'],
  enableUser: ['enable', 'the user *'],
  createEmergencyAccess: ['make', 'the account for emergencies'],
  removeEmergencyAccess: ['remove', 'the account for emergencies'],
  listProblemReports: ['look at', 'the reports of problems'],
  sendProblemReport: ['report', 'a problem'],
  // Practices
  createAccount: ['make', 'the account *'],
  patchAccount: ['change', 'the account *'],
  removeAccount: ['delete', 'the account *'],
  eraseAccount: ['erase', 'an account'],
  importAccounts: ['import', 'accounts'],
  importAccount: ['import', 'the account *'],
  stopAppInAccount: ['stop', 'the app * in the practice'],
  letAppRunInAccount: ['let', 'the app * run in the practice again'],
  createIdentityProvider: ['add', 'an identity provider'],
  patchIdentityProvider: ['change', 'an identity provider'],
  deleteIdentityProvider: ['remove', 'an identity provider'],
  checkIdentityProvider: ['check', 'an identity provider'],
  createDomain: ['add', 'an e-mail domain'],
  checkDomain: ['look at', 'the DNS of an e-mail domain'],
  removeDomain: ['remove', 'an e-mail domain'],
  domainVerified: ['verify', 'an e-mail domain'],
  revokeByProvider: ['end', 'the sign-ins of *'],
  domainLapsed: ['end', 'the proof of an e-mail domain'],
  createDirectoryToken: ['make', 'a token for a directory'],
  deleteDirectoryToken: ['delete', 'a token of a directory'],
  createDeveloperKey: ['make', 'a developer key of their own'],
  deleteDeveloperKey: ['delete', 'a developer key of their own'],
  // Apps
  createApp: ['add', 'the app *'],
  patchApp: ['change', 'the app *'],
  removeApp: ['delete', 'the app *'],
  preflightApp: ['check', 'the pages of the app *'],
  createFaultRun: ['send', 'a fault run of the app *'],
  stopAppOnEhr: ['stop', 'the app * on one EHR'],
  letAppRunOnEhr: ['let', 'the app * run on one EHR again'],
  createSecret: ['make', 'a client secret'],
  retireSecret: ['retire', 'a client secret'],
  scheduleSecretRetirement: ['set', 'when a client secret retires'],
  secretExpiresSoon: ['warn', 'of a client secret that expires soon'],
  testLogout: ['send', 'a logout notice as a test'],
  notifyLogout: ['send', 'a logout notice'],
  createWebhook: ['add', 'a webhook'],
  removeWebhook: ['remove', 'a webhook'],
  changeWebhookSecret: ['change', 'the secret of a webhook'],
  testWebhook: ['send', 'an event to a webhook as a test'],
  sendWebhookEvent: ['send', 'an event to a webhook'],
  createCollection: ['make', 'the collection *'],
  patchCollection: ['change', 'the collection *'],
  removeCollection: ['delete', 'the collection *'],
  publishVersion: ['publish', 'a version of the collection *'],
  giveVersion: ['change', 'which practices get the newest version of the collection *'],
  widenRollout: ['give', 'the newest version of the collection * to all practices'],
  stopRollout: ['stop', 'the rollout of the newest version of the collection *'],
  // Audit and the installation
  listAuditEvents: ['look at', 'the audit trail'],
  listPlatformAuditEvents: ['look at', 'the audit trail of the platform'],
  exportAuditEvents: ['export', 'the audit trail'],
  exportPlatformAuditEvents: ['export', 'the audit trail of the platform'],
  exportAuditTrail: ['export', 'the audit trail'],
  archiveAuditTrail: ['export', 'old audit events to an archive'],
  collectEvidence: ['export', 'evidence for an audit'],
  backUpDatabase: ['export', 'a backup'],
  migrateDatabase: ['change', 'the layout of the database'],
  partitionDatabase: ['change', 'the partitions of the database'],
  changeInstallation: ['change', 'the installation'],
  createKey: ['make', 'a signing key'],
  retireKey: ['retire', 'a signing key'],
  rotateKeys: ['change', 'the signing keys'],
  revokeKey: ['retire', 'a leaked signing key at once'],
  resealKeys: ['change', 'the key that seals the others'],
}

/** Describes an action without a person and a name: “looked at the list of members”. */
export function describeAction(action: string): string {
  const [verb, object] = ACTIONS[action] ?? []
  return verb && object !== undefined ? `${PAST[verb]} ${object.replace(' *', '')}` : action
}

const ACTORS: ReadonlyMap<string, string> = new Map([
  ['nobody', 'Someone without a sign-in'],
  ['service', 'The service'],
  ['operator', 'An operator of the installation'],
])

/** An app's server has no name in the trail. */
const nameActor = (actor: string, nameOf: (id: string) => string | undefined): string =>
  nameOf(actor) ?? ACTORS.get(actor) ?? (actor.startsWith('cli_') ? 'The server of the app' : actor)

/** Describes an event: “Dana Reyes changed the app Visit Notes.”; of a refusal “Dana Reyes tried to change …” */
export function describeEvent(
  {
    actor,
    action,
    target,
    outcome,
  }: {
    readonly actor: string
    readonly action: string
    readonly target: string
    readonly outcome: 'ok' | 'refused'
  },
  nameOf: (id: string) => string | undefined,
): string {
  const who = nameActor(actor, nameOf)
  const [verb, object] = ACTIONS[action] ?? []
  if (!verb || object === undefined) return `${who}: ${action}.`
  // A function, because a name may hold what a replacement text would take as its own signs.
  const what = object.replace('*', () => nameOf(target) ?? target)
  return outcome === 'ok' ? `${who} ${PAST[verb]} ${what}.` : `${who} tried to ${verb} ${what}.`
}
