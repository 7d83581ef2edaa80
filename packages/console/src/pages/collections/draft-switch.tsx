// The switch where an app and an EHR meet in a draft: on, off, or changed since the published version. It
// saves nothing itself.
/** @jsxImportSource preact */
import { Icon } from '@chartside/ui'
import type { Cell } from './draft-rules.ts'

const CELLS: Readonly<
  Record<Cell, { readonly icon: 'check' | 'plus' | 'dash'; readonly words: string }>
> = {
  on: { icon: 'check', words: 'on' },
  added: { icon: 'plus', words: 'added' },
  removed: { icon: 'dash', words: 'removed' },
  off: { icon: 'dash', words: 'off' },
}

interface DraftSwitchProps {
  readonly cell: Cell
  readonly label: string
  readonly isFixed: boolean
  readonly onPress: () => void
}

export function DraftSwitch({ cell, label, isFixed, onPress }: DraftSwitchProps) {
  const { icon, words } = CELLS[cell]
  const isOn = cell === 'on' || cell === 'added'
  return (
    <button
      type="button"
      role="switch"
      class={`switch ${cell}`}
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isFixed ? 'true' : undefined}
      onClick={() => {
        if (!isFixed) onPress()
      }}
    >
      <Icon name={icon} />
      <span>{words}</span>
    </button>
  )
}
