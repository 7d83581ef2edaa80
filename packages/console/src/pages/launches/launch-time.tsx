// When the listed launches are: the last hour, day or week, around a time as a person says it, or From and Before. The
// address keeps the choice.
/** @jsxImportSource preact */
import { SelectField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useShortcut } from '../../keys/shortcuts.ts'
import { SearchForm } from '../../parts/search-form.tsx'
import { TimeFields } from '../../parts/time-fields.tsx'
import { DO } from '../../route/addresses.ts'
import { setQuery } from '../../route/location.ts'
import { timeChoice } from '../../session/time-zone.ts'
import { AROUND_MINUTES, parseClockTime, timeAround } from './clock-time.ts'
import { type ListedLaunches, timeOf } from './launch-list.ts'

export function LaunchTime({ listed }: { readonly listed: ListedLaunches }) {
  const { window, from, to } = listed
  const choose = (value: string) =>
    setQuery(
      value === 'own'
        ? { in: undefined, ...timeOf(listed, Date.now()) }
        : { in: value, from: undefined, to: undefined },
    )
  return (
    <>
      <SelectField
        label="Time"
        name="in"
        value={window}
        options={[
          { value: 'hour', label: 'Last hour' },
          { value: 'day', label: 'Last day' },
          { value: 'week', label: 'Last week' },
          { value: 'own', label: 'From … to' },
        ]}
        onChange={choose}
      />
      <AroundForm />
      {window === 'own' && <TimeFields from={from} to={to} />}
    </>
  )
}

function AroundForm() {
  const said = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const frame = useRef<HTMLDivElement>(null)
  useShortcut({ keys: 't', label: 'Around a time', group: 'On this page' }, () =>
    frame.current?.querySelector('input')?.focus(),
  )
  const show = () => {
    const at = parseClockTime(said.value, Date.now(), timeChoice.value)
    error.value = at === undefined ? WANTED : undefined
    if (at !== undefined) setQuery({ in: undefined, ...timeAround(at) })
  }
  return (
    <div ref={frame} class="around">
      <SearchForm
        label={`Around (± ${AROUND_MINUTES} minutes)`}
        name="around"
        asked={DO.around}
        placeholder="yesterday 9:12 AM"
        button="Show"
        value={said.value}
        error={error.value}
        onInput={(value) => {
          said.value = value
          error.value = undefined
        }}
        onSearch={show}
      />
    </div>
  )
}

const WANTED = 'Write a time that has been, such as 9:12 AM, yesterday 4:30 PM or Nov 21 9:12 AM.'
