// Parses the environment into the configuration with the table of settings.ts, and checks the settings
// together. Reports all problems at once and never prints a secret. Contract §7.

import { isPublicNetwork } from '../http/admission/client-address.ts'
import { FILE_VARIABLES, readSecretFiles, warnOfReadableSecrets } from './secret-files.ts'
import type { Environment } from './setting.ts'
import { readSetting, SETTINGS, type Settings } from './settings.ts'

export type Config = Settings

export interface HasConfig {
  readonly config: Config
}

/** The error of a bad environment; it has every problem, one line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  /** A warning may explain a problem, such as a variable with another name than the missing one. */
  readonly warnings: readonly string[]

  constructor(problems: readonly string[], warnings: readonly string[] = []) {
    super(`The configuration has ${problems.length} problem(s):\n  ${problems.join('\n  ')}`)
    this.name = 'ConfigError'
    this.problems = problems
    this.warnings = warnings
  }
}

/** Names of earlier configurations that are still read when the standard name is absent. */
const REPLACED_VARIABLES: Readonly<Record<string, string>> = {
  CHARTSIDE_EXTENSION_ORIGINS: 'CHARTSIDE_HOST_ORIGINS',
}

/**
 * Parses and checks the whole environment.
 * @throws ConfigError naming each bad or missing variable and what it should be.
 */
export function parseConfig(given: Environment): { config: Config; warnings: string[] } {
  const secrets = readSecretFiles(given)
  const { env, warnings: replaced } = withStandardNames(secrets.env)
  const problems: string[] = [...secrets.problems]
  const wrong = new Set<string>(secrets.unread)
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const read = readSetting(setting, env[setting.variable])
    if ('problem' in read) {
      problems.push(`${setting.variable} ${read.problem}`)
      wrong.add(setting.variable)
    }
    values[name] = 'problem' in read ? '' : read.value
  }

  // Each setting holds the value of its own parser, or an empty text and a problem in the list, so
  // that the cross-checks can run.
  const config = values as unknown as Config
  config.baseUrl ||= `http${config.tlsCertFile ? 's' : ''}://localhost:${config.port}`
  const isIssuerOwn = config.issuerUrl !== ''
  config.issuerUrl ||= `${config.baseUrl}/app-auth`
  config.docs ||= config.environment === 'production' ? 'off' : 'on'
  config.databaseUrl ||= `file:${config.dataDir}/chartside.db`
  // A variable with a wrong value is named once, and what follows from it is not named.
  if (!isIssuerOwn && wrong.has('CHARTSIDE_BASE_URL')) wrong.add('CHARTSIDE_ISSUER_URL')
  const isNew = (conflict: string) => !wrong.has(conflict.split(' ', 1)[0] ?? '')
  problems.push(...findConflicts(config, isIssuerOwn).filter(isNew))
  const warnings = [...replaced, ...warnUnknown(env), ...warnOfReadableSecrets(given)]
  if (problems.length > 0) throw new ConfigError(problems, warnings)
  return { config, warnings }
}

/** Problems of several settings together. */
function findConflicts(config: Config, isIssuerOwn: boolean): string[] {
  const problems: string[] = []
  if (config.environment === 'production') {
    if (!config.baseUrl.startsWith('https://')) {
      problems.push(
        'CHARTSIDE_BASE_URL must be an https address in production, such as https://connect.example',
      )
    }
    if (!config.issuerUrl.startsWith('https://')) {
      const origin = isIssuerOwn ? '' : '; without one it follows CHARTSIDE_BASE_URL'
      problems.push(`CHARTSIDE_ISSUER_URL must be an https address in production${origin}`)
    }
    if (!config.masterKey) {
      problems.push(
        'CHARTSIDE_MASTER_KEY is required in production: 32 random bytes in base64 (openssl rand -base64 32)',
      )
    }
    const open = config.allowedNetworks.filter(isPublicNetwork)
    if (open.length > 0) {
      problems.push(
        `CHARTSIDE_ALLOWED_NETWORKS has ${open.join(', ')}, which is of the Internet: in production a list ` +
          'of addresses does not replace the region. Name private networks only, or the country in CHARTSIDE_ALLOWED_REGIONS',
      )
    }
    if (crossesNetworkInClear(config.databaseUrl)) {
      problems.push(
        'CHARTSIDE_DATABASE_URL must say how the connection is protected in production: add ' +
          'sslmode=verify-full (or sslmode=disable where the network itself is protected)',
      )
    }
  }
  if (config.environment !== 'development' && config.keyPrepublishSeconds < 60) {
    problems.push(
      'CHARTSIDE_KEY_PREPUBLISH_SECONDS must be 60 or more outside of development: verifiers that ' +
        'read the key set again for an unknown key do so every 30 seconds at most',
    )
  }
  if (config.environment !== 'development') problems.push(...findLongLifetimes(config))
  if (new URL(config.issuerUrl).pathname !== '/app-auth') {
    problems.push(
      isIssuerOwn
        ? 'CHARTSIDE_ISSUER_URL must have the path /app-auth, where its metadata is served'
        : 'CHARTSIDE_BASE_URL must have no path: the issuer is <base URL>/app-auth, and its path must be /app-auth',
    )
  }
  return [...problems, ...findMissingPartners(config), ...findImpossibleValues(config)]
}

