// The words and the glyph of a launch in the terminal: the states and the step names of every page. Whose time a
// step was stands behind it. Pure; the launch comes from the API.
import { explainEnd } from '@chartside/host/endings'
import type { EndReason, Launch, LaunchStepName } from '@chartside/protocol/launch'
import { STEP_OF } from '@chartside/protocol/launch-steps'
import { describeState as describe, type StateName } from '@chartside/ui/states'
import { formatDuration } from '@chartside/ui/times'

export type ShownState =
  | { readonly kind: 'opening' | 'ready' }
  /** The name of the step. */
  | { readonly kind: 'failed'; readonly step: string }
  | { readonly kind: 'ended'; readonly reason: EndReason; readonly hasHello: boolean }

const GLYPHS: Readonly<Record<StateName, string>> = {
  not_started: '–',
  opening: '◐',
  ready: '✓',
  failed: '✕',
  ended: '■',
  switched_off: '⏻',
}

/** Describes a state: "✕ Visit Notes: Failed at Exchange", "■ Visit Notes: Ended: You signed out." */
export function describeState(app: string, state: ShownState): string {
  const isOff = state.kind === 'ended' && state.reason === 'app_disabled'
  const name = isOff ? 'switched_off' : state.kind
  const detail = state.kind === 'failed' ? state.step : ''
  const ending =
    state.kind === 'ended' ? explainEnd(state.reason, { hadToken: state.hasHello }).person : ''
  return `${GLYPHS[name]} ${app}: ${describe(name, detail)}${ending && `: ${ending}`}`
}

const PARTIES: Readonly<Record<Launch['spans'][number]['party'], string>> = {
  host: 'host',
  app_page: 'app page',
  app_server: 'app server',
  service: 'service',
}

/** The spans that end with an event of the timeline. */
function isEndedBy(span: Launch['spans'][number]['span'], step: LaunchStepName): boolean {
  if (step === 'created' || !(step in STEP_OF)) return false
  if (step === 'authorize') return span === 'load'
  if (step === 'exchange' && span === 'prepare') return true
  return STEP_OF[step as keyof typeof STEP_OF] === span
}

/** Says whose time a step was: "338 ms app server, 6 ms service". Empty while it is not known. */
export function describeTimes(spans: Launch['spans'], step: LaunchStepName): string {
  return spans
    .filter(({ span }) => isEndedBy(span, step))
    .flatMap(({ durationMs, party }) =>
      durationMs === undefined ? [] : [`${formatDuration(durationMs)} ${PARTIES[party]}`],
    )
    .join(', ')
}
