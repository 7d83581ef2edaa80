// Finds the test titles that carry requirement ids: string literals that end in `[C05]` or
// `[A14, A15]`. A title that takes its id from published vectors counts for each id in them. Reads
// source text; runs none of it.
import { ID } from './catalog.ts'

export interface TaggedTitle {
  /** The title without the ids. Each `${…}` of a template is shown as an ellipsis. */
  readonly title: string
  readonly ids: readonly string[]
}

const TAGS = new RegExp(`((?:\\[${ID}(?:[, ]+${ID})*\\] ?)+)(['"\`])`, 'g')
const FROM_VECTORS = /`([^`\n]*)\[\$\{requirement\}\]`/g

const listIds = (text: string): string[] =>
  [...text.matchAll(new RegExp(ID, 'g'))].map(([id]) => id)

const shown = (text: string): string =>
  text
    .replace(/\$\{[^}]*\}/g, '…')
    .replace(/\\(['"`])/g, '$1')
    .trim()

/** Returns where the literal begins that ends in this quote; -1 when the line has no such quote. */
function findOpening(line: string, quote: string): number {
  for (let at = line.length - 1; at >= 0; at--) {
    if (line[at] === quote && line[at - 1] !== '\\') return at
  }
  return -1
}

/** `loadVectors` gives the text of a vector file that the source names. */
export function findTaggedTitles(
  source: string,
  loadVectors: (name: string) => string,
): TaggedTitle[] {
  const found: TaggedTitle[] = []
  for (const match of source.matchAll(TAGS)) {
    const [, tags = '', quote = ''] = match
    const line = source.slice(source.lastIndexOf('\n', match.index) + 1, match.index)
    const opening = findOpening(line, quote)
    if (opening >= 0) found.push({ title: shown(line.slice(opening + 1)), ids: listIds(tags) })
  }
  const vectors = [...source.matchAll(/vectors\/([\w-]+\.json)/g)].map(([, name = '']) => name)
  for (const [, title = ''] of source.matchAll(FROM_VECTORS)) {
    for (const name of new Set(vectors)) {
      const ids = [...loadVectors(name).matchAll(/"requirement": "(\w+)"/g)]
      const unique = [...new Set(ids.map(([, id = '']) => id))]
      found.push({ title: `${shown(title)} (vectors/${name})`, ids: unique })
    }
  }
  return found
}
