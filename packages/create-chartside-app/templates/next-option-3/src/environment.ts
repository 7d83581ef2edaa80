// The settings of this process, parsed at the first use: a build knows none of them. What Next.js has
// built and start.ts use one management token, which is in the environment of this process only.
import { randomBytes } from 'node:crypto'
import { type ProviderSettings, parseSettings, type Settings } from './settings.ts'

let parsed: { settings: Settings; provider: ProviderSettings } | undefined

/** @throws Error that names the missing variable */
export function loadAll(): { settings: Settings; provider: ProviderSettings } {
  process.env.MANAGEMENT_TOKEN ??= randomBytes(32).toString('base64url')
  parsed ??= parseSettings(process.env, process.env.MANAGEMENT_TOKEN)
  return parsed
}

export const loadSettings = (): Settings => loadAll().settings
