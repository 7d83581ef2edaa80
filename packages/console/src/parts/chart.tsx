// Charts in plain SVG, bars of which a part is marked, lines and small lines, without a library. Labels are text of the page,
// so that they keep their size. Beside each chart its page shows the same values as a table.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

const WIDTH = 1000
const HEIGHT = 100

const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** The next round number that is no smaller: 250 for 241. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return Math.ceil((ROUND.find((factor) => factor * power >= value) ?? 10) * power)
}

/** A line ends where there is no value: without launches there is no time. */
function splitAtGaps(
  values: readonly (number | null)[],
): (readonly [at: number, value: number])[][] {
  const runs: (readonly [number, number])[][] = []
  let run: (readonly [number, number])[] = []
  for (const [at, value] of values.entries()) {
    if (value === null) run = []
    else {
      if (run.length === 0) runs.push(run)
      run.push([at + 0.5, value])
    }
  }
  // A value alone is a short line.
  return runs.map((one) =>
    one.length === 1
      ? one.flatMap(
          ([at, value]) =>
            [
              [at - 0.3, value],
              [at + 0.3, value],
            ] as const,
        )
      : one,
  )
}

interface FrameProps {
  readonly label: string
  readonly top: string
  readonly from: string
  readonly to: string
  readonly marks?: readonly { readonly number: number; readonly share: number }[]
  /** The content over the bars, such as what chooses a part of them. */
  readonly overlay?: ComponentChildren
  readonly children: ComponentChildren
}

function Frame({ label, top, from, to, marks = [], overlay, children }: FrameProps) {
  return (
    <div class="chart">
      <p class="chart-scale">{top}</p>
      <div class="chart-ground">
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {children}
        </svg>
        {marks.map(({ number, share }) => (
          <span
            key={number}
            class="chart-mark"
            aria-hidden="true"
            style={{ left: `${Math.min(Math.max(share, 0.01), 0.99) * 100}%` }}
          >
            {number}
          </span>
        ))}
        {overlay}
      </div>
      <p class="chart-times">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </div>
  )
}

export interface Bar {
  readonly total: number
  readonly marked: number
  readonly usual: number | null
}

export function BarChart({ bars, ...frame }: { readonly bars: readonly Bar[] } & ChartProps) {
  const top = roundUp(Math.max(...bars.map(({ total, usual }) => Math.max(total, usual ?? 0)), 1))
  const step = WIDTH / bars.length
  const yOf = (value: number) => HEIGHT - (value / top) * HEIGHT
  const usual = bars.flatMap((one, k) =>
    one.usual === null ? [] : [`${(k + 0.5) * step},${yOf(one.usual)}`],
  )
  return (
    <Frame {...frame} top={String(top)}>
      <defs>
        <pattern id="failed" width="6" height="6" patternUnits="userSpaceOnUse">
          <rect class="chart-failed-ground" width="6" height="6" />
          <path class="chart-failed-line" d="M0 6 6 0" />
        </pattern>
      </defs>
      {bars.map(({ total, marked }, k) => {
        const box = { x: k * step + step * 0.1, width: step * 0.8 }
        return (
          <g key={k}>
            <rect
              class="chart-bar"
              {...box}
              y={yOf(total - marked)}
              height={HEIGHT - yOf(total - marked)}
            />
            <rect
              fill="url(#failed)"
              {...box}
              y={yOf(total)}
              height={yOf(total - marked) - yOf(total)}
            />
          </g>
        )
      })}
      <polyline class="chart-usual" points={usual.join(' ')} />
    </Frame>
  )
}

type ChartProps = Omit<FrameProps, 'children' | 'top'>

interface Line {
  readonly name: string
  readonly values: readonly (number | null)[]
}

export function LineChart({
  lines,
  formatTop,
  ...frame
}: { readonly lines: readonly Line[]; readonly formatTop: (top: number) => string } & ChartProps) {
  const top = roundUp(Math.max(...lines.flatMap(({ values }) => values.map((one) => one ?? 0)), 1))
  return (
    <Frame {...frame} top={formatTop(top)}>
      {lines.flatMap(({ name, values }) =>
        splitAtGaps(values).map((run) => (
          <Run
            key={`${name} ${run[0]?.[0]}`}
            name={name}
            run={run}
            count={values.length}
            top={top}
          />
        )),
      )}
    </Frame>
  )
}

interface RunProps {
  readonly name: string
  readonly run: readonly (readonly [at: number, value: number])[]
  readonly count: number
  readonly top: number
}

const Run = ({ name, run, count, top }: RunProps) => (
  <polyline
    class={`chart-line ${name}`}
    points={run
      .map(([at, value]) => `${(at / count) * WIDTH},${HEIGHT - (value / top) * HEIGHT}`)
      .join(' ')}
  />
)

/** A small line goes on over nights without a value. */
function bridge(values: readonly (number | null)[]): RunProps['run'] {
  const known = values.flatMap((value, at) => (value === null ? [] : [[at + 0.5, value] as const]))
  return known.length === 1 ? (splitAtGaps(values)[0] ?? []) : known
}

/** Shares from 0 to 1 without a scale; the values stand beside it or in a table. */
export const Sparkline = ({
  label,
  values,
}: {
  readonly label: string
  readonly values: readonly (number | null)[]
}) => (
  <svg
    class="sparkline"
    role="img"
    aria-label={label}
    viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
    preserveAspectRatio="none"
  >
    <Run name="ready" run={bridge(values)} count={values.length} top={1} />
  </svg>
)
