// Shows times in the zone of this machine or in UTC, on every page from then on. Stands beside lists of
// times.
/** @jsxImportSource preact */
import { formatTime } from '@chartside/ui/times'
import { chooseTimes, type TimeChoice, timeChoice } from '../session/time-zone.ts'
import { FilterChips } from './filter-chips.tsx'

export const TimeZoneSwitch = () => (
  <FilterChips
    label="Times in"
    value={timeChoice.value}
    options={[
      { value: 'local', label: `Local (${zoneName()})`, icon: 'clock' },
      { value: 'utc', label: 'UTC' },
    ]}
    onChange={(choice) => chooseTimes(choice as TimeChoice)}
  />
)

/** Returns the name of the zone, such as “EST”. */
const zoneName = () => formatTime(Date.now()).split(' ').slice(2).join(' ')
