// Runs `chartside keys` as an operator does: beside the nodes, in their environment, with retries while
// the database is down. Never touches a key itself.
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CLI = fileURLToPath(new URL('../../packages/operator/src/main.mjs', import.meta.url))
const MAX_TRIES = 15
const TRY_AGAIN_MS = 1000

/** Gives the output of the command. @throws Error with its output when each try failed. */
export async function runKeysCommand(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', CLI, 'keys', ...args],
        { env: { ...process.env, ...environment } },
      )
      return stdout.trim()
    } catch (error) {
      // Idempotent: an existing next key is the one that signs next, and a resealed one stays.
      if (tries === MAX_TRIES) throw error
      await sleep(TRY_AGAIN_MS)
    }
  }
}
