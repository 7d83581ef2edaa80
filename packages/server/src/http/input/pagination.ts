// Lists of the backend API: `?limit=&cursor=` in, `{items, nextCursor}` out. The cursor is the
// identifier of the last item, and identifiers are time-ordered, so pages stay stable under
// inserts. A page has a maximum size too. Contract §4, §9, security V02.
import { ApiError } from '../../kernel/errors.ts'
import type { IdPrefix } from '../../kernel/identifiers.ts'

export const LIST_QUERY = {
  type: 'object',
  properties: {
    limit: { type: 'string', pattern: '^[0-9]{1,3}$', description: '1 to 200; 50 by default.' },
    cursor: { type: 'string', maxLength: 64, description: 'nextCursor of the page before.' },
  },
} as const

/** A search by name, for pickers and long lists. */
export const Q = {
  type: 'string',
  maxLength: 200,
  examples: ['okafor'],
  description: 'Part of the name.',
} as const

/** The order is by name, whatever its case; else by creation, as for two of one name. */
export const SORT = {
  type: 'string',
  enum: ['name'],
  description: 'By name; in the order of creation without it.',
} as const

/** Whether the list is asked for by name. The check of the query refuses every other order. */
export const isByName = ({ sort }: Readonly<Record<string, string | undefined>>): boolean =>
  sort === 'name'

/** An empty search is none. */
export const parseSearch = ({ q }: Readonly<Record<string, string | undefined>>) =>
  q?.trim() || undefined

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200

export interface PageRequest {
  readonly limit: number
  readonly cursor: string
}

/**
 * Returns a text above every identifier of this kind, for a list that begins with the newest. It is above in
 * the order of bytes and in that of a language, where a text that ends with ~ would be below all.
 */
export const newestOf = (prefix: IdPrefix) => `${prefix}z`

interface Cursors {
  /** A cursor of this list begins with one of these; `seq` counts the links of an audit trail. */
  readonly of: readonly (IdPrefix | 'seq')[] | 'numbers'
  /** The cursor that comes before everything in the order of the list. */
  readonly start?: string
}

/** @throws ApiError for a cursor of another list: taken as a text it would leave out or repeat records. */
export function parsePage(
  query: Readonly<Record<string, string | undefined>>,
  { of, start = '' }: Cursors,
): PageRequest {
  const limit = Number(query.limit ?? DEFAULT_LIMIT)
  if (limit < 1 || limit > MAX_LIMIT) {
    throw new ApiError('invalid_request', `limit must be from 1 to ${MAX_LIMIT}.`, [
      { field: 'limit', message: `Must be from 1 to ${MAX_LIMIT}.` },
    ])
  }
  const { cursor } = query
  if (!cursor) return { limit, cursor: start }
  const isOfThisList =
    of === 'numbers'
      ? Number.isSafeInteger(Number(cursor))
      : of.some((prefix) => cursor.startsWith(`${prefix}_`))
  if (isOfThisList) return { limit, cursor }
  throw new ApiError('invalid_request', 'The cursor is not from this list.', [
    { field: 'cursor', message: 'Must be the nextCursor of the page before.' },
  ])
}

/**
 * An empty list says when the role of its caller hides what others see. Only what the caller reads anyway decides it,
 * the role or what an account runs: it tells neither how many are hidden nor that there is one. Contract §16.
 */
export const sayHidden = <P extends { readonly items: readonly unknown[] }>(
  page: P,
  { cursor }: Readonly<Record<string, string | undefined>>,
  isHidden: boolean,
): P & { hidden?: true } =>
  isHidden && !cursor && page.items.length === 0 ? { ...page, hidden: true } : page

/** A page of records that are few and all in memory, in the order of their identifiers. */
export function pageOf<T extends { readonly id: string }, Body>(
  records: readonly T[],
  page: PageRequest,
  bodyOf: (item: T) => Body,
): { items: Body[]; nextCursor: string | null } {
  const following = records.filter(({ id }) => id > page.cursor)
  return buildPage(following.slice(0, page.limit + 1), page, bodyOf)
}

/**
 * No page is larger, however large its items are: else a few cheap requests for fat records would
 * fill the memory of a node. Contract §9.
 */
export const MAX_PAGE_BYTES = 1024 * 1024
/** The names and the cursor around the items. */
const MAX_FRAME_BYTES = 256

/**
 * Builds the page from up to `limit + 1` items; the last one only shows that there are more. A page
 * that reaches its maximum size ends earlier, and has one item at least.
 */
export function buildPage<T extends { readonly id: string }, Body>(
  found: readonly T[],
  { limit }: PageRequest,
  bodyOf: (item: T) => Body,
): { items: Body[]; nextCursor: string | null } {
  const items: Body[] = []
  let bytes = 0
  let last: string | null = null
  for (const item of found.slice(0, limit)) {
    const body = bodyOf(item)
    bytes += Buffer.byteLength(JSON.stringify(body)) + 1
    if (items.length > 0 && bytes > MAX_PAGE_BYTES - MAX_FRAME_BYTES) break
    items.push(body)
    last = item.id
  }
  return { items, nextCursor: items.length < found.length ? last : null }
}
