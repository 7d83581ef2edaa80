// A state as glyph, word and color: a pill, or plain text inside a row. The vocabulary is one for
// every page (rules/states.ts).
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { IconName } from '../rules/icon-paths.ts'
import { describeState, STATES, type StateName, type Tone } from '../rules/states.ts'
import { Icon } from './icon.tsx'

export interface PillProps {
  readonly tone: Tone
  readonly icon: IconName
  readonly children: ComponentChildren
  readonly isPlain?: boolean | undefined
}

export function Pill({ tone, icon, children, isPlain = false }: PillProps) {
  return (
    <span class={`pill tone-${tone}${isPlain ? ' plain' : ''}`}>
      <Icon name={icon} />
      <span>{children}</span>
    </span>
  )
}

export interface StateBadgeProps {
  readonly state: StateName
  /** The step that failed, or why it ended. */
  readonly detail?: string | undefined
  /** Replaces the words of the vocabulary, as a translation does. */
  readonly words?: string | undefined
  readonly isPlain?: boolean | undefined
}

export function StateBadge({ state, detail, words, isPlain }: StateBadgeProps) {
  const { icon, tone } = STATES[state]
  return (
    <Pill tone={tone} icon={icon} isPlain={isPlain}>
      {words ?? describeState(state, detail)}
    </Pill>
  )
}
