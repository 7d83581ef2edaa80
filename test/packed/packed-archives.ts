// The archives of the packages for tests: packed once in a run of the tests, by whichever process
// needs them first, and copied to each that asks. A test file that runs by itself packs its own.
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packAll } from '../../scripts/pack.ts'

const MAX_WAIT_MS = 180_000
const POLL_MS = 100

/** Like packAll: the paths of the archives in `folder` by package name. */
export async function copyArchives(folder: string): Promise<Map<string, string>> {
  const run = process.env.CHARTSIDE_TEST_RUN_DIRECTORY
  if (!run) return packAll(folder)
  const packed = await packInto(join(run, 'archives'))
  await mkdir(folder, { recursive: true })
  const copies = packed.map(async ([name, archive]): Promise<[string, string]> => {
    const copy = join(folder, basename(archive))
    await cp(archive, copy)
    return [name, copy]
  })
  return new Map(await Promise.all(copies))
}

/** The folder is the lock, the list in it the sign that it is complete. */
async function packInto(shared: string): Promise<[name: string, archive: string][]> {
  const list = join(shared, 'list.json')
  if (await isFirst(shared)) {
    try {
      const archives = [...(await packAll(shared))]
      await writeFile(`${list}.part`, JSON.stringify(archives))
      await rename(`${list}.part`, list)
    } catch (error) {
      await rm(shared, { recursive: true, force: true })
      throw error
    }
  }
  for (let waited = 0; waited < MAX_WAIT_MS; waited += POLL_MS) {
    const text = await readFile(list, 'utf8').catch(() => undefined)
    if (text) return JSON.parse(text)
    await sleep(POLL_MS)
  }
  throw new Error(`the packages were not packed within ${MAX_WAIT_MS / 1000} s`)
}

async function isFirst(shared: string): Promise<boolean> {
  try {
    await mkdir(shared)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
