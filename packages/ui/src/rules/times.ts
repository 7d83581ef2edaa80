// Times as a person reads them: local, with the zone, and UTC beside them for a copy; durations in
// the unit that fits. Pure: the zone and the language are arguments, so a test has the same words
// everywhere. A non-breaking space never splits a number from its unit.

export interface TimeOptions {
  /** The IANA name; default: that of the browser. */
  readonly timeZone?: string | undefined
  readonly locale?: string | undefined
}

const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ')

/** The formatters are kept: making one costs a hundred times what its use does, and a list uses it for each row. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function format(at: number, { timeZone, locale = 'en-US' }: TimeOptions, parts: object): string {
  const options = { ...(timeZone ? { timeZone } : {}), ...parts }
  const key = `${locale} ${JSON.stringify(options)}`
  let formatter = formatters.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(locale, options)
    formatters.set(key, formatter)
  }
  return plain(formatter.format(at))
}

/** Formats “6:21:24 PM EST”. */
export const formatTime = (at: number, options: TimeOptions = {}): string =>
  format(at, options, {
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  })

/** Formats “6:21 PM”. */
export const formatClock = (at: number, options: TimeOptions = {}): string =>
  format(at, options, { hour: 'numeric', minute: '2-digit' })

/** Formats “Nov 21”, with the year when it is not this one. */
export function formatDate(at: number, now: number, options: TimeOptions = {}): string {
  const year = { year: 'numeric' } as const
  const isThisYear = format(at, options, year) === format(now, options, year)
  return format(at, options, { month: 'short', day: 'numeric', ...(isThisYear ? {} : year) })
}

/** Formats “Nov 21, 6:21:24 PM EST”; of today only the time. */
export function formatMoment(at: number, now: number, options: TimeOptions = {}): string {
  const day = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const isToday = format(at, options, day) === format(now, options, day)
  const time = formatTime(at, options)
  return isToday ? time : `${formatDate(at, now, options)}, ${time}`
}

/** Formats “2026-11-21 23:21:24.865 UTC”. */
export const formatUtc = (at: number): string =>
  new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC')

/** Formats “1,234,567”. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** Formats “6 ms”, “1.4 s”, “10 s”, “3 min 20 s”, “2 h 5 min”. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 59_950) return `${Number((ms / 1000).toFixed(1))} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return joinUnits(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  return joinUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

const joinUnits = (large: number, unit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`

/** Formats “9:41”, what is left of a limit; never negative. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
