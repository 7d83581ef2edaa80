// What several test files need and is made once in a run of the tests, in a folder of that run, by whichever
// process needs it first. Without such a run the caller makes its own. Knows nothing of what is made.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const MAX_WAIT_MS = 180_000
const POLL_MS = 100

/**
 * What `make` gave, as JSON, here or in another process. The folder is the lock, the file in it the
 * sign that it is complete. Undefined outside of a run.
 */
export async function makeOnce<T>(
  name: string,
  make: (folder: string) => Promise<T>,
): Promise<T | undefined> {
  const run = process.env.CHARTSIDE_TEST_RUN_DIRECTORY
  if (!run) return undefined
  const folder = join(run, name)
  const made = join(folder, 'made.json')
  if (await isFirst(folder)) {
    try {
      await writeFile(`${made}.part`, JSON.stringify(await make(folder)))
      await rename(`${made}.part`, made)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }
  for (let waited = 0; waited < MAX_WAIT_MS; waited += POLL_MS) {
    const text = await readFile(made, 'utf8').catch(() => undefined)
    if (text) return JSON.parse(text)
    await sleep(POLL_MS)
  }
  throw new Error(`${name} was not made within ${MAX_WAIT_MS / 1000} s`)
}

async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
