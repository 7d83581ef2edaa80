// The files of packages/console, and which of them the document loads. Found in the folder where the build of the
// package leaves them.
import { builtFiles } from '../http/built-files.ts'

/** The build writes this as `bundle.json`. */
interface ConsoleBundle {
  readonly script: string
  readonly sheet: string
  /** The media type of each file by its name. */
  readonly files: Readonly<Record<string, string>>
}

export const CONSOLE_FILES = builtFiles<ConsoleBundle>(
  new URL('../../../console/dist/', import.meta.url),
)
