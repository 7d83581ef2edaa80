// The listed launches over time. A part of it is chosen with the pointer, or with arrows and Enter, and becomes the time
// of the list; Back and Escape lead to the time before. The same values stand below as a table.
/** @jsxImportSource preact */
import type { LaunchSlot, LaunchSummary } from '@chartside/protocol/payloads'
import { Button, formatClock, formatCount, formatDate } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { BarChart } from '../../parts/chart.tsx'
import { ChartTable } from '../../parts/chart-table.tsx'
import { place, setQuery } from '../../route/location.ts'
import { timeZone } from '../../session/time-zone.ts'
import type { ListedLaunches } from './launch-list.ts'
import {
  type Bars,
  barAt,
  describeTime,
  describeWidth,
  moveSelection,
  type Selection,
  timeOfSelection,
} from './time-selection.ts'

interface LaunchHistogramProps {
  readonly listed: ListedLaunches
  readonly summary: LaunchSummary | undefined
}

export function LaunchHistogram({ listed: { key, window }, summary }: LaunchHistogramProps) {
  // While another time loads, the bars of the one before stay, and the focus with them.
  const last = useRef(summary)
  if (summary) last.current = summary
  const selection = useSignal<Selection | undefined>(undefined)
  useEffect(() => {
    selection.value = undefined
  }, [key])
  const shown = last.current
  if (!shown || (shown.launches === 0 && window !== 'own')) return null
  const { slots, slotSeconds } = shown
  const bars: Bars = {
    first: Date.parse(slots[0]?.at ?? shown.from),
    slotMs: slotSeconds * 1000,
    count: slots.length,
  }
  const zone = { now: Date.now(), timeZone: timeZone.value }
  const chosen = selection.value && timeOfSelection(selection.value, bars)
  const whole = { from: bars.first, to: bars.first + bars.count * bars.slotMs }
  const title = describeWidth(slotSeconds)
  const endOf = (at: number) =>
    `${formatDate(at, zone.now, zone)}, ${formatClock(at, { timeZone: zone.timeZone })}`
  return (
    <figure class="card padded launch-histogram" aria-label={title}>
      <figcaption>
        <strong>{title}</strong>
        <span class="small">{describeTime(chosen ?? whole, slots, zone)}</span>
        {window === 'own' ? (
          <Button isCompact onPress={clearTime}>
            Whole time
          </Button>
        ) : (
          <span class="small quiet">Drag over the bars to narrow the time.</span>
        )}
      </figcaption>
      <BarChart
        label={`${title}. The table below has the values.`}
        from={endOf(whole.from)}
        to={endOf(Math.min(whole.to, zone.now))}
        bars={slots.map(({ launches, failed }) => ({
          total: launches,
          marked: failed,
          usual: null,
        }))}
        overlay={
          <Brush
            bars={bars}
            selection={selection.value}
            text={describeTime(chosen ?? whole, slots, zone)}
            onSelect={(next) => {
              selection.value = next
            }}
            onApply={showTime}
            onClear={window === 'own' ? clearTime : undefined}
          />
        }
      />
      <ChartTable
        title={title}
        slots={slots}
        columns={COLUMNS}
        addressOf={(at) => addressOfTime({ from: at, to: at + bars.slotMs })}
      />
    </figure>
  )
}

const rfc3339 = (at: number) => new Date(at).toISOString()

const showTime = ({ from, to }: { readonly from: number; readonly to: number }) =>
  setQuery({ from: rfc3339(from), to: rfc3339(to) }, { isPushed: true })

function addressOfTime({ from, to }: { readonly from: number; readonly to: number }): string {
  const query = new URLSearchParams(place.value.query)
  query.set('from', rfc3339(from))
  query.set('to', rfc3339(to))
  return `?${query}`
}

/** The choice of last hour, day or week is still in the address. */
const clearTime = () => setQuery({ from: undefined, to: undefined }, { isPushed: true })

interface BrushProps {
  readonly bars: Bars
  readonly selection: Selection | undefined
  readonly text: string
  readonly onSelect: (selection: Selection | undefined) => void
  readonly onApply: (time: { readonly from: number; readonly to: number }) => void
  readonly onClear: (() => void) | undefined
}

function Brush({ bars, selection, text, onSelect, onApply, onClear }: BrushProps) {
  const barOf = ({ currentTarget, clientX }: MouseEvent & { currentTarget: HTMLElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return barAt((clientX - left) / width, bars)
  }
  const apply = () => {
    if (selection) onApply(timeOfSelection(selection, bars))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moved = moveSelection(selection, event, bars)
    if (moved) onSelect(moved)
    else if (event.key === 'Enter') apply()
    else if (event.key === 'Escape' && selection) onSelect(undefined)
    else if (event.key === 'Escape' && onClear) onClear()
    else return
    event.preventDefault()
  }
  const time = selection && timeOfSelection(selection, bars)
  const shareOf = (at: number) => `${((at - bars.first) / (bars.count * bars.slotMs)) * 100}%`
  return (
    <div
      class="brush"
      role="slider"
      tabIndex={0}
      aria-label="Time: arrows choose, Shift widens, Enter shows, Escape goes back"
      aria-valuemin={0}
      aria-valuemax={Math.max(bars.count - 1, 0)}
      aria-valuenow={selection ? Math.round((selection.head - bars.first) / bars.slotMs) : 0}
      aria-valuetext={text}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const at = barOf(event)
        onSelect({ anchor: at, head: at })
      }}
      onPointerMove={(event) => {
        if (!selection || !event.currentTarget.hasPointerCapture(event.pointerId)) return
        onSelect({ ...selection, head: barOf(event) })
      }}
      onPointerUp={apply}
      onPointerCancel={() => onSelect(undefined)}
    >
      {time && (
        <span
          class="brush-range"
          style={{ left: shareOf(time.from), right: `calc(100% - ${shareOf(time.to)})` }}
        />
      )}
    </div>
  )
}

const COLUMNS = [
  { label: 'Launches', render: ({ launches }: LaunchSlot) => formatCount(launches) },
  { label: 'Failed', render: ({ failed }: LaunchSlot) => formatCount(failed) },
]
