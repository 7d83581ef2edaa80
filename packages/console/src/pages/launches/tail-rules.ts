// The rules of the live tail: where a launch belongs among the shown rows, whether a row has changed or is
// none of the list any more, and from when the next poll asks. Pure.
import type { Launch } from '@chartside/protocol/payloads'

/** Rows that came by themselves push the oldest out; what the person loaded stays until then. */
export const MAX_ROWS = 60
/** A launch that opens longer than this is read again by its own page only. */
const OPENING_MS = 2 * 60_000

/** Changes with all that a row shows. */
export const signatureOf = ({ outcome, steps, failureCount, ended }: Launch): string =>
  [outcome, steps.length, failureCount, ended?.at].join(' ')

/** Inserts a launch: the newest id is first, as ids are ordered by time. A row that is there is replaced. */
export function mergeLaunch(rows: readonly Launch[], launch: Launch): readonly Launch[] {
  const at = rows.findIndex(({ id }) => id <= launch.id)
  if (at >= 0 && rows[at]?.id === launch.id) return rows.with(at, launch)
  const place = at < 0 ? rows.length : at
  return rows.toSpliced(place, 0, launch).slice(0, MAX_ROWS)
}

/** Returns the time of the oldest shown launch that may still change, else of the newest. */
export function pollFrom(rows: readonly Launch[], now: number): string | undefined {
  const open = rows.findLast(
    ({ outcome, createdAt }) => outcome === 'opening' && now - Date.parse(createdAt) < OPENING_MS,
  )
  return open?.createdAt ?? rows[0]?.createdAt
}

/** A complete answer since `from` has every launch of the list; one that opened may be ready by now. */
export const hasLeft = (
  { id, createdAt }: Launch,
  asked: { readonly ids: ReadonlySet<string>; readonly from: string },
): boolean => Date.parse(createdAt) >= Date.parse(asked.from) && !asked.ids.has(id)
