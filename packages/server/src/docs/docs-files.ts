// The files of the documentation, and where each error code is explained. Found in the folder where
// scripts/docs-site leaves them.
import { builtFiles } from '../http/built-files.ts'

/** The build writes this as `bundle.json`. */
interface DocsBundle {
  /** The media type of each file by its name. */
  readonly files: Readonly<Record<string, string>>
  /** An address below /docs by error code. */
  readonly errors: Readonly<Record<string, string>>
}

export const DOCS_FILES = builtFiles<DocsBundle>(
  new URL('../../../docs-site/dist/', import.meta.url),
)
