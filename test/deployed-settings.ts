// The settings of a file of deploy/ as the service reads them in production: secrets come from files, and every
// name and value is accepted without a warning. For the tests of those files.
import assert from 'node:assert/strict'
import { type Config, parseConfig } from '../packages/server/src/config/config.ts'
import { FILE_VARIABLES } from '../packages/server/src/config/secret-files.ts'
import { ROUTES } from '../packages/server/src/routes.ts'

export type Environment = Readonly<Record<string, string>>

/** What the secrets could be, by the setting. */
export const SECRETS: Environment = {
  CHARTSIDE_DATABASE_URL: 'postgres://chartside:x@10.0.0.20/chartside?sslmode=verify-full',
  CHARTSIDE_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  CHARTSIDE_ADMIN_PASSWORD: 'a-long-admin-passphrase-4242',
}

/** The configuration of these settings, once each `…_FILE` has the secret of its name. */
export function readSettings(given: Environment): Config {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!name.startsWith('CHARTSIDE_')) continue
    assert.equal(typeof value, 'string', `${name} must be a text in quotes`)
    if (!FILE_VARIABLES.includes(name)) {
      assert.ok(!FILE_VARIABLES.includes(`${name}_FILE`), `${name} is a secret, in the open`)
      env[name] = value
      continue
    }
    const setting = name.replace(/_FILE$/, '')
    assert.ok(SECRETS[setting], name)
    env[setting] = SECRETS[setting] ?? ''
  }
  const { config, warnings } = parseConfig(env)
  assert.deepEqual(warnings, [])
  assert.equal(config.environment, 'production')
  return config
}

export const isServed = (path: string) => ROUTES.some((route) => route.path === path)

/** More than the drain, and what is left when it ends: an answer that takes long. */
export const isLongEnough = (seconds: number, { drainSeconds }: Config) =>
  seconds >= drainSeconds + 15
