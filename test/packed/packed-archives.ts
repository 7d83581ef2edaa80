// The archives of the packages for tests: packed once in a run of the tests, and copied to each file
// that asks. A test file that runs by itself packs its own.
import { cp, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { packAll } from '../../scripts/pack.ts'
import { makeOnce } from './made-once.ts'

/** Like packAll: the paths of the archives in `folder` by package name. */
export async function copyArchives(folder: string): Promise<Map<string, string>> {
  const packed = await makeOnce('archives', async (shared) => [...(await packAll(shared))])
  if (!packed) return packAll(folder)
  await mkdir(folder, { recursive: true })
  const copies = packed.map(async ([name, archive]): Promise<[string, string]> => {
    const copy = join(folder, basename(archive))
    await cp(archive, copy)
    return [name, copy]
  })
  return new Map(await Promise.all(copies))
}
