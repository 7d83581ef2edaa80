// Reads secrets from files: `CHARTSIDE_MASTER_KEY_FILE` names the file that holds the master key, as
// container platforms and service managers hand secrets over. Only settings that hold secrets have it.
import { readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Environment } from './setting.ts'
import { SETTINGS } from './settings.ts'

const SUFFIX = '_FILE'
/** A larger file is no secret but another file. */
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

const READABLE_BY_ALL = 0o004
const PASSABLE_BY_ALL = 0o001
/** The type in statfs(2). Containers get secrets in such a file system, readable and out of reach of other users. */
const TMPFS_MAGIC = 0x01021994

/** The file system knows these of a path. Both throw for one that does not exist. */
export interface PathFacts {
  /** Returns the permissions, as in stat(2). */
  modeOf(path: string): number
  isInMemory(path: string): boolean
}

const FACTS: PathFacts = {
  modeOf: (path) => statSync(path).mode,
  isInMemory: (path) => statfsSync(path).type === TMPFS_MAGIC,
}

/** Names the files with secrets that every user of the machine can read. Windows has no such permissions. */
export function warnOfReadableSecrets(given: Environment, facts = FACTS): string[] {
  if (process.platform === 'win32') return []
  return [...FILE_VARIABLES, SETTINGS.tlsKeyFile.variable].flatMap((variable) => {
    const path = given[variable]
    if (!path || !isOpenToAll(path, facts)) return []
    return [
      `${variable} names ${path}, which every user of this machine can read: chmod o= ${path}`,
    ]
  })
}

/** Whether a file and every folder above it are open to users who are neither its owner nor in its group. */
function isOpenToAll(path: string, { modeOf, isInMemory }: PathFacts): boolean {
  try {
    if ((modeOf(path) & READABLE_BY_ALL) === 0 || isInMemory(path)) return false
    return listFoldersAbove(path).every((folder) => (modeOf(folder) & PASSABLE_BY_ALL) !== 0)
  } catch {
    return false
  }
}

function listFoldersAbove(path: string): string[] {
  const folder = dirname(resolve(path))
  return folder === dirname(folder) ? [folder] : [folder, ...listFoldersAbove(folder)]
}
