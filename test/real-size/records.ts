// The records of an installation of real size: practices, vendors with their apps and collections, and people of
// every role. The same seed and time give the same records. Names are long, foreign and hostile here and there.
import { insertAccountStatement } from '../../packages/server/src/accounts/account-store.ts'
import { type App, newApp } from '../../packages/server/src/apps/app.ts'
import { insertAppStatement } from '../../packages/server/src/apps/app-store.ts'
import type { CollectionContent } from '../../packages/server/src/collections/collection.ts'
import {
  insertCollectionStatement,
  publishDraftStatements,
} from '../../packages/server/src/collections/collection-store.ts'
import { insertUserWithPasswordStatements } from '../../packages/server/src/credentials/login-method-store.ts'
import type { Statement } from '../../packages/server/src/db/sql.ts'
import { newId } from '../../packages/server/src/kernel/identifiers.ts'
import type { AccountRole } from '../../packages/server/src/kernel/user.ts'
import { insertMemberStatement } from '../../packages/server/src/members/member-store.ts'
import type { Service } from '../../packages/server/src/service.ts'
import { insertUserStatement } from '../../packages/server/src/users/user-store.ts'
import { seededRandomness } from '../../packages/server/test/test-service.ts'

export const PRACTICES = 40
export const VENDORS = 12
export const APPS_OF_VENDOR = 100
const APPS_OF_COLLECTION = 8
const PROVIDERS_OF_PRACTICE = 8
/** These practices own their collection; the others run one of a vendor. */
const OWN_COLLECTIONS = 4
const DAY_MS = 24 * 60 * 60_000

export const EHRS = [
  { ehrType: 'meadow', name: 'Meadow EHR', matches: ['https://*.meadow.example/chart/*'] },
  { ehrType: 'summit', name: 'Summit Clinical', matches: ['https://summit.example/*'] },
  { ehrType: 'harbor', name: 'Harbor', matches: ['https://harbor.example/patients/*'] },
]

/** What people and attackers type into a name, as far as the service takes it. */
const HARD_NAMES = [
  '<img src=x onerror=alert(1)>',
  `Robert'); DROP TABLE apps;--`,
  '{{constructor.constructor("alert(1)")()}}',
  'W'.repeat(200),
  'The Very Reverend Doctor Maximiliana Featherstonehaugh-Cholmondeley Memorial Practice for Adult and Pediatric Medicine',
  'عيادة البحيرة',
  '湖畔診療所',
  'null',
] as const

const PLACES =
  'Lakeside Hillside Northgate Riverbend Oakwood Maple Cedar Harbor Summit Prairie'.split(' ')
const KINDS = ['Family Practice', 'Cardiology', 'Pediatrics', 'Clinic']
const WORDS = 'Visit Care Referral Coding Growth Dose Lab Chart Triage Recall'.split(' ')
const NOUNS = 'Notes Gaps Desk Watch Board Table Link Assist Planner Review'.split(' ')

export type Random = ReturnType<typeof startRandom>

/** From 0 up to 1, with identifiers from the same seed. */
export function startRandom(seed: string) {
  const randomness = seededRandomness(`real size ${seed}`)
  const number = () => randomness.bytes(4).readUInt32BE() / 2 ** 32
  return {
    randomness,
    number,
    pick: <T>(items: readonly T[]): T => items[Math.floor(number() * items.length)] as T,
  }
}

/** Of a test, or of the sandbox before it starts. */
export interface FilledNode {
  readonly service: Service
  readonly clock: () => number
}

export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
}

export interface Practice {
  readonly id: string
  readonly name: string
  readonly collectionId: string
  /** Of the collection. */
  readonly version: number
  readonly apps: readonly App[]
  readonly providers: readonly Person[]
}

export interface Records {
  readonly practices: readonly Practice[]
  readonly vendors: readonly { readonly id: string; readonly collectionId: string }[]
  /** One of each role in an account, who sign in with a password. */
  readonly actors: Readonly<Record<'practiceAdmin' | 'developer' | 'provider', Person>>
  readonly statements: readonly Statement[]
}

const hardName = (at: number, of: number): string | undefined =>
  at % of === of - 1 ? HARD_NAMES[Math.floor(at / of) % HARD_NAMES.length] : undefined

