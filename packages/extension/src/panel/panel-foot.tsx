// The foot of the panel: who is signed in at which practice, and one button for the background apps,
// which says at a glance whether one of them needs attention.
/** @jsxImportSource preact */
import { Icon } from '@chartside/ui'
import type { PanelAction } from './actions.ts'
import type { PanelView } from './panel-view.ts'
import { WORDS } from './words.ts'

export interface PanelFootProps extends Pick<PanelView, 'who' | 'background' | 'isChartUnnoticed'> {
  readonly isOpen: boolean
  readonly run: (action: PanelAction) => void
}

export function PanelFoot({ who, background, isChartUnnoticed, isOpen, run }: PanelFootProps) {
  return (
    <footer class="foot">
      {who && (
        <span class="who" title={`${who.name}, ${who.practice}`}>
          <strong>{who.name}</strong>
          {who.practice !== '' && <small>{who.practice}</small>}
        </span>
      )}
      {isChartUnnoticed && <small class="quiet">{WORDS.chartUnnoticed}</small>}
      {background && (
        <button
          id="background-button"
          type="button"
          class="button compact"
          aria-expanded={isOpen}
          onClick={() => run({ type: isOpen ? 'fold' : 'showBackground' })}
        >
          <span class={`foot-glyph tone-${background.tone}`}>
            <Icon name={background.icon} />
          </span>
          <span>
            {background.count} <span class="foot-words">{background.words}</span>
          </span>
        </button>
      )}
    </footer>
  )
}
