// Reads what docs/inside/spec states: the requirements with their ids, the reasons why some have no test,
// and the numbers of the headings that comments cite. Pure: text in, data out.

export interface Requirement {
  readonly id: string
  readonly text: string
}

export interface Section {
  readonly title: string
  readonly requirements: readonly Requirement[]
}

/** Characters that begin an id, as docs/inside/spec/security.md uses them. */
export const ID = '[ACDFHIJKLPRTUVX][0-9]{2}'

const ITEM = new RegExp(`^- \\*\\*(${ID})\\*\\* (.+)$`)

function parseItem(line: string): Requirement[] {
  const [, id, text] = ITEM.exec(line) ?? []
  return id === undefined || text === undefined ? [] : [{ id, text }]
}

/** The sections of docs/inside/spec/security.md that hold requirements. */
export function parseSections(markdown: string): Section[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      return { title, requirements: lines.flatMap(parseItem) }
    })
    .filter(({ requirements }) => requirements.length > 0)
}

/** Reads id → reason of docs/inside/spec/without-test.md. */
export function parseReasons(markdown: string): ReadonlyMap<string, string> {
  const items = markdown.split('\n').flatMap(parseItem)
  return new Map(items.map(({ id, text }) => [id, text]))
}

/** The numbers that begin the headings of a page: `2`, `2.1`. */
export function listHeadingNumbers(markdown: string): ReadonlySet<string> {
  const headings = markdown.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)
  return new Set([...headings].map(([, number = '']) => number))
}

/** Ids that a list of requirements or reasons has twice. */
export function listDoubled(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}
