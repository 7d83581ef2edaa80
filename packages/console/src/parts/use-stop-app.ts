// Stops an app in one practice, or on one EHR: the reason that it takes, the call, and what is said afterwards. Two
// dialogs do it: that of what runs in a practice, and that of the app.
import { type Signal, useSignal } from '@preact/signals'
import { ApiProblem } from '../api/problem.ts'
import { stopApp, stopOnEhr } from '../api/running.ts'
import { type Action, useAction } from '../forms/use-action.ts'
import { notify } from '../shell/announcements.ts'

interface Named {
  readonly id: string
  readonly name: string
}

export interface StopApp {
  readonly action: Action
  readonly reason: Signal<string>
  /** The text says what is missing; the next key clears it. */
  readonly error: Signal<string | undefined>
  /** False when something is missing, or the service refused. */
  stopIn(practice: Named): Promise<boolean>
  /** Stops the app on an EHR in every practice; the id is its type. */
  stopOn(ehr: Named): Promise<boolean>
}

export function useStopApp(app: Named): StopApp {
  const reason = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const action = useAction()
  const stop = async (
    where: string,
    call: (given: string) => Promise<{ readonly endedLaunches: number }>,
  ) => {
    const given = reason.value.trim()
    error.value = given === '' ? 'Say why, so that it can be mended.' : undefined
    if (given === '') return false
    return action.run(async () => {
      const { endedLaunches } = await call(given)
      notify('good', `${app.name} is stopped ${where}. ${describeEnded(endedLaunches)}`)
    })
  }
  return {
    action,
    reason,
    error,
    stopIn: (practice) =>
      stop(`in ${practice.name}`, (given) =>
        stopApp(practice.id, app.id, given).catch(notHere(practice, app)),
      ),
    stopOn: (ehr) => stop(`on ${ehr.name}`, (given) => stopOnEhr(app.id, ehr.id, given)),
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
