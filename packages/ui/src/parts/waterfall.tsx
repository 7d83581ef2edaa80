// The waterfall of a launch: a list of buttons on a CSS grid, one for each span, with the party that
// it belongs to, its bar and its usual time. Arrows move the focus, Enter shows the span. Widths are
// set through the CSSOM, which a strict style policy allows.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { nextFocus } from '../rules/focus-moves.ts'
import { type Party, type PlacedSpan, placeSpans, type Span } from '../rules/spans.ts'
import { formatDuration } from '../rules/times.ts'
import { Icon } from './icon.tsx'

export interface WaterfallProps {
  readonly label: string
  readonly spans: readonly Span[]
  readonly partyNames: Readonly<Record<Party, string>>
  readonly selected: string | null
  readonly onSelect: (id: string) => void
}

export function Waterfall({ label, spans, partyNames, selected, onSelect }: WaterfallProps) {
  const list = useRef<HTMLFieldSetElement>(null)
  const focused = useSignal(0)
  const { spans: placed, ticks, shares } = placeSpans(spans)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextFocus(event.key, focused.value, placed.length, 'list')
    if (next === null) return
    event.preventDefault()
    list.current?.querySelectorAll<HTMLButtonElement>('.span')[next]?.focus()
  }
  return (
    <section class="card waterfall" aria-label={label}>
      <div class="shares" aria-hidden="true">
        {shares.map(({ party, share }) => (
          <i key={party} class={`party-${party}`} style={{ flexGrow: share }} />
        ))}
      </div>
      <ul class="legend">
        {shares.map(({ party, ms }) => (
          <li key={party}>
            <i class={`party-${party}`} aria-hidden="true" />
            {partyNames[party]} {formatDuration(ms)}
          </li>
        ))}
        {placed.some(({ usualAt }) => usualAt !== null) && (
          <li>
            <i class="tick" aria-hidden="true" />
            usual end
          </li>
        )}
      </ul>
      <div class="waterfall-scale" aria-hidden="true">
        <span>Step</span>
        <span class="ticks">
          {ticks.map((tick) => (
            <span key={tick}>{tick === 0 ? '0' : formatDuration(tick)}</span>
          ))}
          <span />
        </span>
        <span class="end">Time</span>
      </div>
      <fieldset ref={list} class="spans" aria-label={label} onKeyDown={onKeyDown}>
        {placed.map((span, index) => (
          <SpanButton
            key={span.id}
            span={span}
            partyName={partyNames[span.party]}
            isStop={index === focused.value}
            isSelected={span.id === selected}
            onFocus={() => {
              focused.value = index
            }}
            onSelect={() => onSelect(span.id)}
          />
        ))}
      </fieldset>
    </section>
  )
}

interface SpanButtonProps {
  readonly span: PlacedSpan
  readonly partyName: string
  readonly isStop: boolean
  readonly isSelected: boolean
  readonly onFocus: () => void
  readonly onSelect: () => void
}

function SpanButton({ span, partyName, isStop, isSelected, onFocus, onSelect }: SpanButtonProps) {
  const isNever = span.startMs === null
  const state = isNever
    ? ' never'
    : span.isFailed
      ? ' failed'
      : span.isLate
        ? ' late'
        : span.isRunning
          ? ' running'
          : ''
  const detail = isNever ? (span.isWaiting ? '' : 'never happened') : span.detail
  return (
    <button
      type="button"
      class={`span party-${span.party}${state}`}
      aria-pressed={isSelected}
      tabIndex={isStop ? 0 : -1}
      onFocus={onFocus}
      onClick={onSelect}
    >
      <span class="name">
        {span.isFailed || span.isLate ? (
          <Icon name={span.isFailed ? 'cross' : 'clock'} />
        ) : (
          <span class={`party party-${span.party}`} aria-hidden="true" />
        )}
        <span>{span.name}</span>
        <span class="unseen">, {partyName},</span>
        {detail && <small>{detail}</small>}
      </span>
      <span class="lane" aria-hidden="true">
        <span
          class="bar"
          style={{ insetInlineStart: `${span.offset}%`, width: `${span.width}%` }}
        />
        {span.usualAt !== null && (
          <span class="usual" style={{ insetInlineStart: `${span.usualAt}%` }} />
        )}
      </span>
      <span class="amount">
        {isNever ? <span aria-hidden="true">–</span> : formatDuration(span.durationMs)}
        {span.usualMs !== undefined && !isNever && (
          <small>usual {formatDuration(span.usualMs)}</small>
        )}
      </span>
    </button>
  )
}
