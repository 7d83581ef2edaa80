// Rotates the signing key as an operator does: with the command line of the service, beside the
// nodes, with their environment. Knows nothing of keys.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CLI = fileURLToPath(new URL('../../packages/server/src/cli/main.mjs', import.meta.url))

/** Gives what the command printed. @throws Error with what it said when it failed. */
export async function rotateKeys(environment: Readonly<Record<string, string>>): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', CLI, 'keys', 'rotate']
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...args, '--after-seconds', '0'],
    { env: { ...process.env, ...environment } },
  )
  return stdout.trim()
}
