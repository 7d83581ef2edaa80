// Fills an empty installation: the first administrator everywhere, and the sample practices,
// people, EHRs and apps in development on loopback, so that the first launch needs no set-up.
// Never touches an installation that already has a user. Contract §3 and §7.

import { isLoopbackHost } from '@chartside/protocol/oauth'
import { type Config, ConfigError, type HasConfig } from '../config/config.ts'
import { findPasswordProblem, PASSWORD_PROBLEMS } from '../credentials/login-method.ts'
import type { HasPasswords } from '../credentials/password.ts'
import { type HasDatabase, UniqueViolation } from '../db/database.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { isAnyUserStored } from '../users/user-store.ts'
import { SAMPLE_ADMIN_EMAIL } from './sample-data.ts'
import { buildSamples, newPerson } from './seed-samples.ts'

type Parts = HasClock & HasConfig & HasDatabase & HasLog & HasPasswords & HasRandomness

const FOR_DEVELOPMENT =
  'This is for development, on this machine only, with sample data. --help says what production needs.\n'

export async function seedFirstStart(service: Parts): Promise<void> {
  const { config, db } = service
  if (await isAnyUserStored(db)) return
  refuseBadStart(config)
  const isSampled = config.environment === 'development' && isOnLoopback(config)
  const { email, password, statements } = await firstAdministrator(service)
  // One write: an interrupted start seeds nothing, and the next one seeds all.
  try {
    await db.write(...statements, ...(isSampled ? await buildSamples(service) : []))
  } catch (error) {
    // Another node that started at the same time was first.
    if (error instanceof UniqueViolation) return
    throw error
  }
  service.log.info({ email, isSampled }, 'first start: administrator created')
  if (!config.adminPassword) {
    // A generated password is shown once, on the terminal, never in the log.
    process.stdout.write(
      `\nFirst administrator: ${email}  password: ${password}\nKeep it; it is not shown again. Sign in at ${config.baseUrl}/console\n${isSampled ? FOR_DEVELOPMENT : ''}\n`,
    )
  }
}

/** The password of the sample people is public: no other machine may reach them. */
function isOnLoopback({ baseUrl, host }: Config): boolean {
  const listensHere = host === '::1' || isLoopbackHost(host)
  return listensHere && isLoopbackHost(new URL(baseUrl).hostname)
}

/** Refuses a bad start here and not in the configuration: a later start needs no password. @throws ConfigError */
function refuseBadStart({ environment, adminEmail, adminPassword }: Config): void {
  const isMissing = (name: string) =>
    `${name} is required at the first start in production, which creates the administrator; a later start does not need it`
  const isProduction = environment === 'production'
  const problems = [
    ...(isProduction && !adminEmail ? [isMissing('CHARTSIDE_ADMIN_EMAIL')] : []),
    ...(isProduction && !adminPassword ? [isMissing('CHARTSIDE_ADMIN_PASSWORD')] : []),
  ]
  const problem = adminPassword ? findPasswordProblem(adminPassword, adminEmail) : undefined
  if (problem) problems.push(`CHARTSIDE_ADMIN_PASSWORD: ${PASSWORD_PROBLEMS[problem]}`)
  if (problems.length > 0) throw new ConfigError(problems)
}

async function firstAdministrator(service: HasClock & HasConfig & HasPasswords & HasRandomness) {
  const { config, randomness } = service
  const password = config.adminPassword || randomness.bytes(15).toString('base64url')
  const email = config.adminEmail || SAMPLE_ADMIN_EMAIL
  const who = { email, name: 'Administrator' }
  const { statements } = await newPerson(service, who, 'admin', password)
  return { email, password, statements }
}
