// The search of launches: the trace id of an error page, or the id of a launch, leads to the launch, also out of the
// line that it stands in. What is typed may be a bearer value and never stands in the address of the page; a trace id
// may: the report of an error page has an address with it.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { listLaunches } from '../../api/launches.ts'
import { SearchForm } from '../../parts/search-form.tsx'
import { DO } from '../../route/addresses.ts'
import { navigate, place } from '../../route/location.ts'
import { recognizeLaunch } from '../../shell/lookups.ts'

const TRACE_ID = /^[0-9a-f]{32}$/
const SPAN_ID = /^[0-9a-f]{16}$/i

/** Says what the field takes, when the text has none of it. */
const describeWanted = (text: string): string =>
  SPAN_ID.test(text)
    ? 'This is a span id, of one request. Paste the trace id beside it, which has 32 characters.'
    : 'Paste a trace id: 32 characters from 0 to 9 and a to f, as an error page and a log line show it. Or paste the id of a launch: lau_… or lnch_….'

const UNKNOWN_LAUNCH = 'No launch that you see has this launch_id.'
const UNKNOWN_TRACE =
  'No launch that you see has this trace id. Launches keep those of failed steps; the log of the service has all.'

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
    const given = text.value.trim()
    message.value = ''
    if (given === '') return
    const wanted = recognizeLaunch(given)
    if (!wanted) {
      message.value = describeWanted(given)
      return
    }
    const { kind, value } = wanted
    if (kind === 'launch') return navigate(address(value))
    const query = kind === 'launchId' ? { launch_id: value } : { traceId: value.toLowerCase() }
    const found = await listLaunches({ ...query, accountId, limit: 1 }).catch(() => undefined)
    const [launch] = found?.items ?? []
    if (launch) navigate(address(launch.id))
    else if (!found) message.value = 'Could not search. Try again.'
    else message.value = kind === 'launchId' ? UNKNOWN_LAUNCH : UNKNOWN_TRACE
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
