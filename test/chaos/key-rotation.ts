// Rotates the signing key as an operator does: with the command line of the service, beside the
// nodes, with their environment, and again when the database was away. Knows nothing of keys.
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CLI = fileURLToPath(new URL('../../packages/operator/src/main.mjs', import.meta.url))
const MAX_TRIES = 15
const TRY_AGAIN_MS = 1000

/** Gives what the command printed. @throws Error with what it said when it failed every time. */
export async function rotateKeys(environment: Readonly<Record<string, string>>): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', CLI, 'keys', 'rotate']
  for (let tries = 1; ; tries++) {
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...args, '--after-seconds', '0'],
        { env: { ...process.env, ...environment } },
      )
      return stdout.trim()
    } catch (error) {
      // Twice is as good as once: a next key that is there is the one that signs next.
      if (tries === MAX_TRIES) throw error
      await sleep(TRY_AGAIN_MS)
    }
  }
}