export function buildRecords(
  { service }: FilledNode,
  random: Random,
  now: number,
  passwordHash: string,
): Records {
  const { randomness } = random
  const statements: Statement[] = []
  const times = (days: number) => ({
    createdAt: now - days * DAY_MS,
    updatedAt: now - days * DAY_MS,
  })
  const account = (name: string, choice?: { id: string; version: number | 'latest' }) => {
    const id = newId('acc', now, randomness)
    const rules = { requireSecondFactor: false, joinByDomain: 'off' } as const
    const account = { id, name, collection: choice, ...rules, ...times(60) }
    statements.push(insertAccountStatement(account))
    return id
  }
  let people = 0
  const join = (
    name: string,
    accountId: string,
    role: AccountRole,
    hasPassword = false,
  ): Person => {
    const id = newId('usr', now, randomness)
    people += 1
    const user = {
      id,
      name,
      email: `${role}.${people}@real-size.example`,
      role: 'member' as const,
      ...times(50),
    }
    const methodId = newId('mth', now, randomness)
    statements.push(
      ...(hasPassword
        ? insertUserWithPasswordStatements(user, methodId, passwordHash)
        : [insertUserStatement(user)]),
      insertMemberStatement(accountId, id, role, user.createdAt),
    )
    return user
  }
  const collection = (accountId: string, name: string, id: string, apps: readonly App[]) => {
    const contentOf = (count: number): CollectionContent => ({
      ehrs: EHRS,
      apps: apps.slice(0, count).map(({ id: appId }, at) => ({
        ...{ appId, autoLaunch: at % 3 !== 2 },
        ...(at % 4 === 3 ? { ehrTypes: ['meadow'] } : {}),
      })),
    })
    const draft = contentOf(APPS_OF_COLLECTION)
    const made = { id, accountId, name, description: '', draft, latestVersion: 0, ...times(30) }
    statements.push(
      insertCollectionStatement(made),
      ...publishDraftStatements(made, 'The first version', 'usr_of_the_vendor', now - 30 * DAY_MS),
      ...publishDraftStatements(made, 'The same again', 'usr_of_the_vendor', now - 6 * DAY_MS),
    )
  }
  const vendors = Array.from({ length: VENDORS }, (_, at) => {
    const id = account(hardName(at, 6) ?? `${PLACES[at % PLACES.length]} Software Inc.`)
    const apps = Array.from({ length: APPS_OF_VENDOR }, (_unused, k): App => {
      const name = `${WORDS[k % 10]} ${NOUNS[(k + Math.floor(k / 10)) % 10]}${at === 0 ? '' : ` ${at + 1}`}`
      return {
        ...newApp(service.config, id, now - 40 * DAY_MS, randomness),
        name: hardName(k, 7) ?? name,
        launchUrl: `https://vendor-${at}.example/launch/${k}`,
        redirectUris: [`https://vendor-${at}.example/callback`],
        stagingAccess: true,
      }
    })
    statements.push(...apps.map(insertAppStatement))
    const collectionId = newId('col', now - 30 * DAY_MS, randomness)
    collection(id, hardName(at, 5) ?? 'Primary care', collectionId, apps)
    const developer = join(`Dana Developer ${at + 1}`, id, 'developer', at === 0)
    join(`Vic Vendor ${at + 1}`, id, 'admin')
    return { id, collectionId, apps, developer }
  })
  const practices = Array.from({ length: PRACTICES }, (_, at) => {
    const vendor = vendors[at % VENDORS] as (typeof vendors)[number]
    const isOwn = at >= PRACTICES - OWN_COLLECTIONS
    const collectionId = isOwn ? newId('col', now - 30 * DAY_MS, randomness) : vendor.collectionId
    const name = hardName(at, 7) ?? `${PLACES[at % 10]} ${KINDS[Math.floor(at / 10)]}`
    const isPinned = at % 5 === 4
    const id = account(name, { id: collectionId, version: isPinned ? 1 : 'latest' })
    const version = isPinned ? 1 : 2
    const chosen = isOwn ? vendors.map(({ apps }) => apps[at] as App) : vendor.apps
    if (isOwn) collection(id, 'Our own choice', collectionId, chosen)
    const admin = join(`Pat Admin ${at + 1}`, id, 'admin', at === 0)
    const providers = Array.from({ length: PROVIDERS_OF_PRACTICE }, (_unused, k) =>
      join(
        hardName(at * PROVIDERS_OF_PRACTICE + k, 30) ??
          `Dr. ${random.pick(PLACES)} ${at + 1}-${k + 1}`,
        ...([id, 'provider', at === 0 && k === 0] as const),
      ),
    )
    return {
      id,
      name,
      collectionId,
      version,
      apps: chosen.slice(0, APPS_OF_COLLECTION),
      providers,
      admin,
    }
  })
  const [practice, vendor] = [practices[0], vendors[0]]
  const provider = practice?.providers[0]
  if (!practice || !vendor || !provider) throw new Error('There is no practice and no vendor.')
  const actors = { practiceAdmin: practice.admin, developer: vendor.developer, provider }
  return { practices, vendors, actors, statements }
}
