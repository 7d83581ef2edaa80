// Fills an empty installation: the first administrator everywhere, and the sample practices,
// people, EHRs and apps in development on loopback, so that the first launch needs no set-up.
// Never touches an installation that already has a user. Contract §3 and §7.
import { isLoopbackHost } from '@chartside/protocol/oauth'
import type { Statement } from './db/database.ts'
import { SAMPLE_ADMIN_EMAIL } from './sample-data.ts'
import { newPerson, seedSamples } from './seed-samples.ts'
import type { Service } from './service.ts'
import { isAnyUserStored } from './users/user-store.ts'

export async function seedFirstStart(service: Service): Promise<void> {
  const { config, db } = service
  if (await isAnyUserStored(db)) return
  await db.write(...(await firstAdministrator(service)))
  const { hostname } = new URL(config.baseUrl)
  if (config.environment === 'development' && isLoopbackHost(hostname)) {
    await seedSamples(service)
    service.log.info('sample practices, people and apps are in place')
  }
}

async function firstAdministrator(service: Service): Promise<Statement[]> {
  const { config, randomness, log } = service
  const password = config.adminPassword || randomness.bytes(15).toString('base64url')
  const email = config.adminEmail || SAMPLE_ADMIN_EMAIL
  const who = { email, name: 'Administrator' }
  const { statements } = await newPerson(service, who, 'admin', password)
  if (!config.adminPassword) {
    // The one time a made password is shown; it goes to the terminal, never to the log.
    process.stdout.write(
      `\nFirst administrator: ${email}  password: ${password}\nKeep it; it is not shown again.\n\n`,
    )
  }
  log.info({ email }, 'first administrator made')
  return statements
}
