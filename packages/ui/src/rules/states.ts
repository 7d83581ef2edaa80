// The one vocabulary of states: each has a glyph, a word and a tone, and no part shows one without
// its word. Pure data for tab, pill, table and screen reader. The words may be translated by the page.
import type { IconName } from './icon-paths.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'accent' | 'quiet'

export type StateName = 'opening' | 'ready' | 'failed' | 'ended' | 'switched_off' | 'not_started'

export interface Appearance {
  readonly icon: IconName
  readonly word: string
  readonly tone: Tone
}

export const STATES: Readonly<Record<StateName, Appearance>> = {
  opening: { icon: 'half', word: 'Opening', tone: 'warn' },
  ready: { icon: 'check', word: 'Ready', tone: 'good' },
  failed: { icon: 'cross', word: 'Failed', tone: 'bad' },
  ended: { icon: 'square', word: 'Ended', tone: 'quiet' },
  switched_off: { icon: 'power', word: 'Switched off', tone: 'warn' },
  not_started: { icon: 'dash', word: 'Not started', tone: 'quiet' },
}

/** The words of a state with what it is about: “Failed at Exchange”, “Ready, late”, “Ended (signed out)”. */
export function describeState(name: StateName, detail = ''): string {
  const { word } = STATES[name]
  if (detail === '') return word
  if (name === 'failed') return `${word} at ${detail}`
  return name === 'ready' ? `${word}, ${detail}` : `${word} (${detail})`
}
