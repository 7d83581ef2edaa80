// A practice with a user of every role and one record of each kind, created again for each call. Inserts
// rows through the stores, because hashing passwords would cost more than all the rest. Owns no
// expectation.

import { insertAccountStatement } from '../src/accounts/account-store.ts'
import { newApp } from '../src/apps/app.ts'
import { insertAppStatement } from '../src/apps/app-store.ts'
import { insertClientSecret } from '../src/apps/client-secret-store.ts'
import type { Collection } from '../src/collections/collection.ts'
import {
  insertCollectionStatement,
  publishDraftStatements,
} from '../src/collections/collection-store.ts'
import { insertUserWithPasswordStatements } from '../src/credentials/login-method-store.ts'
import { type Statement, sql } from '../src/db/sql.ts'
import { insertDeveloperKey } from '../src/developer-keys/developer-key-store.ts'
import { insertDomain } from '../src/domains/domain-store.ts'
import { insertIdentityProvider } from '../src/identity-providers/identity-provider-store.ts'
import { hashBearer, mintBearer, newId } from '../src/kernel/identifiers.ts'
import type { AccountRole, PlatformRole } from '../src/kernel/user.ts'
import { masterKeysOf, seal } from '../src/keys/master-key.ts'
import { insertMemberStatement } from '../src/members/member-store.ts'
import { insertDirectoryToken } from '../src/scim/directory-token-store.ts'
import { mintSignIn } from '../src/sign-in/sign-in.ts'
import { insertSignInByMethodStatement } from '../src/sign-in/sign-in-store.ts'
import { SECRET_BYTES } from '../src/webhooks/webhook.ts'
import { insertWebhook } from '../src/webhooks/webhook-store.ts'
import type { TestService } from './test-service.ts'

export const EHR = { ehrType: 'meadow', name: 'Meadow EHR', matches: ['https://ehr.example/*'] }

