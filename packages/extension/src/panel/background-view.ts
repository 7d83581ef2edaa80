// The background apps: the button in the foot with its count, and the list behind it. Pure: the state of
// the background gives both.
import type { IconName } from '@chartside/ui'
import { STATES, type StateName, type Tone } from '@chartside/ui/states'
import type { PanelState, WorkerApp } from '../messages.ts'
import type { ButtonView } from './actions.ts'
import { WORDS } from './words.ts'

export interface BackgroundView {
  readonly rows: readonly {
    readonly id: string
    readonly name: string
    readonly iconUrl?: string | undefined
    readonly state: StateName
    readonly words: string
    readonly button: ButtonView | null
  }[]
  readonly back: string
}

const listWorkers = (state: PanelState | null) =>
  state?.view.kind === 'session' ? state.view.workers : []

const NAMES = {
  opening: 'opening',
  ready: 'ready',
  failed: 'failed',
  ended: 'ended',
  disabled: 'switched_off',
} as const satisfies Readonly<Record<WorkerApp['state']['kind'], StateName>>

export function buildBackground(
  state: PanelState | null,
  open: string | null,
): BackgroundView | null {
  const workers = listWorkers(state)
  if (workers.length === 0) return null
  return {
    rows: workers.map(({ appId, name, iconUrl, state: { kind } }) => ({
      id: appId,
      name,
      ...(iconUrl === undefined ? {} : { iconUrl }),
      state: NAMES[kind],
      words: WORDS.states[NAMES[kind]],
      button:
        kind === 'failed' || kind === 'ended'
          ? {
              label: WORDS.tryAgain,
              action: { type: 'send', command: { type: 'retryWorker', appId } },
            }
          : null,
    })),
    back: open === null ? WORDS.back : WORDS.backTo(open),
  }
}

export interface BackgroundButton {
  readonly count: number
  readonly words: string
  readonly icon: IconName
  readonly tone: Tone
}

/** The words of the foot about them; null when there are none. */
export function buildBackgroundButton(state: PanelState | null): BackgroundButton | null {
  const workers = listWorkers(state)
  if (workers.length === 0) return null
  const failed = workers.filter((worker) => worker.state.kind === 'failed').length
  const isOpening = workers.some((worker) => worker.state.kind === 'opening')
  const { icon, tone } = STATES[failed > 0 ? 'failed' : isOpening ? 'opening' : 'ready']
  return failed > 0
    ? { count: failed, words: WORDS.needAttention(failed), icon, tone }
    : { count: workers.length, words: WORDS.inBackground, icon, tone }
}
