// What the evidence file holds, and how its parts are built from the facts: for the paragraphs of 45 CFR
// 164.312 and 164.316 that docs/operate/compliance.md lists. Pure. Secrets are named as set or not, never shown.

import type { MigrationState } from '@chartside/server/operator/database'
import {
  decideKeyState,
  decidePublishedUntil,
  type KeyTimes,
  type StoredKey,
  sealedWith,
} from '@chartside/server/operator/keys'
import { type Config, describeConfig } from '@chartside/server/operator/runtime'
import type { AccountFacts, CopyFacts, PersonFacts, ReachFacts } from './evidence-store.ts'

const DAY_MS = 86_400_000
/** The law asks for six years: 45 CFR 164.316(b)(2)(i). */
const KEPT_YEARS = 6

const rfc3339 = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())
const daysSince = (at: number, now: number) => Math.floor((now - at) / DAY_MS)

export function describeSchema(engine: string, migrations: readonly MigrationState[]) {
  const applied = migrations.filter(({ appliedAt }) => appliedAt !== undefined)
  return {
    engine,
    version: applied.at(-1)?.version ?? 0,
    pending: migrations.filter(({ appliedAt }) => appliedAt === undefined).length,
    migrations: applied.map(({ version, name, phase, appliedAt }) => ({
      version,
      name,
      phase,
      appliedAt: rfc3339(appliedAt),
    })),
  }
}

export function describeKeys(
  keys: readonly StoredKey[],
  { now, times, rotationDays }: { now: number; times: KeyTimes; rotationDays: number },
) {
  return {
    rotationDays,
    keys: keys.map((key) => ({
      kid: key.kid,
      generation: key.generation,
      state: decideKeyState(keys, key, now, times),
      ageDays: daysSince(key.createdAt, now),
      createdAt: rfc3339(key.createdAt),
      signsFrom: rfc3339(key.signsFrom),
      publishedUntil: rfc3339(key.retiredAt ?? decidePublishedUntil(keys, key, times)),
      // The first digits of the hash of the master key; nothing for a key that was wiped.
      masterKey: sealedWith(key.sealed) || null,
    })),
  }
}

export const describeUsers = (people: readonly PersonFacts[], hasAddresses: boolean) =>
  people.map(({ email, ...person }) => (hasAddresses ? { email, ...person } : person))

/** Describes the people who may change what others may do. */
export function describeAdministrators(people: readonly PersonFacts[]) {
  const active = people.filter(({ isDisabled }) => !isDisabled)
  const ofPlatform = active.filter(({ platformRole }) => platformRole === 'admin')
  return {
    platform: ofPlatform.map(({ id, secondFactor, isEmergency }) => ({
      id,
      secondFactor,
      isEmergency,
    })),
    accounts: active.flatMap(({ id, secondFactor, memberships }) =>
      memberships
        .filter(({ role, isInvited }) => role === 'admin' && !isInvited)
        .map(({ accountId }) => ({ accountId, id, secondFactor })),
    ),
  }
}

export const describeSessions = (config: Config, accounts: readonly AccountFacts[]) => ({
  idleSeconds: config.sessionIdleSeconds,
  lifetimeSeconds: config.sessionLifetimeSeconds,
  accessTokenSeconds: {
    fallback: config.accessTokenLifetimeSeconds,
    max: config.maxAccessTokenLifetimeSeconds,
  },
  idTokenSeconds: {
    fallback: config.idTokenLifetimeSeconds,
    max: config.maxIdTokenLifetimeSeconds,
  },
  passwordSignIn: config.passwordSignIn,
  secondFactor: config.secondFactor,
  accountsThatRequireSecondFactor: accounts
    .filter(({ requiresSecondFactor }) => requiresSecondFactor)
    .map(({ id }) => id),
})

export function describeBackups(copies: readonly CopyFacts[], now: number) {
  const last = copies.find(({ action }) => action === 'backUpDatabase')
  return {
    lastBackupAt: rfc3339(last?.at),
    lastBackupAgeDays: last ? daysSince(last.at, now) : null,
    // Backups that other tools make, such as those of a PostgreSQL service, are not seen here.
    recorded: copies.map(({ at, action, with: file, by }) => ({
      at: rfc3339(at),
      action,
      with: file ?? null,
      by: by ?? null,
    })),
  }
}

export const describeRetention = (config: Config, reach: ReachFacts, now: number) => ({
  auditTrail: 'for ever',
  requiredYears: KEPT_YEARS,
  oldestEventAt: rfc3339(reach.oldestEventAt),
  oldestEventAgeDays:
    reach.oldestEventAt === undefined ? null : daysSince(reach.oldestEventAt, now),
  launchesAndSignInsHours: config.retentionHours,
  oldestLaunchAt: rfc3339(reach.oldestLaunchAt),
  oldestSignInAt: rfc3339(reach.oldestSignInAt),
})

/** Describes how requests and statements are protected on their way, and from where apps may call. */
export function describeTransport(config: Config) {
  const isRemote = !config.databaseUrl.startsWith('file:')
  const query = /\?(.*)$/.exec(config.databaseUrl)?.[1] ?? ''
  return {
    baseUrl: config.baseUrl,
    isHttps: config.baseUrl.startsWith('https:'),
    strictTransportSecurity: config.baseUrl.startsWith('https:'),
    database: isRemote
      ? `sslmode ${new URLSearchParams(query).get('sslmode') ?? 'not set'}`
      : 'a file',
    trustedProxies: config.trustedProxies,
    allowedRegions: config.allowedRegions,
    allowedNetworks: config.allowedNetworks,
    hostOrigins: config.hostOrigins,
  }
}

export const describeConfiguration = (config: Config) => describeConfig(config)
