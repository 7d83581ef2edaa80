// Shows what `useRecord` or `useList` loads: nothing for a moment, then a skeleton, then the content or
// the problem. While it loads again the last content stays.
/** @jsxImportSource preact */
import { Button, NoticeStrip, Skeleton } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { LoadedPages } from '../load/use-list.ts'
import type { Load } from '../load/use-record.ts'
import { ProblemPage } from './problem-page.tsx'

/** A load that takes less shows no skeleton, so that pages do not flicker. */
const SKELETON_AFTER_MS = 300

export function LateSkeleton({
  what,
  lines = 5,
}: {
  readonly what: string
  readonly lines?: number
}) {
  const isShown = useSignal(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      isShown.value = true
    }, SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="loading" aria-busy="true">
      {isShown.value && <Skeleton label={`Loading ${what}`} lines={lines} />}
    </div>
  )
}

export interface LoadedProps<T> {
  readonly load: Load<T>
  /** The object of “Could not load the members”. */
  readonly what: string
  readonly children: (data: T) => ComponentChildren
}

export function Loaded<T>({ load, what, children }: LoadedProps<T>) {
  const { data, problem, reload } = load
  if (data === undefined) {
    if (problem) return <ProblemPage problem={problem} what={what} onRetry={reload} />
    return <LateSkeleton what={what} />
  }
  return (
    <>
      {problem && (
        <NoticeStrip
          tone="warn"
          icon="clock"
          title={`This is not the newest state of ${what}`}
          text={problem.message}
          action={
            <Button isCompact onPress={reload}>
              Try again
            </Button>
          }
        />
      )}
      {children(data)}
    </>
  )
}

export interface LoadedListProps<T> {
  readonly list: LoadedPages<T>
  readonly what: string
  /** The content in place of an empty list: how to begin. */
  readonly empty: ComponentChildren
  readonly children: (items: readonly T[]) => ComponentChildren
}

export function LoadedList<T>({ list, what, empty, children }: LoadedListProps<T>) {
  return (
    <Loaded load={list} what={what}>
      {(items) =>
        items.length === 0 ? (
          <div class="card">{empty}</div>
        ) : (
          <>
            <div class="card list-card">{children(items)}</div>
            {(list.hasMore || list.moreProblem) && (
              <p class="more-row">
                <Button isBusy={list.isLoadingMore} onPress={list.loadMore}>
                  Show more
                </Button>
                {list.moreProblem && <span role="alert">{list.moreProblem.message}</span>}
              </p>
            )}
          </>
        )
      }
    </Loaded>
  )
}
