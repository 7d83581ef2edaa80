// How the page writes times: local and with their zone, UTC for the tooltip; durations in the unit
// that fits. Pure. The locale is that of the sample practices.
import type { Launch, LaunchStepName } from '@chartside/protocol/launch'

const LOCALE = 'en-US'

const TIME = new Intl.DateTimeFormat(LOCALE, {
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})

/** "6:21:24 PM EST" */
export const formatTime = (at: number): string => TIME.format(at)

/** "2026-11-21T23:21:24.107Z" */
export const formatUtc = (at: number): string => new Date(at).toISOString()

/** "6 ms", "1.4 s", "10.1 s", "2 min 5 s" */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

type Span = Launch['spans'][number]

const PARTIES: Readonly<Record<Span['party'], string>> = {
  host: 'host',
  app_page: 'app page',
  app_server: 'app server',
  service: 'service',
}

/** The spans that end with a step. */
const SPANS_OF: Readonly<Partial<Record<LaunchStepName, readonly Span['span'][]>>> = {
  opened: ['open'],
  authorize: ['load'],
  code: ['authorize'],
  exchange: ['prepare', 'exchange'],
  handshake: ['hello'],
  context: ['context'],
}

/** Whose time a step was: "338 ms app server, 6 ms service". Empty while it is not known. */
export function describeTimes(spans: readonly Span[], step: LaunchStepName): string {
  const ended = spans.filter(({ span }) => SPANS_OF[step]?.includes(span))
  return ended
    .flatMap(({ durationMs, party }) =>
      durationMs === undefined ? [] : [`${formatDuration(durationMs)} ${PARTIES[party]}`],
    )
    .join(', ')
}
