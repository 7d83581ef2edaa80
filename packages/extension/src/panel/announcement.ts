// What a screen reader is given between two moments: an app that became ready, failed or ended, and a
// sign-out. Nothing else is announced, and nothing twice. Pure.
import type { PanelState, WorkerApp } from '../messages.ts'
import type { Slot } from './slots.ts'
import { WORDS } from './words.ts'

export interface Announced {
  readonly state: PanelState | null
  readonly slots: readonly Slot[]
}

/** Returns the announcement; empty when there is nothing to say. */
export function announce(before: Announced, after: Announced): string {
  const names = new Map(
    [before.state, after.state].flatMap((state) =>
      state?.view.kind === 'session'
        ? state.view.apps.map(({ id, name }) => [id, name] as const)
        : [],
    ),
  )
  const apps = after.slots.map((slot) => {
    const previous = before.slots.find(({ appId }) => appId === slot.appId)
    const name = names.get(slot.appId) ?? slot.name
    return isSame(previous?.state, slot.state) ? '' : describe(name, slot.state)
  })
  const workersBefore = listWorkers(before.state)
  const workers = listWorkers(after.state).map((worker) => {
    const previous = workersBefore.find(({ appId }) => appId === worker.appId)
    // A background app that works is no news.
    const isNews = worker.state.kind !== 'ready' && !isSame(previous?.state, worker.state)
    return isNews ? describe(worker.name, worker.state) : ''
  })
  const wasSignedIn = before.state !== null && before.state.person !== null
  const signedOut =
    wasSignedIn && after.state?.view.kind === 'signed_out' ? WORDS.said.signedOut : ''
  // A sign-out ends every app: one sentence is enough.
  const said = signedOut === '' ? [...apps, ...workers] : [signedOut]
  return said.filter((text) => text !== '').join(' ')
}

type State = Slot['state'] | WorkerApp['state']

const listWorkers = (state: PanelState | null) =>
  state?.view.kind === 'session' ? state.view.workers : []

const isSame = (before: State | undefined, after: State) => before?.kind === after.kind

function describe(name: string, state: State): string {
  switch (state.kind) {
    case 'ready':
      return WORDS.said.ready(name)
    case 'failed':
      return WORDS.said.failed(name)
    case 'disabled':
      return WORDS.said.off(name)
    case 'ended':
      if (state.reason === 'closed') return ''
      return state.reason === 'app_disabled' ? WORDS.said.off(name) : WORDS.said.ended(name)
    default:
      return ''
  }
}
