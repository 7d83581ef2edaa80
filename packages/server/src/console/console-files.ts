// The bundle of packages/console: which files it has, and which of them the document loads. Found in
// the folder where the build of the package leaves it; read at first use, not at start, and served
// from disk, so that it takes no memory of a node.
import { createReadStream, readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../../../console/dist/', import.meta.url)

/** The build writes this as `bundle.json`. */
export interface ConsoleBundle {
  readonly script: string
  readonly sheet: string
  /** The media type of each file by its name. */
  readonly files: Readonly<Record<string, string>>
}

let bundle: ConsoleBundle | undefined

/** @throws Error when the package is not built */
export function loadBundle(): ConsoleBundle {
  bundle ??= JSON.parse(readFileSync(new URL('bundle.json', FOLDER), 'utf8')) as ConsoleBundle
  return bundle
}

export interface ConsoleFile {
  readonly type: string
  /** As it is, or compressed with Brotli. */
  open(isCompressed: boolean): Readable
}

/** Undefined for a name that the bundle does not have. */
export function findConsoleFile(name: string): ConsoleFile | undefined {
  const { files } = loadBundle()
  const type = Object.hasOwn(files, name) ? files[name] : undefined
  if (type === undefined) return undefined
  const path = fileURLToPath(new URL(name, FOLDER))
  return { type, open: (isCompressed) => createReadStream(isCompressed ? `${path}.br` : path) }
}
