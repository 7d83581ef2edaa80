// The moment that a person means by “around 9:12 AM”, in the chosen zone: the last such time, or that of a day that they
// name. Pure: words and the time now in, a moment out.
import {
  fieldOfMoment,
  momentOfField,
  startOfDay,
  type TimeChoice,
} from '../../session/time-zone.ts'

const MINUTE_MS = 60_000

/** The forms “9:12 AM”, “9 am”, “21:12”, “6:21:24 PM EST”. */
const CLOCK = /\b(\d{1,2})(?:[:.](\d{2}))?(?:[:.]\d{2})?\s*([ap])\.?m\b\.?|\b(\d{1,2})[:.](\d{2})\b/
/** The forms “nov 27”, “november 27th”. */
const DATE =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b/
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'
const DAYS = 'sunmontuewedthufrisat'
const WEEKDAY = /\b(sun|mon|tue|wed|thu|fri|sat)[a-z]*\b/

const two = (value: number): string => String(value).padStart(2, '0')

/** Reads “09:12” of a day; undefined when the text has no time. Without AM or PM it is that of a 24-hour clock. */
function readClock(text: string): string | undefined {
  const [, hour12, minutes12 = '0', half, hour24, minutes24 = '0'] = CLOCK.exec(text) ?? []
  if (hour12 === undefined && hour24 === undefined) return undefined
  const given = Number(hour12 ?? hour24)
  const minutes = Number(half ? minutes12 : minutes24)
  const isHour = half ? given >= 1 && given <= 12 : given <= 23
  if (!isHour || minutes > 59) return undefined
  const hour = half ? (given % 12) + (half === 'p' ? 12 : 0) : given
  return `${two(hour)}:${two(minutes)}`
}

/** The days that the text can mean, the latest first, as `2026-11-27`. */
function listDays(text: string, now: number, choice: TimeChoice): readonly string[] {
  const dayBefore = (days: number) => fieldOfMoment(startOfDay(now, days, choice), choice)
  const today = dayBefore(0).slice(0, 10)
  const [, month, day] = DATE.exec(text) ?? []
  if (month !== undefined && day !== undefined) {
    const rest = `-${two(MONTHS.indexOf(month) / 3 + 1)}-${two(Number(day))}`
    const year = Number(today.slice(0, 4))
    return [`${year}${rest}`, `${year - 1}${rest}`]
  }
  const [, weekday] = WEEKDAY.exec(text) ?? []
  if (/\byesterday\b/.test(text)) return [dayBefore(1).slice(0, 10)]
  const lastWeek = Array.from({ length: 8 }, (_, days) => dayBefore(days).slice(0, 10))
  if (weekday === undefined) return lastWeek.slice(0, 2)
  const wanted = DAYS.indexOf(weekday) / 3
  return lastWeek.filter((one) => new Date(`${one}T00:00Z`).getUTCDay() === wanted)
}

/** The last of these moments that has come; undefined when the text says no time. */
export function parseClockTime(said: string, now: number, choice: TimeChoice): number | undefined {
  const text = said.toLowerCase()
  const clock = readClock(text)
  if (clock === undefined) return undefined
  for (const day of listDays(text, now, choice)) {
    const at = momentOfField(`${day}T${clock}`, choice)
    // February 30 would be a day of March.
    const isOfDay = fieldOfMoment(at, choice).startsWith(day)
    if (at !== undefined && at <= now && isOfDay) return at
  }
  return undefined
}

/** People say a time to some minutes. */
export const AROUND_MINUTES = 10

/** Returns the time from ten minutes before `at` to ten minutes after it, as the address says it. */
export const timeAround = (at: number): { readonly from: string; readonly to: string } => ({
  from: new Date(at - AROUND_MINUTES * MINUTE_MS).toISOString(),
  to: new Date(at + AROUND_MINUTES * MINUTE_MS).toISOString(),
})
