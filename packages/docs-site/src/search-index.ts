// The search of the documentation: how a text becomes words, what counts how much, and which hits come first.
// The build makes the index with it, the page and the tests search with it. Pure.
import MiniSearch, { type Options } from 'minisearch'

/** A section of a page, or a table row that a code names. */
export interface Entry {
  /** The address below /docs, such as `build/errors#invalid_grant`. */
  readonly address: string
  readonly title: string
  /** The headings above it, such as `Every error of an app › From the SDK`. */
  readonly path: string
  readonly text: string
  /** The title is a code, whose parts are no words of a title. */
  readonly isCode: boolean
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

const wholeWordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{N}_'’-]*/gu) ?? []

/** `invalid_grant` and `frame-ancestors` are found whole and by their parts. */
function wordsOf(text: string): string[] {
  return wholeWordsOf(text).flatMap((word) =>
    /[_'’-]/.test(word) ? [word, ...word.split(/[_'’-]+/)] : [word],
  )
}

/** Returns the word in lower case, without the end of a plural; nothing for a word that every text has. */
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

/** The title of a code is shown, and counts when it is typed whole; its parts count as text. */
function fieldOf(entry: Entry, field: string): string {
  const { address, title, path, text, isCode } = entry
  switch (field) {
    case 'code':
      return isCode ? title : ''
    case 'title':
      return isCode ? '' : title
    case 'text':
      return isCode ? `${title} ${text}` : text
    case 'name':
      return title
    case 'excerpt':
      return excerptOf(text)
    default:
      return field === 'path' ? path : address
  }
}

const OPTIONS: Options<Entry> = {
  idField: 'address',
  fields: ['title', 'code', 'path', 'text'],
  storeFields: ['name', 'path', 'excerpt'],
  extractField: (entry, field) => fieldOf(entry, field),
  tokenize: (text, field) => (field === 'code' ? wholeWordsOf(text) : wordsOf(text)),
  processTerm: termOf,
  searchOptions: {
    boost: { title: 4, code: 4, path: 2 },
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

/** The score of a hit grows with how many of the words it has. */
export const findHits = (search: Search, query: string): Hit[] =>
  search
    .search(query)
    .slice(0, MAX_HITS)
    .map(({ id, name, path, excerpt }) => ({
      address: String(id),
      title: String(name),
      path: String(path),
      excerpt: String(excerpt),
    }))
