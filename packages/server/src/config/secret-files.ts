// Reads secrets from files: `CHARTSIDE_MASTER_KEY_FILE` names the file that holds the master key, as
// container platforms and service managers hand secrets over. Only settings that hold secrets have it.
import { readFileSync } from 'node:fs'
import type { Environment } from './config.ts'
import { SETTINGS } from './settings.ts'

const SUFFIX = '_FILE'
/** More is no secret but another file. */
const MAX_BYTES = 64 * 1024

/** The variables that may stand in place of a secret. */
export const FILE_VARIABLES: readonly string[] = Object.values(SETTINGS).flatMap((setting) =>
  'secret' in setting ? [setting.variable + SUFFIX] : [],
)

export interface ReadSecrets {
  readonly env: Environment
  readonly problems: readonly string[]
  /** The variables that have no value for one of these problems. */
  readonly unread: readonly string[]
}

/** The environment with the secrets of the named files. A trailing line break is no part of one. */
export function readSecretFiles(given: Environment): ReadSecrets {
  const env: Record<string, string | undefined> = { ...given }
  const problems: string[] = []
  const unread: string[] = []
  for (const variable of FILE_VARIABLES) {
    const path = given[variable]
    if (!path) continue
    const name = variable.slice(0, -SUFFIX.length)
    if (given[name]) {
      problems.push(`${variable} and ${name} are both set; keep one`)
      continue
    }
    try {
      const text = readFileSync(path, 'utf8')
      if (text.length > MAX_BYTES) problems.push(`${variable} names a file that is too large`)
      else if (text.trim() === '') problems.push(`${variable} names an empty file, ${path}`)
      else env[name] = text.replace(/\r?\n$/, '')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      problems.push(
        `${variable} names ${path}, which cannot be read (${code}): check path and owner`,
      )
    }
    if (!env[name]) unread.push(name)
  }
  return { env, problems, unread }
}
