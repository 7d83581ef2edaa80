// Which pages the site has, at which address, and in which order: one for each Markdown file of docs, in the
// order of docs/README.md, and two that are made of tables: the reasons of failed launches, and the list of
// decisions. Reads the files; writes nothing.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { REASONS } from '../../packages/server/src/kernel/reasons.ts'

export interface Source {
  /** The file below docs, such as `build/errors.md`. */
  readonly file: string
  /** The address below /docs, such as `build/errors`; empty for the first page. */
  readonly address: string
  readonly markdown: string
  readonly title: string
}

export interface Group {
  /** The folder `build`, `operate`, `use` or `inside`. */
  readonly reader: string
  /** The readers, such as `app developers`. */
  readonly people: string
  /** The pages in the order of reading. */
  readonly pages: readonly Source[]
}

const REASONS_FILE = 'build/reasons.md'
const DECISIONS = 'inside/decisions'

const addressOf = (file: string) => file.replace(/(^|\/)README\.md$|\.md$/, '')
const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? ''
const source = (file: string, markdown: string): Source => ({
  file,
  address: addressOf(file),
  markdown,
  title: titleOf(markdown),
})

/** The first page, and the groups by reader. */
export function loadPages(docs: string): { readonly home: Source; readonly groups: Group[] } {
  const sources = globSync('{README.md,*/**/*.md}', { cwd: docs })
    .sort()
    .map((file) => source(file, readFileSync(join(docs, file), 'utf8')))
  const decisions = sources.filter(({ file }) => file.startsWith(`${DECISIONS}/`))
  const [home, ...pages] = [
    ...sources,
    source(REASONS_FILE, writeReasons()),
    source(`${DECISIONS}.md`, writeDecisions(decisions)),
  ]
  if (!home) throw new Error(`${docs} has no README.md.`)
  return { home, groups: listGroups(home.markdown, pages) }
}

/** A page that docs/README.md does not name follows what it does name in the folders above. */
function listGroups(readme: string, pages: readonly Source[]): Group[] {
  const named = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => addressOf(file))
  const placeOf = (address: string): number => {
    if (address === addressOf(REASONS_FILE)) return placeOf('build/errors') + 0.5
    const found = named.indexOf(address)
    if (found >= 0) return found
    const above = dirname(address)
    return above === '.' ? named.length : placeOf(above) + 0.5
  }
  return [...readme.matchAll(/^## (\w+): (.+)$/gm)].map(([, reader = '', people = '']) => ({
    reader,
    people,
    pages: pages
      .filter(({ file }) => file.startsWith(`${reader}/`))
      .sort((a, b) => placeOf(a.address) - placeOf(b.address) || (a.file < b.file ? -1 : 1)),
  }))
}

const WHO = {
  developer: 'the developer of the app',
  app_admin: 'an administrator of the app',
  operator: 'the operator',
  provider: 'the provider',
} as const

/** The table by which the timeline explains a failed launch. */
function writeReasons(): string {
  const rows = Object.entries(REASONS).map(
    ([reason, { code, cause, fix, who }]) =>
      `| \`${reason}\` | ${code ? `\`${code}\`` : ''} | ${cause} | ${fix} | ${WHO[who]} |`,
  )
  return `# Every reason of a failed launch

The timeline of a launch and the console show the reason of a failed step to the owner of the app. The app itself receives the [error](errors.md) beside it.

| reason | the app receives | cause | what to do | who can |
|---|---|---|---|---|
${rows.join('\n')}
`
}

function writeDecisions(decisions: readonly Source[]): string {
  const rows = decisions.map(({ file, title, markdown }) => {
    const status = /^Status: (.+)$/m.exec(markdown)?.[1] ?? ''
    return `| [${title}](${file.replace('inside/', '')}) | ${status} |`
  })
  return `# Decisions

Why the service is as it is. Each decision has its context and its cost.

| decision | status |
|---|---|
${rows.join('\n')}
`
}

/** The file below docs that a link leads to; it begins with `../` outside of docs. */
export const resolveFile = (from: string, href: string): string =>
  normalize(join(dirname(from), href))

/** An address as a relative link from the page at another one, so that a site below a path works too. */
export function linkTo(from: string, to: string): string {
  const ups = from === '' ? '' : '../'.repeat(from.split('/').length)
  return `${ups}docs${to === '' ? '' : `/${to}`}`
}
