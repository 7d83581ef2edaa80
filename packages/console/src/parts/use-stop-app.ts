// Stops an app in one practice: the reason that it takes, the call, and what is said afterwards. Two dialogs do it: that
// of what runs in a practice, and that of the app.
import { type Signal, useSignal } from '@preact/signals'
import { ApiProblem } from '../api/problem.ts'
import { stopApp } from '../api/running.ts'
import { type Action, useAction } from '../forms/use-action.ts'
import { notify } from '../shell/announcements.ts'

interface Named {
  readonly id: string
  readonly name: string
}

export interface StopApp {
  readonly action: Action
  readonly reason: Signal<string>
  /** What is missing, in words; goes with the next key. */
  readonly error: Signal<string | undefined>
  /** False when something is missing, or the service refused. */
  stopIn(practice: Named): Promise<boolean>
}

export function useStopApp(app: Named): StopApp {
  const reason = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const action = useAction()
  return {
    action,
    reason,
    error,
    async stopIn(practice) {
      const given = reason.value.trim()
      error.value = given === '' ? 'Say why, so that the vendor can mend it.' : undefined
      if (given === '') return false
      return action.run(async () => {
        const { endedLaunches } = await stopApp(practice.id, app.id, given).catch(
          notHere(practice, app),
        )
        notify(
          'good',
          `${app.name} is stopped in ${practice.name}. ${describeEnded(endedLaunches)}`,
        )
      })
    },
  }
}

/** The service says that there is no such app: in this practice. */
const notHere = (practice: Named, app: Named) => (error: unknown) => {
  if (!(error instanceof ApiProblem) || error.status !== 404) throw error
  const detail = `${practice.name} does not run ${app.name}, or it is not yours to stop there.`
  throw new ApiProblem(404, { title: 'Not stopped', detail }, undefined)
}

const describeEnded = (count: number): string =>
  count === 0
    ? 'No launch was open.'
    : `${count === 1 ? '1 open launch has' : `${count} open launches have`} ended.`