/** Settings that need another one beside them. */
function findMissingPartners(config: Config): string[] {
  const problems: string[] = []
  if (Boolean(config.tlsCertFile) !== Boolean(config.tlsKeyFile)) {
    const [set, missing] = config.tlsCertFile ? ['CERT', 'KEY'] : ['KEY', 'CERT']
    problems.push(`CHARTSIDE_TLS_${missing}_FILE is missing while CHARTSIDE_TLS_${set}_FILE is set`)
  }
  if (config.tlsCertFile && config.baseUrl.startsWith('http:')) {
    problems.push(
      'CHARTSIDE_BASE_URL must be an https address while CHARTSIDE_TLS_CERT_FILE is set',
    )
  }
  if (config.adminPassword && !config.adminEmail) {
    problems.push('CHARTSIDE_ADMIN_EMAIL is missing while CHARTSIDE_ADMIN_PASSWORD is set')
  }
  if (config.oidcIssuer && !(config.oidcClientId && config.oidcClientSecret)) {
    problems.push(
      'CHARTSIDE_OIDC_CLIENT_ID and CHARTSIDE_OIDC_CLIENT_SECRET are missing while CHARTSIDE_OIDC_ISSUER is set',
    )
  }
  if (config.smtpUrl && !config.mailFrom) {
    problems.push('CHARTSIDE_MAIL_FROM is missing while CHARTSIDE_SMTP_URL is set')
  }
  if (config.previousMasterKey && !config.masterKey) {
    problems.push('CHARTSIDE_MASTER_KEY is missing while CHARTSIDE_PREVIOUS_MASTER_KEY is set')
  }
  return problems
}

/** Values that exclude each other in every environment. */
function findImpossibleValues(config: Config): string[] {
  const problems: string[] = []
  if (config.workers > 1 && config.databaseUrl.startsWith('file:')) {
    problems.push(
      'CHARTSIDE_WORKERS must be 1 with the embedded database, which belongs to a single process; ' +
        'for more, set CHARTSIDE_DATABASE_URL to a PostgreSQL',
    )
  }
  if (config.metricsPort > 0 && config.metricsPort + config.workers - 1 > 65_535) {
    problems.push('CHARTSIDE_METRICS_PORT leaves no ports for CHARTSIDE_WORKERS')
  }
  const metricsAt = config.port - config.metricsPort
  if (config.metricsPort > 0 && metricsAt >= 0 && metricsAt < config.workers) {
    problems.push('CHARTSIDE_METRICS_PORT must be another port than CHARTSIDE_PORT')
  }
  if (!/^(file:|postgres(ql)?:\/\/)/.test(config.databaseUrl)) {
    problems.push('CHARTSIDE_DATABASE_URL must start with file: or postgres://')
  }
  if (config.accessTokenLifetimeSeconds > config.maxAccessTokenLifetimeSeconds) {
    problems.push(
      'CHARTSIDE_ACCESS_TOKEN_LIFETIME_SECONDS is above CHARTSIDE_MAX_ACCESS_TOKEN_LIFETIME_SECONDS',
    )
  }
  if (config.idTokenLifetimeSeconds > config.maxIdTokenLifetimeSeconds) {
    problems.push(
      'CHARTSIDE_ID_TOKEN_LIFETIME_SECONDS is above CHARTSIDE_MAX_ID_TOKEN_LIFETIME_SECONDS',
    )
  }
  return problems
}

/** Finds lifetimes over the bounds (security C02, L01). In development a longer one leaves time for a debugger. */
function findLongLifetimes(config: Config): string[] {
  return [
    ...(config.codeLifetimeSeconds > 60
      ? ['CHARTSIDE_CODE_LIFETIME_SECONDS must be 60 or less']
      : []),
    ...(config.launchLifetimeSeconds > 300
      ? ['CHARTSIDE_LAUNCH_LIFETIME_SECONDS must be 300 or less']
      : []),
  ].map((problem) => `${problem} outside of development`)
}

/** Returns whether the URL names PostgreSQL on another machine, and does not say whether TLS is used. */
function crossesNetworkInClear(databaseUrl: string): boolean {
  const [, hosts, query = ''] =
    /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)[^?]*(\?.*)?$/.exec(databaseUrl) ?? []
  if (hosts === undefined || new URLSearchParams(query).has('sslmode')) return false
  return hosts.split(',').some((host) => !/^(localhost|127\.0\.0\.1|\[::1\]|)(:\d+)?$/.test(host))
}

function warnUnknown(env: Environment): string[] {
  const known = new Set<string>([
    ...Object.values(SETTINGS).map((setting) => setting.variable),
    ...FILE_VARIABLES,
  ])
  return Object.keys(env)
    .filter((name) => name.startsWith('CHARTSIDE_') && !known.has(name))
    .map((name) => `${name} is not a setting of Chartside and is ignored; see --help`)
}

/** The environment under the standard names, and a warning for each name that was replaced. */
function withStandardNames(given: Environment): { env: Environment; warnings: string[] } {
  const env = { ...given }
  const warnings: string[] = []
  for (const [replaced, standard] of Object.entries(REPLACED_VARIABLES)) {
    if (!env[replaced] || env[standard]) continue
    env[standard] = env[replaced]
    delete env[replaced]
    warnings.push(`${replaced} is read as ${standard}; use ${standard}`)
  }
  return { env, warnings }
}

/** The configuration as it may be printed: secrets are named, never shown. */
export function describeConfig(config: Config): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const value = config[name as keyof Config]
    const isSet = value !== '' && !(Array.isArray(value) && value.length === 0)
    shown[setting.variable] = 'secret' in setting ? (isSet ? '(set)' : '(not set)') : String(value)
  }
  return shown
}

/** Describes each variable in one line, for `--help`. */
export function describeSettings(): string {
  return Object.values(SETTINGS)
    .map((setting) => {
      const fallback = setting.fallback === '' ? '' : ` [${setting.fallback}]`
      const file = 'secret' in setting ? ` Or in the file that ${setting.variable}_FILE names.` : ''
      return `  ${setting.variable}${fallback}\n      ${setting.help}${file}`
    })
    .join('\n')
}
