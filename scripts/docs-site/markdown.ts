// Turns one Markdown document into HTML with the anchors that GitHub gives its headings, an anchor for each
// table row that a code names, and the sections by which the search finds it. Raw HTML is shown as text.
// Pure: the caller says where links and images lead.
import { lexer, Parser, Renderer, type Token, type Tokens } from 'marked'

export interface Section {
  /** The anchor; empty for what stands before the first heading. */
  readonly anchor: string
  /** The headings above it, the title of the page first. */
  readonly path: readonly string[]
  readonly title: string
  readonly text: string
  /** The code that names a table row. */
  readonly code?: string
}

export interface Heading {
  readonly depth: number
  readonly anchor: string
  readonly title: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

/** The place to which a link of the document leads on the site. */
export interface Target {
  /** The address; undefined outside of the site. */
  readonly address: string | undefined
  /** The path is shown beside a link that leads nowhere here. */
  readonly path: string
  /** The text in place of the name of a file: a reader of the site looks for titles. */
  readonly title?: string | undefined
  /** A file for a tool: the browser saves it. */
  readonly isDownload?: boolean
}

export interface Targets {
  link(href: string): Target
  image(href: string): string
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** GitHub's rule: lower case, no punctuation but hyphen and underscore, a hyphen for each space. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

/** GitHub's rule for a title that comes again: `-1`, `-2`. */
function uniqueSlugs(): (title: string) => string {
  const used = new Set<string>()
  return (title) => {
    const slug = slugOf(title)
    let unique = slug
    for (let count = 1; used.has(unique); count += 1) unique = `${slug}-${count}`
    used.add(unique)
    return unique
  }
}

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The words of inline tokens, without marks. */
function wordsOf(tokens: readonly Token[] | undefined): string {
  return (tokens ?? [])
    .map((token) => {
      if (token.type === 'image') return ''
      if (token.type === 'br') return ' '
      return 'tokens' in token && token.tokens ? wordsOf(token.tokens) : (token as Tokens.Text).text
    })
    .join('')
    .replaceAll('\n', ' ')
}

/** The words of a block; of a table only the rows that have no anchor. */
function wordsOfBlock(token: Token, anchors: ReadonlyMap<object, string>): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    const plain = rows.filter((row) => !anchors.has(row))
    return plain.length === 0
      ? ''
      : [header, ...plain]
          .map((row) => row.map(({ tokens }) => wordsOf(tokens)).join(' '))
          .join(' ')
  }
  if (token.type === 'list') {
    const { items } = token as Tokens.List
    return items.flatMap((item) => item.tokens.map((one) => wordsOfBlock(one, anchors))).join(' ')
  }
  if (token.type === 'blockquote') {
    return (token as Tokens.Blockquote).tokens.map((one) => wordsOfBlock(one, anchors)).join(' ')
  }
  if (token.type === 'code') return (token as Tokens.Code).text
  return 'tokens' in token ? wordsOf(token.tokens) : ''
}

/** The code that begins a row, alone in its cell; of an operation with its path. */
function codeOf(row: readonly Tokens.TableCell[]): string | undefined {
  const [first, second] = row.map(({ tokens }) => tokens.filter(({ raw }) => raw.trim() !== ''))
  const [code, ...others] = first ?? []
  if (code?.type !== 'codespan' || others.length > 0) return undefined
  const name = (code as Tokens.Codespan).text
  const path = second?.[0]
  if (!METHODS.includes(name) || path?.type !== 'codespan') return name
  return `${name} ${(path as Tokens.Codespan).text}`
}

/** Headings have the first choice of their anchors, so that they are those of GitHub. */
function findAnchors(tokens: readonly Token[]): Map<object, string> {
  const anchors = new Map<object, string>()
  const unique = uniqueSlugs()
  for (const token of tokens) {
    if (token.type === 'heading') anchors.set(token, unique(wordsOf(token.tokens)))
  }
  for (const token of tokens) {
    if (token.type !== 'table') continue
    for (const row of (token as Tokens.Table).rows) {
      const code = codeOf(row)
      if (code) anchors.set(row, unique(code))
    }
  }
  return anchors
}

