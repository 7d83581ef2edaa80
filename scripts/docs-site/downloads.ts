// What the documentation offers for download beside its pages: JSON that tools read. Each is made from a file of
// this repository, and a link to that file is a link to the download on the site.
import { buildManifestSchema } from '@chartside/protocol/app-manifest-schema'
import { buildOpenApi } from '../../packages/server/src/meta/openapi.ts'
import { type ApiDocument, buildCollection } from './api-collection.ts'

export interface Download {
  /** The name below /docs. */
  readonly name: string
  /** The file that makes it, from the root of the repository. */
  readonly source: string
  build(): Promise<string>
}

const toText = (content: object) => `${JSON.stringify(content, null, 2)}\n`

export const MANIFEST_SCHEMA: Download = {
  name: 'chartside.app.schema.json',
  source: 'packages/protocol/src/app-manifest-schema.ts',
  build: async () => toText(buildManifestSchema()),
}

const API_COLLECTION: Download = {
  name: 'chartside.postman_collection.json',
  source: 'scripts/docs-site/api-collection.ts',
  async build() {
    // The table is the whole service: only a build needs it.
    const { ROUTES } = await import('../../packages/server/src/routes.ts')
    return toText(buildCollection(buildOpenApi(ROUTES, '') as unknown as ApiDocument))
  },
}

export const DOWNLOADS: readonly Download[] = [MANIFEST_SCHEMA, API_COLLECTION]
