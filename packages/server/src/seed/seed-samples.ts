// Builds the statements that store the sample practices, people, EHRs, collection and apps of a
// development installation, from the data of sample-data.ts.

import { insertAccountStatement } from '../accounts/account-store.ts'
import { newApp } from '../apps/app.ts'
import { insertAppStatement } from '../apps/app-store.ts'
import type { Collection } from '../collections/collection.ts'
import {
  insertCollectionStatement,
  publishDraftStatements,
} from '../collections/collection-store.ts'
import type { HasConfig } from '../config/config.ts'
import { insertUserWithPasswordStatements } from '../credentials/login-method-store.ts'
import type { HasPasswords } from '../credentials/password.ts'
import type { Statement } from '../db/sql.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { type AccountRole, normalizeEmail, type PlatformRole, type User } from '../kernel/user.ts'
import { insertMemberStatement } from '../members/member-store.ts'
import {
  SAMPLE_EHRS,
  SAMPLE_PASSWORD,
  SAMPLE_PRACTICES,
  SAMPLE_UI_APP,
  SAMPLE_VENDOR,
  SAMPLE_WORKER_APP,
} from './sample-data.ts'

type Parts = HasClock & HasPasswords & HasRandomness

interface Name {
  readonly name: string
  readonly email: string
}

/** A new user with a password, and the statements that insert them. */
export async function newPerson(
  service: Parts,
  who: Name,
  role: PlatformRole,
  password: string,
): Promise<{ user: User; statements: Statement[] }> {
  const now = service.clock()
  const user: User = {
    id: newId('usr', now, service.randomness),
    email: normalizeEmail(who.email),
    name: who.name,
    role,
    createdAt: now,
    updatedAt: now,
  }
  const methodId = newId('mth', now, service.randomness)
  const passwordHash = await service.passwords.hash(password)
  return { user, statements: insertUserWithPasswordStatements(user, methodId, passwordHash) }
}

export async function buildSamples(
  service: HasClock & HasConfig & HasPasswords & HasRandomness,
): Promise<Statement[]> {
  const now = service.clock()
  const vendorId = newId('acc', now, service.randomness)
  const blank = () => ({
    ...newApp(service.config, vendorId, now, service.randomness),
    updatedAt: now,
  })
  const uiApp = { ...blank(), ...SAMPLE_UI_APP }
  const workerApp = { ...blank(), ...SAMPLE_WORKER_APP }
  const collection: Collection = {
    id: newId('col', now, service.randomness),
    accountId: vendorId,
    name: 'Sample collection',
    description: 'The sample apps on the sample EHRs.',
    draft: {
      ehrs: SAMPLE_EHRS,
      apps: [
        { appId: uiApp.id, autoLaunch: true },
        { appId: workerApp.id, autoLaunch: true },
      ],
    },
    latestVersion: 0,
    createdAt: now,
    updatedAt: now,
  }
  const { developer } = SAMPLE_VENDOR
  const [vendor, ...practices] = await Promise.all([
    accountWithPeople(service, vendorId, SAMPLE_VENDOR.name, [developer], 'developer', undefined),
    ...SAMPLE_PRACTICES.map((practice) => {
      const id = newId('acc', now, service.randomness)
      const { name, providers } = practice
      return accountWithPeople(service, id, name, providers, 'provider', collection.id)
    }),
  ])
  return [
    ...vendor,
    insertAppStatement(uiApp),
    insertAppStatement(workerApp),
    insertCollectionStatement(collection),
    ...publishDraftStatements(collection, 'First version', 'system', now),
    ...practices.flat(),
  ]
}

async function accountWithPeople(
  service: Parts,
  id: string,
  name: string,
  people: readonly Name[],
  role: AccountRole,
  collectionId: string | undefined,
): Promise<Statement[]> {
  const now = service.clock()
  const collection =
    collectionId === undefined ? undefined : ({ id: collectionId, version: 'latest' } as const)
  const account = insertAccountStatement({
    id,
    name,
    collection,
    requireSecondFactor: false,
    joinByDomain: 'off',
    createdAt: now,
    updatedAt: now,
  })
  const members = await Promise.all(
    people.map(async (who) => {
      const { user, statements } = await newPerson(service, who, 'member', SAMPLE_PASSWORD)
      return [...statements, insertMemberStatement(id, user.id, role, now)]
    }),
  )
  return [account, ...members.flat()]
}
