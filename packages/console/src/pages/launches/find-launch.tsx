// The search of launches: the trace id of an error page, or the id of a launch, leads to the launch.
// What is typed may be a bearer value and never stands in the address of the page; a trace id may: the
// report of an error page has an address with it.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { listLaunches } from '../../api/launches.ts'
import { SearchForm } from '../../parts/search-form.tsx'
import { DO } from '../../route/addresses.ts'
import { navigate, place } from '../../route/location.ts'

const TRACE_ID = /^[0-9a-f]{32}$/

/** The trace id of an error page, or the id of a launch, to the launch. */
export function FindLaunch({
  accountId,
  address,
}: {
  readonly accountId: string | undefined
  readonly address: (id: string) => string
}) {
  const given = place.value.query.get('trace') ?? ''
  const trace = TRACE_ID.test(given) ? given : ''
  const text = useSignal(trace)
  const message = useSignal('')
  const find = async () => {
    const wanted = text.value.trim()
    message.value = ''
    if (wanted === '') return
    if (wanted.startsWith('lau_')) return navigate(address(encodeURIComponent(wanted)))
    const query = wanted.startsWith('lnch_') ? { launch_id: wanted } : { traceId: wanted }
    const found = await listLaunches({ ...query, accountId, limit: 1 }).catch(() => undefined)
    const [launch] = found?.items ?? []
    if (launch) navigate(address(launch.id))
    else
      message.value = found
        ? 'No launch that you see has this trace id.'
        : 'Could not search. Try again.'
  }
  useEffect(() => {
    if (trace !== '') void find()
  }, [trace])
  return (
    <SearchForm
      label="Trace id or launch"
      name="find"
      asked={DO.find}
      value={text.value}
      error={message.value === '' ? undefined : message.value}
      onInput={(value) => {
        text.value = value
      }}
      onSearch={() => void find()}
    />
  )
}
