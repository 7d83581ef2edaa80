// Writes what a build made into a folder that a service serves: each file whole or not at all, also compressed
// with Brotli, with `bundle.json` last, which names them. What an earlier build left is removed.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const BUNDLE = 'bundle.json'

/** An image is compressed already. */
const isText = (name: string) => extname(name) !== '.webp'

/** `files` by their names, which may have folders; `quality` of Brotli, 11 at most. */
export async function storeFiles(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
  bundle: object,
  quality: number = constants.BROTLI_MAX_QUALITY,
): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const kept = new Set([BUNDLE])
  const store = async (name: string, content: string | Uint8Array) => {
    kept.add(name)
    await replace(join(folder, name), content)
  }
  const names = [...files.keys(), BUNDLE]
  for (const place of new Set(names.map(dirname)))
    await mkdir(join(folder, place), { recursive: true })
  await Promise.all(
    [...files].map(async ([name, content]) => {
      await store(name, content)
      if (isText(name))
        await store(`${name}.br`, await promisify(brotliCompress)(content, { params }))
    }),
  )
  await store(BUNDLE, JSON.stringify(bundle))
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    // One that begins with a dot belongs to another build that runs now.
    const isOld = entry.isFile() && !entry.name.startsWith('.')
    if (isOld && !kept.has(path.slice(join(folder, '/').length))) await rm(path)
  }
}

/** A reader during two builds at once gets a complete file. */
async function replace(path: string, content: string | Uint8Array): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`)
  await writeFile(unfinished, content)
  await rename(unfinished, path)
}
