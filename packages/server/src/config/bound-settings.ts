// The settings that bound something: how long things live, and how many records an account may have. Part
// of the table in settings.ts. Contract §7, §9.
import { lifetime, limit } from './setting.ts'

export const LIFETIMES = {
  launchLifetimeSeconds: lifetime(
    'CHARTSIDE_LAUNCH_LIFETIME_SECONDS',
    300,
    'Time from the creation of a launch to its first authorization request; at most 300 outside of development',
  ),
  codeLifetimeSeconds: lifetime(
    'CHARTSIDE_CODE_LIFETIME_SECONDS',
    60,
    'Lifetime of an authorization code; at most 60 outside of development',
  ),
  accessTokenLifetimeSeconds: lifetime(
    'CHARTSIDE_ACCESS_TOKEN_LIFETIME_SECONDS',
    3600,
    'Lifetime of an access token when the app sets none',
  ),
  maxAccessTokenLifetimeSeconds: lifetime(
    'CHARTSIDE_MAX_ACCESS_TOKEN_LIFETIME_SECONDS',
    14_400,
    'Maximum access token lifetime of an app',
  ),
  idTokenLifetimeSeconds: lifetime(
    'CHARTSIDE_ID_TOKEN_LIFETIME_SECONDS',
    900,
    'Lifetime of an ID token when the app sets none',
  ),
  maxIdTokenLifetimeSeconds: lifetime(
    'CHARTSIDE_MAX_ID_TOKEN_LIFETIME_SECONDS',
    3600,
    'Maximum ID token lifetime of an app',
  ),
  sessionIdleSeconds: lifetime(
    'CHARTSIDE_SESSION_IDLE_SECONDS',
    1800,
    'Idle time after which a sign-in ends',
  ),
  sessionLifetimeSeconds: lifetime(
    'CHARTSIDE_SESSION_LIFETIME_SECONDS',
    43_200,
    'Maximum lifetime of a sign-in',
  ),
} as const

export const MAXIMA = {
  maxAppsPerAccount: limit('CHARTSIDE_MAX_APPS_PER_ACCOUNT', 1000, 100_000, 'apps of an account'),
  maxCollectionsPerAccount: limit(
    'CHARTSIDE_MAX_COLLECTIONS_PER_ACCOUNT',
    200,
    100_000,
    'collections of an account',
  ),
  maxMembersPerAccount: limit(
    'CHARTSIDE_MAX_MEMBERS_PER_ACCOUNT',
    10_000,
    1_000_000,
    'members of an account, invited ones included',
  ),
  maxVersionsPerCollection: limit(
    'CHARTSIDE_MAX_VERSIONS_PER_COLLECTION',
    1000,
    1_000_000,
    'published versions of a collection',
  ),
} as const
