// The actions of the audit trail by the kind of what was done, as people ask for them. The service takes these names
// only in a filter, and the console has a sentence for each; a test holds both against what the service writes.

export const AUDIT_KINDS = {
  /** These actions prove who one is, or leave. */
  signIn: [
    ...['signIn', 'signInWithPassword', 'signInWithPasskey', 'oidcCallback'],
    ...['accountProviderCallback', 'verifySecondFactor', 'approve', 'pollToken', 'signOut'],
    ...['endMySignIn', 'useEmergencyAccess', 'revokeByProvider'],
  ],
  /** These actions read or export the records of other people. */
  look: [
    ...['listMembers', 'showMember', 'exportMembers', 'listSessions', 'showSession'],
    ...[
      'listLaunches',
      'showLaunch',
      'listProblemReports',
      'listAuditEvents',
      'listPlatformAuditEvents',
    ],
    ...['exportAuditEvents', 'exportPlatformAuditEvents', 'exportAuditTrail', 'collectEvidence'],
  ],
  /** Apps beside charts. */
  use: [
    ...['launch', 'authorize', 'exchange', 'replay', 'revoke', 'removeLaunch', 'openSession'],
    ...['removeSession', 'notifyLogout', 'sendProblemReport'],
  ],
  /** These actions are about apps, collections, practices and the installation. */
  run: [
    ...['createApp', 'patchApp', 'removeApp', 'preflightApp', 'createFaultRun', 'stopAppInAccount'],
    ...['letAppRunInAccount', 'createCollection', 'patchCollection', 'removeCollection'],
    ...[
      'publishVersion',
      'giveVersion',
      'widenRollout',
      'stopAppOnEhr',
      'letAppRunOnEhr',
      'stopRollout',
      'createAccount',
      'patchAccount',
      'removeAccount',
      'eraseAccount',
    ],
    ...['importAccounts', 'importAccount', 'testLogout', 'createWebhook', 'removeWebhook'],
    ...['testWebhook', 'sendWebhookEvent', 'archiveAuditTrail', 'backUpDatabase'],
    ...['migrateDatabase', 'partitionDatabase', 'changeInstallation'],
  ],
  /** These actions are about people, their roles, and the ways in which they sign in. */
  access: [
    ...['inviteMember', 'patchMember', 'changeMembers', 'removeMember', 'resetMember'],
    ...['endMembership', 'joinAccounts', 'inviteUser', 'createUser', 'patchUser', 'patchMe'],
    ...['removeUser', 'resetUser', 'eraseUser', 'promoteUser', 'demoteUser', 'disableUser'],
    ...['enableUser', 'createEmergencyAccess', 'removeEmergencyAccess', 'bindAccount', 'enrol'],
    ...['addLoginMethod', 'removeLoginMethod', 'addPasskey', 'setPassword', 'setUpSecondFactor'],
    ...['confirmSecondFactor', 'removeSecondFactor', 'replaceRecoveryCodes', 'createDomain'],
    ...[
      'checkDomain',
      'removeDomain',
      'domainVerified',
      'domainLapsed',
      'createIdentityProvider',
      'patchIdentityProvider',
    ],
    ...['deleteIdentityProvider', 'checkIdentityProvider'],
  ],
  /** The actions on the credentials of servers and directories. */
  keys: [
    ...['createSecret', 'retireSecret', 'scheduleSecretRetirement', 'secretExpiresSoon'],
    ...['changeWebhookSecret', 'createDirectoryToken', 'deleteDirectoryToken', 'createKey'],
    ...['createDeveloperKey', 'deleteDeveloperKey'],
    ...['retireKey', 'rotateKeys', 'revokeKey', 'resealKeys'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type AuditKind = keyof typeof AUDIT_KINDS

const ACTIONS: ReadonlySet<string> = new Set(Object.values(AUDIT_KINDS).flat())

export const isAuditAction = (name: string): boolean => ACTIONS.has(name)
