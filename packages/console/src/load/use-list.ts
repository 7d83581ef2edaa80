// Loads a list page by page: the first page as a record, each further one when the person asks for
// more. Show it with `LoadedList` of parts/loaded.tsx.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Page } from '../api/client.ts'
import { isAborted, type Problem, problemOf } from '../api/problem.ts'
import { type Load, useRecord } from './use-record.ts'

export interface LoadedPages<T> extends Load<readonly T[]> {
  readonly hasMore: boolean
  /** The list is empty because the role of the caller hides what others see. */
  readonly isHidden: boolean
  readonly isLoadingMore: boolean
  readonly moreProblem: Problem | undefined
  readonly loadMore: () => void
}

/** `key` says which list it is, with its filters; another key starts over. */
export function useList<T>(
  loadPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  key: string,
): LoadedPages<T> {
  const first = useRecord((signal) => loadPage(undefined, signal), key)
  const more = useSignal<{ isLoading: boolean; problem?: Problem }>({ isLoading: false })
  /** The calls end with their list, so that no late answer gets into another one. */
  const calls = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    calls.current = controller
    more.value = { isLoading: false }
    return () => controller.abort()
  }, [key])
  const loadMore = () => {
    const { data } = first
    if (!data?.nextCursor || more.value.isLoading) return
    more.value = { isLoading: true }
    const { signal } = calls.current
    loadPage(data.nextCursor, signal).then(
      (page) => {
        if (signal.aborted) return
        more.value = { isLoading: false }
        first.replace({ items: [...data.items, ...page.items], nextCursor: page.nextCursor })
      },
      (error: unknown) => {
        if (signal.aborted || isAborted(error)) return
        more.value = { isLoading: false, problem: problemOf(error) }
      },
    )
  }
  return {
    ...first,
    data: first.data?.items,
    replace: (items) => first.replace({ items, nextCursor: first.data?.nextCursor ?? null }),
    hasMore: first.data?.nextCursor != null,
    isHidden: first.data?.hidden === true,
    isLoadingMore: more.value.isLoading,
    moreProblem: more.value.problem,
    loadMore,
  }
}