function listSections(tokens: readonly Token[], anchors: ReadonlyMap<object, string>): Section[] {
  const sections: Section[] = []
  const path: string[] = []
  let texts: string[] = []
  let open = { anchor: '', title: '', path: [] as string[] }
  const close = () => {
    if (open.title !== '') sections.push({ ...open, text: texts.join(' ').trim() })
    texts = []
  }
  for (const token of tokens) {
    if (token.type === 'heading') {
      close()
      const { depth, tokens: inline } = token as Tokens.Heading
      const title = wordsOf(inline)
      path.length = Math.min(path.length, depth - 1)
      open = { anchor: depth === 1 ? '' : (anchors.get(token) ?? ''), title, path: [...path] }
      path.push(title)
    } else texts.push(wordsOfBlock(token, anchors))
    if (token.type !== 'table') continue
    for (const row of (token as Tokens.Table).rows) {
      const code = codeOf(row)
      const anchor = anchors.get(row)
      if (!code || !anchor) continue
      const text = row.map(({ tokens: cell }) => wordsOf(cell)).filter((words) => words !== '')
      sections.push({ anchor, code, title: code, path: [...path], text: text.slice(1).join(' · ') })
    }
  }
  close()
  return sections
}

/** Renders with the anchors; the parser of marked calls it token by token. */
class SiteRenderer extends Renderer {
  readonly anchors: ReadonlyMap<object, string>
  readonly targets: Targets

  constructor(anchors: ReadonlyMap<object, string>, targets: Targets) {
    super()
    this.anchors = anchors
    this.targets = targets
  }

  override heading(token: Tokens.Heading): string {
    const inner = this.parser.parseInline(token.tokens)
    const anchor = this.anchors.get(token) ?? ''
    const { depth } = token
    if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`
    const label = escapeHtml(`Link to ${wordsOf(token.tokens)}`)
    const link = `<a class="anchor" href="#${anchor}" aria-label="${label}">#</a>`
    return `<h${depth} id="${anchor}">${inner} ${link}</h${depth}>\n`
  }

  override table({ header, rows }: Tokens.Table): string {
    // On a phone a long name breaks after an underscore.
    const cell = (tag: string, { tokens }: Tokens.TableCell) =>
      `<${tag}>${this.parser
        .parseInline(tokens)
        .replace(/<code>[^<]*/g, (name) => name.replaceAll('_', '_<wbr>'))}</${tag}>`
    const head = header.map((one) => cell('th', one))
    const body = rows.map((row) => {
      const anchor = this.anchors.get(row)
      const id = anchor === undefined ? '' : ` id="${escapeHtml(anchor)}"`
      return `<tr${id}>${row.map((one) => cell('td', one)).join('')}</tr>`
    })
    return `<div class="wide"><table><thead><tr>${head.join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody></table></div>\n`
  }

  override code({ text }: Tokens.Code): string {
    return `<div class="code"><pre><code>${escapeHtml(text)}\n</code></pre></div>\n`
  }

  override link({ href, tokens }: Tokens.Link): string {
    const words = this.parser.parseInline(tokens)
    const { address, path, title, isDownload } = this.targets.link(href)
    const file = path.slice(path.lastIndexOf('/') + 1)
    if (address !== undefined) {
      const isFile = [file, file.replace(/\.md$/, '')].includes(
        wordsOf(tokens).replace(/^.*\//, ''),
      )
      const how = isDownload ? ' download' : ''
      return `<a href="${escapeHtml(address)}"${how}>${isFile && title ? escapeHtml(title) : words}</a>`
    }
    const isNamed = wordsOf(tokens).includes(file)
    return isNamed ? words : `${words} (<code>${escapeHtml(path)}</code>)`
  }

  override image({ href, text }: Tokens.Image): string {
    const source = escapeHtml(this.targets.image(href))
    return `<img src="${source}" alt="${escapeHtml(text)}" loading="lazy">`
  }

  /** `<port>` in a sentence is a word. */
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escapeHtml(text)
  }
}

export function renderMarkdown(markdown: string, targets: Targets): Rendered {
  const tokens = lexer(markdown)
  const anchors = findAnchors(tokens)
  const html = Parser.parse(tokens, { renderer: new SiteRenderer(anchors, targets) })
  const headings = tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map((token) => ({
      depth: token.depth,
      anchor: anchors.get(token) ?? '',
      title: wordsOf(token.tokens),
    }))
  const title = headings.find(({ depth }) => depth === 1)?.title ?? ''
  return { title, html, headings, sections: listSections(tokens, anchors) }
}