export interface Actor {
  readonly id: string
  readonly token: string
  readonly methodId: string
  readonly signInId: string
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>

/** A signed-in user, and the statements that insert them. */
export function person({ service }: TestService, role: PlatformRole, name: string) {
  const now = service.clock()
  const id = newId('usr', now, service.randomness)
  const methodId = newId('mth', now, service.randomness)
  const user = { id, email: `${id}@test.example`, name, role, createdAt: now, updatedAt: now }
  const signIn = mintSignIn(service.config.sessionLifetimeSeconds, now, service.randomness)
  const statements = [
    ...insertUserWithPasswordStatements(user, methodId, 'matches no password'),
    insertSignInByMethodStatement(signIn, id, methodId),
  ]
  const actor = { id, token: signIn.token, methodId, signInId: signIn.id } satisfies Actor
  return { actor, statements }
}

export async function createFixture(node: TestService) {
  const { service } = node
  const now = service.clock()
  const statements: Statement[] = []
  const join = (role: PlatformRole, name: string, accountId?: string, as?: AccountRole) => {
    const made = person(node, role, name)
    statements.push(...made.statements)
    if (accountId && as) statements.push(insertMemberStatement(accountId, made.actor.id, as, now))
    return made.actor
  }
  const times = { createdAt: now, updatedAt: now }
  const account = (name: string, collection?: { id: string; version: 'latest' }) => {
    const id = newId('acc', now, service.randomness)
    statements.push(
      insertAccountStatement({
        ...{ id, name, collection, ...times },
        ...({ requireSecondFactor: false, joinByDomain: 'off' } as const),
      }),
    )
    return id
  }

  const app = {
    ...newApp(service.config, '', now, service.randomness),
    name: 'Notes',
    launchUrl: 'https://notes.example/launch',
    backchannelLogoutUri: 'https://notes.example/backchannel-logout',
    redirectUris: ['https://notes.example/callback'],
  }
  const draft = { ehrs: [EHR], apps: [{ appId: app.id, autoLaunch: true }] }
  const newCollectionId = () => newId('col', now, service.randomness)
  const inUse = newCollectionId()
  const accountId = account('Lakeside', { id: inUse, version: 'latest' })
  const otherAccountId = account('Hillside')
  statements.push(insertAppStatement({ ...app, accountId }))
  // One that the account uses, and one that no account uses, so that it can be deleted.
  const collectionId = newCollectionId()
  for (const id of [inUse, collectionId]) {
    const text = { name: 'Everything', description: '' }
    const collection: Collection = { id, accountId, ...text, draft, latestVersion: 0, ...times }
    statements.push(
      insertCollectionStatement(collection),
      ...publishDraftStatements(collection, '', 'test', now),
    )
  }

  const people = {
    provider: join('member', 'Provider', accountId, 'provider'),
    developer: join('member', 'Developer', accountId, 'developer'),
    accountAdmin: join('member', 'Admin', accountId, 'admin'),
    viewer: join('member', 'Viewer', accountId, 'viewer'),
    platformViewer: join('viewer', 'Platform viewer'),
    otherAdmin: join('member', 'Other', otherAccountId, 'admin'),
    platformAdmin: join('admin', 'Platform'),
  }
  await service.db.write(...statements)
  const secretId = newId('sec', now, service.randomness)
  const secret = mintBearer('cs', secretId, service.randomness)
  await insertClientSecret(service.db, {
    ...{ id: secretId, appId: app.id, secretHash: hashBearer(secret), label: undefined },
    ...{ createdAt: now, expiresAt: undefined, retiresAt: undefined, lastUsedAt: undefined },
  })
  const tokenId = newId('dir', now, service.randomness)
  const directoryToken = mintBearer('scim', tokenId, service.randomness)
  await insertDirectoryToken(service.db, {
    ...{ id: tokenId, accountId, tokenHash: hashBearer(directoryToken), label: undefined },
    ...{ createdAt: now, lastUsedAt: undefined },
  })
  const keys = {
    developer: await insertKeyOf(node, people.developer, accountId),
    provider: await insertKeyOf(node, people.provider, accountId),
  }
  const providerId = newId('idp', now, service.randomness)
  await insertIdentityProvider(service.db, {
    ...{ id: providerId, accountId, name: 'Lakeside Login', issuer: 'https://login.example' },
    ...{ clientId: 'chartside', sealedSecret: undefined, scopes: 'openid', authorizeParams: {} },
    required: false,
    ...times,
  })
  const webhookId = newId('whk', now, service.randomness)
  const masters = masterKeysOf(service.config, service.randomness)
  await insertWebhook(service.db, {
    ...{ id: webhookId, accountId, url: 'https://matrix.example/events', createdAt: now },
    ...{ previousUntil: undefined, switchedOffAt: undefined },
    sealed: seal(masters, webhookId, service.randomness.bytes(SECRET_BYTES), service.randomness),
  })
  const domainId = newId('dom', now, service.randomness)
  await insertDomain(service.db, {
    ...{ id: domainId, accountId, domain: 'lakeside.example', token: 'Jd0v', createdAt: now },
    ...{ verifiedAt: undefined, provedAt: undefined, checkedAt: undefined, finding: undefined },
  })
  service.apps.forget()
  const records = { secretId, tokenId, providerId, webhookId, domainId }
  const secrets = { secret, directoryToken, keys }
  return { people, accountId, otherAccountId, collectionId, app, ...records, ...secrets }
}

/** A developer key of this user, whatever their role is. */
async function insertKeyOf({ service }: TestService, user: Actor, accountId: string) {
  const now = service.clock()
  const id = newId('dky', now, service.randomness)
  const value = mintBearer('dk', id, service.randomness)
  const key = {
    ...{ id, userId: user.id, account: { id: accountId, name: 'Lakeside' }, name: 'Pipeline' },
    ...{ tokenHash: hashBearer(value), createdAt: now, lastUsedAt: undefined },
    expiresAt: now + 90 * 24 * 3_600_000,
  }
  await insertDeveloperKey(service.db, key, user.signInId)
  return { id, value }
}

/** A second login method, so that one can be removed. */
export const secondMethod = (actor: Actor): Statement =>
  sql`INSERT INTO login_methods (id, user_id, kind, label, created_at)
    VALUES (${`${actor.methodId}2`}, ${actor.id}, 'passkey', 'Key', 0)`
