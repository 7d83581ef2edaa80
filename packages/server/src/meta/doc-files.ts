// The files of the reference page: Swagger UI of the npm package, and the script that starts it. Their
// address has their version, so that browsers cache them for ever; streamed from disk, so that a page
// that is rarely read takes no memory.
import { hash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answer, Call } from '../http/route.ts'
import { notFound } from '../kernel/errors.ts'

const START = fileURLToPath(new URL('doc-page.js', import.meta.url))

interface Files {
  /** Of Swagger UI, and of the script that starts it. */
  readonly version: string
  readonly folder: string
}

let files: Files | undefined

/** Found at the first request of the page. */
function loadFiles(): Files {
  if (files) return files
  const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const start = hash('sha256', readFileSync(START), 'hex').slice(0, 8)
  files = { version: `${version}-${start}`, folder: dirname(manifest) }
  return files
}

const SERVED: Readonly<Record<string, { type: string; path: (folder: string) => string }>> = {
  'swagger-ui.css': {
    type: 'text/css; charset=utf-8',
    path: (folder) => join(folder, 'swagger-ui.css'),
  },
  'swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    path: (folder) => join(folder, 'swagger-ui-bundle.js'),
  },
  'doc-page.js': { type: 'text/javascript; charset=utf-8', path: () => START },
}

/** Where a file of the page is, relative to /doc. */
export const docFilePath = (name: keyof typeof SERVED & string) =>
  `doc/${loadFiles().version}/${name}`

export async function showDocFile(
  _service: unknown,
  { params }: Call<'version' | 'file'>,
): Promise<Answer<200>> {
  const { version, folder } = loadFiles()
  const file = params.version === version ? SERVED[params.file ?? ''] : undefined
  if (!file) throw notFound('file of the reference')
  return {
    status: 200,
    headers: {
      'content-type': file.type,
      'cache-control': 'public, max-age=31536000, immutable',
    },
    body: createReadStream(file.path(folder)),
  }
}
