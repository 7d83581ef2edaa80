// The settings of this process, parsed at the first use: a build knows none of them. What Next.js has
// built and main.mjs use one management token, which is in the environment of this process only.
import { randomBytes } from 'node:crypto'
import { type ProviderAppSettings, parseProviderAppSettings } from '@chartside/app-kit/server'

let parsed: ReturnType<typeof parseProviderAppSettings> | undefined

/** @throws Error that names the missing variable */
export function loadAll() {
  process.env.MANAGEMENT_TOKEN ??= randomBytes(32).toString('base64url')
  parsed ??= parseProviderAppSettings(process.env, '{{slug}}', process.env.MANAGEMENT_TOKEN)
  return parsed
}

export const loadSettings = (): ProviderAppSettings => loadAll().settings
