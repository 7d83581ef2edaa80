// One action of a button, such as removing a record: busy while it runs, and the refusal when it fails.
// The page says beside the button what went wrong; nothing is retried by itself.
import { useSignal } from '@preact/signals'
import { type Problem, problemOf } from '../api/problem.ts'

export interface Action {
  readonly isBusy: boolean
  readonly problem: Problem | undefined
  /** False when it failed, or another one runs. */
  run(work: () => Promise<void>): Promise<boolean>
  clear(): void
}

export function useAction(): Action {
  const state = useSignal<{ readonly isBusy: boolean; readonly problem?: Problem }>({
    isBusy: false,
  })
  return {
    isBusy: state.value.isBusy,
    problem: state.value.problem,
    async run(work) {
      if (state.value.isBusy) return false
      state.value = { isBusy: true }
      try {
        await work()
        state.value = { isBusy: false }
        return true
      } catch (error) {
        state.value = { isBusy: false, problem: problemOf(error) }
        return false
      }
    },
    clear() {
      state.value = { isBusy: false }
    },
  }
}
