// The edge of the documentation: a page at the address of its Markdown file, and one address for each error
// code. All pages have the policy of the console; they are the same for every caller. Security H01.
import type { HasConfig } from '../config/config.ts'
import { BUILT_PAGE_HEADERS, IMMUTABLE } from '../http/built-files.ts'
import type { PageCall, Reply } from '../http/call.ts'
import { notFound } from '../kernel/errors.ts'
import { DOCS_FILES } from './docs-files.ts'

const PAGE_HEADERS = { ...BUILT_PAGE_HEADERS, 'cache-control': 'public, max-age=300' } as const

/** Below `/docs/` the first page would not find its files: its links are relative to `/docs`. */
export async function showDocsPage(service: HasConfig, call: PageCall): Promise<Reply> {
  const { baseUrl, docs } = service.config
  return docs === 'on' && call.rest === '' ? lead(`${baseUrl}/docs`) : showDocs(service, call)
}

/** Shows `/docs` and all addresses below it; `rest` is empty for the first page. */
export async function showDocs({ config }: HasConfig, call: PageCall): Promise<Reply> {
  const reply = config.docs === 'on' ? findReply(config.baseUrl, call) : undefined
  if (!reply) throw notFound('page of the documentation')
  return reply
}

function findReply(baseUrl: string, call: PageCall): Reply | undefined {
  const { rest } = call
  const [folder, name = ''] = rest.split('/')
  if (folder === 'assets') return DOCS_FILES.reply(rest, call, IMMUTABLE)
  // What a tool reads: a schema, a collection.
  if (rest.endsWith('.json')) return DOCS_FILES.reply(rest, call, PAGE_HEADERS)
  if (folder !== 'errors') return DOCS_FILES.reply(`${rest || 'index'}.html`, call, PAGE_HEADERS)
  const { errors } = DOCS_FILES.load()
  if (!Object.hasOwn(errors, name)) return undefined
  return lead(`${baseUrl}/docs/${errors[name]}`)
}

const lead = (location: string): Reply => ({
  status: 302,
  headers: { location, 'cache-control': 'max-age=300' },
})
