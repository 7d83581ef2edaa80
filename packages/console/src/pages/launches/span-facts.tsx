// What is known of the span that the person chose in the waterfall: its times, what the app usually takes,
// why it failed, and of the page what its own clock measured.
/** @jsxImportSource preact */
import { listLaunchRows, STEP_NAMES } from '@chartside/protocol/launch-steps'
import type { Launch, UsualTimes } from '@chartside/protocol/payloads'
import { formatDuration, formatUtc } from '@chartside/ui/times'

const NOTES = {
  clamped: 'The clocks or the order of the reports differed; the time is cut.',
  not_recorded: 'Its time was not recorded.',
} as const

export function SpanFacts({
  launch,
  usual,
  span: id,
}: {
  readonly launch: Launch
  readonly usual: UsualTimes | undefined
  readonly span: string | null
}) {
  const span = listLaunchRows(launch).find((one) => one.id === id)
  if (!span) return null
  const measured = usual?.spans.find((one) => one.span === span.span)
  const timings = span.span === 'hello' ? launch.page?.timings : undefined
  const facts: [string, string | undefined][] = [
    ['Began', span.startedAt && formatUtc(Date.parse(span.startedAt))],
    ['Took', span.durationMs === undefined ? undefined : formatDuration(span.durationMs)],
    [
      'Usually',
      measured &&
        `${formatDuration(measured.p50Ms)}, 95 of 100 within ${formatDuration(measured.p95Ms)} (${measured.count} launches)`,
    ],
    ['Note', span.note && NOTES[span.note]],
    ['Cause', span.cause],
    ['Fix', span.fix],
    [
      'The page, by its own clock',
      timings &&
        `first byte ${formatDuration(timings.responseStartMs)}, answer complete ${formatDuration(timings.responseEndMs)}, hello ${formatDuration(timings.helloMs)}`,
    ],
  ]
  return (
    <section class="card padded" aria-label={STEP_NAMES[span.span]}>
      <h3>{STEP_NAMES[span.span]}</h3>
      <dl class="facts">
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </section>
  )
}
