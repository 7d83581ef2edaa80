// How the page writes times: local and with their zone, UTC for the tooltip; durations in the unit
// that fits. Pure. The locale is that of the sample practices.
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
