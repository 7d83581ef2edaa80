// The words and the glyph of each state of a launch: one vocabulary for tab, panel, timeline and
// announcement. Two registers: these words are for a provider; the timeline adds the developer's.
// Pure; the host decides the state. Imports no host, so that the terminal can use it.
import type { EndReason } from '@chartside/protocol/handshake'

/** A `LaunchState` of the host, as far as its words need it. */
export type ShownState =
  | { readonly kind: 'not_started' | 'opening' | 'ready' | 'disabled' }
  | { readonly kind: 'failed'; readonly step: string }
  | { readonly kind: 'ended'; readonly reason: EndReason }

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

/** Why a launch ended, for the provider. */
export const ENDINGS: Readonly<Record<EndReason, string>> = {
  signed_out: 'You signed out.',
  session_ended: 'The EHR session ended.',
  launch_ended: 'Its access was revoked.',
  expired: 'Its access expired.',
  closed: '',
}

/** "Failed at Exchange", "Ended: You signed out." */
export function describeState(state: ShownState): string {
  const { word } = STATE_WORDS[state.kind]
  if (state.kind === 'failed') return `${word} at ${STEP_WORDS[state.step] ?? state.step}`
  if (state.kind === 'ended' && ENDINGS[state.reason]) return `${word}: ${ENDINGS[state.reason]}`
  return word
}

/** Said aloud; the steps between are not. */
export function isAnnounced({ kind }: ShownState): boolean {
  return kind === 'ready' || kind === 'failed' || kind === 'ended' || kind === 'disabled'
}
