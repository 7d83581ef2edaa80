// The search of the documentation: how a text becomes words, what counts how much, and which hits come first.
// The build makes the index with it, the page and the tests search with it. Pure.
import MiniSearch, { type Options } from 'minisearch'

/** A section of a page, or a table row that a code names. */
export interface Entry {
  /** Below /docs, such as `build/errors#invalid_grant`. */
  readonly address: string
  readonly title: string
  /** The headings above it, such as `Every error of an app › From the SDK`. */
  readonly path: string
  readonly text: string
}

export interface Hit {
  readonly address: string
  readonly title: string
  readonly path: string
  /** The beginning of its text. */
  readonly excerpt: string
}

export type Search = MiniSearch<Entry>

const STOP_WORDS = new Set(
  'a an and are as at be by can do does for how i if in is it my of on or so that the then to when with you your'.split(
    ' ',
  ),
)

/** `invalid_grant` and `frame-ancestors` are found whole and by their parts. */
function wordsOf(text: string): string[] {
  const whole = text.match(/[\p{L}\p{N}][\p{L}\p{N}_'’-]*/gu) ?? []
  return whole.flatMap((word) => (/[_'’-]/.test(word) ? [word, ...word.split(/[_'’-]+/)] : [word]))
}

/** Lower case, without the end of a plural; nothing for a word that every text has. */
function termOf(word: string): string | false {
  const term = word.toLowerCase().replace(/[_'’-]+$/, '')
  if (term === '' || STOP_WORDS.has(term)) return false
  return term.length > 3 ? term.replace(/ies$/, 'y').replace(/([^s])s$/, '$1') : term
}

const MAX_EXCERPT = 110

const excerptOf = (text: string): string =>
  text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT).replace(/\s+\S*$/, '')} …`

/** A page for those who change the code answers few questions of others. */
const weightOf = (address: string): number => {
  if (address.startsWith('inside/decisions')) return 0.3
  if (address.startsWith('inside/')) return 0.4
  return address.startsWith('build/') ? 1.1 : 1
}

const OPTIONS: Options<Entry> = {
  idField: 'address',
  fields: ['title', 'path', 'text'],
  storeFields: ['title', 'path', 'excerpt'],
  extractField: (entry, field) =>
    field === 'excerpt' ? excerptOf(entry.text) : String(entry[field as keyof Entry]),
  tokenize: wordsOf,
  processTerm: termOf,
  searchOptions: {
    boost: { title: 4, path: 2 },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    weights: { prefix: 0.4, fuzzy: 0.2 },
    boostDocument: (address) => weightOf(String(address)),
  },
}

export function buildSearch(entries: readonly Entry[]): Search {
  const search = new MiniSearch<Entry>(OPTIONS)
  search.addAll(entries)
  return search
}

export const loadSearch = (json: string): Search => MiniSearch.loadJSON<Entry>(json, OPTIONS)

const MAX_HITS = 8

/** What has all words comes before what has some of them. */
export function findHits(search: Search, query: string): Hit[] {
  const all = search.search(query, { combineWith: 'AND' })
  const some = all.length < MAX_HITS ? search.search(query) : []
  const found = new Map([...all, ...some].map((result) => [String(result.id), result]))
  return [...found.values()].slice(0, MAX_HITS).map(({ id, title, path, excerpt }) => ({
    address: String(id),
    title: String(title),
    path: String(path),
    excerpt: String(excerpt),
  }))
}
