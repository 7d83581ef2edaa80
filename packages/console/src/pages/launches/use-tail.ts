// Connects a page to the live tail of its launches: follows the list that the key names while the page is
// shown, and passes the newest functions of the page on.
import { useEffect, useMemo } from 'preact/hooks'
import { LaunchTail, type TailPage } from './launch-tail.ts'

export interface FollowedTail {
  readonly tail: LaunchTail
  /** Whether the rows are those of this list; until then they are those of the one before. */
  readonly isLoaded: boolean
}

/** `key` says which list it is, with its filters. */
export function useTail(key: string, page: TailPage): FollowedTail {
  const tail = useMemo(() => new LaunchTail(page), [])
  tail.page = page
  useEffect(() => tail.follow(key), [key])
  return { tail, isLoaded: tail.loadedKey.value === key }
}
