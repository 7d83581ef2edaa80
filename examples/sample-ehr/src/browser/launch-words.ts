// The words and the glyph of each state of a launch: one vocabulary for tab, panel, timeline and
// announcement. Two registers: these words are for a provider; the timeline adds the developer's.
// Pure; the host decides the state. Imports the host's words only, so that the terminal can use it.
import { explainEnd } from '@chartside/host/endings'
import { withMissingStep } from '@chartside/host/missing-step'
import type { EndReason } from '@chartside/protocol/launch'

/** A `LaunchState` of the host, as far as its words need it. */
export type ShownState =
  | { readonly kind: 'not_started' | 'opening' | 'ready' | 'disabled' }
  | { readonly kind: 'failed'; readonly step: string }
  | { readonly kind: 'ended'; readonly reason: EndReason; readonly hasHello: boolean }

export { withMissingStep }

interface StateWords {
  /** Beside the word, because colour alone is not seen by every reader. */
  readonly glyph: string
  readonly word: string
}

export const STATE_WORDS: Readonly<Record<ShownState['kind'], StateWords>> = {
  not_started: { glyph: '–', word: 'Not started' },
  opening: { glyph: '◐', word: 'Opening' },
  ready: { glyph: '✓', word: 'Ready' },
  failed: { glyph: '✕', word: 'Failed' },
  ended: { glyph: '■', word: 'Ended' },
  disabled: { glyph: '⏻', word: 'Switched off' },
}

export const STEP_WORDS: Readonly<Record<string, string>> = {
  created: 'Created',
  opened: 'URL opened',
  authorize: 'Authorize',
  code: 'Code issued',
  exchange: 'Exchange',
  handshake: 'Handshake',
  context: 'Context',
  ended: 'Ended',
}

/** An app that was disabled while it was open is as switched off as one that does not open. */
export const shownKind = (state: ShownState): ShownState['kind'] =>
  state.kind === 'ended' && state.reason === 'app_disabled' ? 'disabled' : state.kind

/** Why a launch ended, for the provider; empty when they closed the app. */
export const explainEnding = ({ reason, hasHello }: ShownState & { kind: 'ended' }): string =>
  explainEnd(reason, { hadToken: hasHello }).person

/** "Failed at Exchange", "Ended: You signed out." */
export function describeState(state: ShownState): string {
  const { word } = STATE_WORDS[shownKind(state)]
  if (state.kind === 'failed') return `${word} at ${STEP_WORDS[state.step] ?? state.step}`
  const ending = state.kind === 'ended' && explainEnding(state)
  return ending ? `${word}: ${ending}` : word
}

/** Said aloud; the steps between are not. */
export function isAnnounced({ kind }: ShownState): boolean {
  return kind === 'ready' || kind === 'failed' || kind === 'ended' || kind === 'disabled'
}
