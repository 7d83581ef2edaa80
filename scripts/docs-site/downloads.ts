// What the documentation offers for download beside its pages: JSON that tools read. The source of each is a file
// of this repository, and a link to that file is a link to the download on the site. Pure.
import { buildManifestSchema } from '@chartside/protocol/app-manifest-schema'

export interface Download {
  /** Below /docs. */
  readonly name: string
  /** What it is made from, from the root of the repository. */
  readonly source: string
  readonly text: string
}

const toText = (content: object) => `${JSON.stringify(content, null, 2)}\n`

export const MANIFEST_SCHEMA: Download = {
  name: 'chartside.app.schema.json',
  source: 'packages/protocol/src/app-manifest-schema.ts',
  text: toText(buildManifestSchema()),
}

export const DOWNLOADS: readonly Download[] = [MANIFEST_SCHEMA]
