// The data that one start of the service leaves, for the tests to which a first start is not the subject: made once
// in a run of the tests and copied. A first start hashes the passwords of the sample people and makes three keys,
// half a second of a processor. Without a run there is nothing to copy: the service makes its own. Starts nothing
// by itself.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { makeOnce } from '../packed/made-once.ts'

/** `start` runs a service on a folder until it has ended; `dataDir` is one that no service has seen yet. */
export async function copyDataOfStart(
  name: string,
  dataDir: string,
  start: (folder: string) => Promise<unknown>,
): Promise<void> {
  const made = await makeOnce(name, async (folder) => {
    const first = join(folder, 'data')
    await start(first)
    return first
  })
  if (made) await cp(made, dataDir, { recursive: true })
}
