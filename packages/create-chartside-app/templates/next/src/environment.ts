// The settings of this process, parsed at the first use: a build knows none of them. Pages, proxy and
// route handlers of Next.js read them here.
import { type AppSettings, parseAppSettings } from '@chartside/app-kit/server'

let settings: AppSettings | undefined

/** @throws Error that names the missing variable */
export function loadSettings(): AppSettings {
  settings ??= parseAppSettings(process.env, '{{slug}}')
  return settings
}
