// Loads what a page shows, and keeps the last answer while it loads again. Ends its request when the
// page is left or asks for something else. Show it with `Loaded` of parts/loaded.tsx.
import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { isAborted, type Problem, problemOf } from '../api/problem.ts'

export interface Load<T> {
  /** The last answer; undefined before the first. */
  readonly data: T | undefined
  readonly problem: Problem | undefined
  readonly isLoading: boolean
  readonly reload: () => void
  /** Puts an answer that a change has given in place of the loaded one. */
  readonly replace: (data: T) => void
}

/** `key` says what is loaded; another key starts over and forgets the last answer. */
export function useRecord<T>(load: (signal: AbortSignal) => Promise<T>, key: string): Load<T> {
  const state = useSignal<{ key: string; data?: T; problem?: Problem; isLoading: boolean }>({
    key,
    isLoading: true,
  })
  const turn = useSignal(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const controller = new AbortController()
    const before = state.peek()
    const kept = before.key === key && before.data !== undefined ? { data: before.data } : {}
    state.value = { key, ...kept, isLoading: true }
    latest.current(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) state.value = { key, data, isLoading: false }
      },
      (error: unknown) => {
        if (controller.signal.aborted || isAborted(error)) return
        state.value = { key, ...kept, problem: problemOf(error), isLoading: false }
      },
    )
    return () => controller.abort()
  }, [key, turn.value])
  const reload = useCallback(() => {
    turn.value += 1
  }, [])
  const replace = useCallback(
    (data: T) => {
      state.value = { key, data, isLoading: false }
    },
    [key],
  )
  const current: Partial<typeof state.value> = state.value.key === key ? state.value : {}
  return {
    data: current.data,
    problem: current.problem,
    isLoading: current.isLoading ?? true,
    reload,
    replace,
  }
}
