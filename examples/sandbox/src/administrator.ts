// The administrator of a sandbox: the address is that of the sample data, the password is random, made at the first start
// and kept beside the data, so that no page on the Internet knows it. Security V29.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SAMPLE_ADMIN_EMAIL } from '@chartside/server/sample-data'

export interface Administrator {
  readonly email: string
  readonly password: string
}

/** docs/build/by-hand.md and the conformance suite read it. */
const FILE = 'administrator-password'

export async function loadAdministrator(dataDir: string): Promise<Administrator> {
  const path = join(dataDir, FILE)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const made = randomBytes(15).toString('base64url')
  // Fails for a file that exists: its password is the one that the first start has stored.
  await writeFile(path, `${made}\n`, { flag: 'wx', mode: 0o600 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  return { email: SAMPLE_ADMIN_EMAIL, password: (await readFile(path, 'utf8')).trim() }
}
