// Builds the documentation as a site into packages/docs-site/dist: one HTML file for each page, the script, the
// sheet and the index of the search under names with a hash, each also compressed with Brotli. `bundle.json`
// names the files and where each error code is explained. Writes nothing else.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSearch, type Entry } from '../../packages/docs-site/src/search-index.ts'
import { buildPage } from '../../packages/ui/build.ts'
import { storeFiles } from '../../packages/ui/store.ts'
import { buildDocument } from './document.ts'
import { DOWNLOADS } from './downloads.ts'
import { type Rendered, renderMarkdown, type Targets } from './markdown.ts'
import { linkTo, loadPages, resolveFile, type Source } from './pages.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const DOCS = at('docs')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webp': 'image/webp',
}

/** The pages whose rows explain codes; of a code in several rows the first counts. */
const EXPLAINING = ['build/errors', 'build/reasons', 'build/preflight']

export interface DocsBundle {
  /** The media type of each file by its name. */
  readonly files: Readonly<Record<string, string>>
  /** An address below /docs for each error code. */
  readonly errors: Readonly<Record<string, string>>
}

export interface RenderedSite {
  readonly pages: readonly (Source & { readonly rendered: Rendered })[]
  readonly entries: readonly Entry[]
  readonly errors: Readonly<Record<string, string>>
}

/** Renders all pages as HTML fragments. `imageOf` gives the address below /docs of a file below docs. */
export function renderSite(imageOf = (file: string) => file) {
  const { home, groups } = loadPages(DOCS)
  const sources = [home, ...groups.flatMap(({ pages }) => pages)]
  const byFile = new Map(sources.flatMap((page) => namesOf(page).map((name) => [name, page])))
  const targetsOf = ({ file: from, address }: Source): Targets => ({
    image: (href) => linkTo(address, imageOf(resolveFile(from, href))),
    link(href) {
      if (/^(#|[a-z]+:)/.test(href)) return { address: href, path: href }
      const [target = '', hash] = href.split('#')
      const path = resolveFile(from, target)
      const page = byFile.get(path)
      const file = path.replace(/^(\.\.\/)+/, '')
      const download = DOWNLOADS.find(({ source }) => source === file)
      if (download) {
        return { address: linkTo(address, download.name), path: download.name, isDownload: true }
      }
      const end = hash === undefined ? '' : `#${hash}`
      return {
        address: page && `${linkTo(address, page.address)}${end}`,
        path: file,
        title: page?.title,
      }
    },
  })
  const pages = sources.map((page) => ({
    ...page,
    rendered: renderMarkdown(page.markdown, targetsOf(page)),
  }))
  return { groups, pages, entries: listEntries(pages), errors: listErrors(pages) }
}

/** A folder is the page of its README.md. */
const namesOf = ({ file, address }: Source) => [file, address]

/** Lists the entries of all pages but the first, which only lists them. */
const listEntries = ([, ...pages]: RenderedSite['pages']): Entry[] =>
  pages.flatMap(({ address, rendered }) =>
    rendered.sections.map(({ anchor, path, title, text, code }) => ({
      address: anchor === '' ? address : `${address}#${anchor}`,
      title,
      path: path.join(' › '),
      text,
      isCode: code !== undefined,
    })),
  )

function listErrors(pages: RenderedSite['pages']): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const explaining of EXPLAINING) {
    const page = pages.find(({ address }) => address === explaining)
    for (const { code, anchor } of page?.rendered.sections ?? []) {
      if (code) errors[code] ??= `${explaining}#${anchor}`
    }
  }
  return errors
}

/** Writes into `folder`, which is made when it is missing. */
export async function buildDocs(folder: string = at('packages/docs-site/dist')): Promise<void> {
  const files = new Map<string, Uint8Array>()
  const add = (name: string, content: Uint8Array) => {
    files.set(name, content)
    return name
  }
  const hashed = (name: string, content: Uint8Array) => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 10)
    const ending = extname(name)
    return add(`assets/${basename(name, ending)}-${hash}${ending}`, content)
  }
  const source = (name: string) => at(`packages/docs-site/src/${name}`)
  const built = await buildPage(source('main.ts'), source('docs.css'))
  for (const { name, content } of built.files) add(`assets/${name}`, content)
  const { groups, pages, entries, errors } = renderSite((file) =>
    hashed(file, readFileSync(join(DOCS, file))),
  )
  const site = {
    groups,
    script: `assets/${built.script}`,
    sheet: `assets/${built.sheet}`,
    search: hashed('search.json', Buffer.from(JSON.stringify(buildSearch(entries)))),
  }
  for (const page of pages) {
    const text = buildDocument(site, page, page.rendered)
    add(`${page.address || 'index'}.html`, Buffer.from(text))
  }
  for (const { name, build } of DOWNLOADS) add(name, Buffer.from(await build()))
  const types = [...files.keys()].map((name) => [name, TYPES[extname(name)]])
  const bundle: DocsBundle = { files: sorted(Object.fromEntries(types)), errors }
  await storeFiles(folder, files, bundle, QUALITY)
}

const sorted = (types: Record<string, string>) =>
  Object.fromEntries(Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1)))

/** A fiftieth of the time of quality 9, and one percent more bytes. */
const QUALITY = 7

// Without a top-level await, so that what imports this file is evaluated at once.
if (import.meta.main) void buildDocs()
