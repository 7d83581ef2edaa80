// The settings of this process, parsed at the first use: a build knows none of them. Pages, proxy and
// route handlers of Next.js read them here.
import { parseSettings, type Settings } from './settings.ts'

let settings: Settings | undefined

/** @throws Error that names the missing variable */
export function loadSettings(): Settings {
  settings ??= parseSettings(process.env)
  return settings
}
