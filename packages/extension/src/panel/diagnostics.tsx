// The diagnostics of the open app's launch, for developers: its steps in order, each with a glyph, its
// time and what went wrong, and one button that copies all of it.
/** @jsxImportSource preact */
import { CopyButton, Icon } from '@chartside/ui'
import { ActionButton } from './action-button.tsx'
import type { PanelAction } from './actions.ts'
import { copyText } from './copy-text.ts'
import type { DiagnosticsView } from './diagnostics-view.ts'
import type { DiagnosticsRow } from './pages-checked.ts'
import { UnfoldedHead } from './unfolded-head.tsx'
import { WORDS } from './words.ts'

export interface DiagnosticsProps {
  readonly view: DiagnosticsView
  readonly back: string
  readonly run: (action: PanelAction) => void
}

const LOOKS = {
  ok: { icon: 'check', tone: 'good' },
  failed: { icon: 'cross', tone: 'bad' },
  note: { icon: 'eye', tone: 'quiet' },
} as const

export function Diagnostics({ view, back, run }: DiagnosticsProps) {
  return (
    <UnfoldedHead title={view.title} back={back} returnTo="header [aria-haspopup]" run={run}>
      {view.rows.length === 0 && <p class="quiet">{WORDS.diagnosticsEmpty}</p>}
      <ol class="steps">
        {view.rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ol>
      <ActionButton button={view.check} run={run} isCompact />
      {view.pages.isRunning && <p class="quiet">{WORDS.pagesRunning}</p>}
      {view.pages.rows.length > 0 && (
        <ol class="steps">
          {view.pages.rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ol>
      )}
      <CopyButton
        text={view.report}
        label={WORDS.diagnosticsCopy}
        copy={copyText}
        isCompact={false}
      />
    </UnfoldedHead>
  )
}

function Row({ row }: { readonly row: DiagnosticsRow }) {
  const { icon, tone } = LOOKS[row.outcome]
  return (
    <li class="step">
      <span class={`tone-${tone}`}>
        <Icon name={icon} />
        <span class="unseen">{WORDS.outcomes[row.outcome]}: </span>
      </span>
      <strong>{row.name}</strong>
      <span class="quiet small">{row.after}</span>
      <span class="quiet small step-time">{row.time}</span>
      {row.detail.map((text) => (
        <p key={text} class="step-detail">
          {text}
        </p>
      ))}
    </li>
  )
}
