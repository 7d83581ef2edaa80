// In which zone times are shown: that of this machine, or UTC. Kept in this browser. Also what a field for a date
// and a time means in that zone.
import { computed, signal } from '@preact/signals'

const KEY = 'chartside.times'

export type TimeChoice = 'local' | 'utc'

export const timeChoice = signal<TimeChoice>(localStorage.getItem(KEY) === 'utc' ? 'utc' : 'local')

/** The zone; undefined is that of the machine. */
export const timeZone = computed(() => (timeChoice.value === 'utc' ? 'UTC' : undefined))

export function chooseTimes(choice: TimeChoice): void {
  timeChoice.value = choice
  localStorage.setItem(KEY, choice)
}

/** The value of a field for a date and a time, in the chosen zone, of a moment; empty without one. */
export function fieldOfMoment(at: number | undefined, choice: TimeChoice): string {
  if (at === undefined || Number.isNaN(at)) return ''
  const shift = choice === 'utc' ? 0 : new Date(at).getTimezoneOffset() * 60_000
  return new Date(at - shift).toISOString().slice(0, 16)
}

/** The moment of such a field; undefined while it is not whole. */
export function momentOfField(text: string, choice: TimeChoice): number | undefined {
  const at = Date.parse(choice === 'utc' ? `${text}Z` : text)
  return Number.isNaN(at) ? undefined : at
}

/** Returns midnight in the chosen zone, of today or of so many days before. */
export function startOfDay(now: number, daysAgo: number, choice: TimeChoice): number {
  const day = new Date(now)
  return choice === 'utc'
    ? Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() - daysAgo)
    : new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime()
}
