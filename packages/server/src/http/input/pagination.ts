// Lists of the backend API: `?limit=&cursor=` in, `{items, nextCursor}` out. The cursor is the
// identifier of the last item, and identifiers are time-ordered, so pages stay stable under
// inserts. Contract §4.
import { ApiError } from '../../kernel/errors.ts'

export const LIST_QUERY = {
  type: 'object',
  properties: {
    limit: { type: 'string', pattern: '^[0-9]{1,3}$', description: '1 to 200; 50 by default.' },
    cursor: { type: 'string', maxLength: 64, description: 'nextCursor of the page before.' },
  },
} as const

/** The list query with further filters. */
export const listQuery = (...names: string[]) => ({
  type: 'object' as const,
  properties: {
    ...LIST_QUERY.properties,
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const, maxLength: 256 }])),
  },
})

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200

export interface PageRequest {
  readonly limit: number
  readonly cursor: string
}

/** `start` is the cursor that comes before everything in the order of the list. */
export function parsePage(
  query: Readonly<Record<string, string | undefined>>,
  start = '',
): PageRequest {
  const limit = Number(query.limit ?? DEFAULT_LIMIT)
  if (limit < 1 || limit > MAX_LIMIT) {
    throw new ApiError('invalid_request', `limit must be from 1 to ${MAX_LIMIT}.`, [
      { field: 'limit', message: `Must be from 1 to ${MAX_LIMIT}.` },
    ])
  }
  return { limit, cursor: query.cursor || start }
}

/** Builds the page from up to `limit + 1` items; the last one only shows that there are more. */
export function buildPage<T extends { readonly id: string }, Body>(
  found: readonly T[],
  { limit }: PageRequest,
  bodyOf: (item: T) => Body,
): { items: Body[]; nextCursor: string | null } {
  const items = found.slice(0, limit)
  return {
    items: items.map(bodyOf),
    nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null,
  }
}
