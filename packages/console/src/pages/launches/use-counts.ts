// The counts and the causes of a list of launches, read again every few seconds while the page is in
// sight. Reading them is no activity of the person.
import type { LaunchCauses, LaunchSummary } from '@chartside/protocol/payloads'
import { useEffect } from 'preact/hooks'
import { listCauses, summarizeLaunches } from '../../api/launches.ts'
import { useRecord } from '../../load/use-record.ts'
import { isOver, type ListedLaunches, timeOf } from './launch-list.ts'

const COUNT_EVERY_MS = 5000

export interface Counts {
  readonly summary: LaunchSummary | undefined
  readonly causes: LaunchCauses | undefined
}

export function useCounts(listed: ListedLaunches): Counts {
  const { filter, key } = listed
  const query = () => ({ ...filter, ...timeOf(listed, Date.now()) })
  const summary = useRecord(
    (signal) => summarizeLaunches(query(), { signal, isBackground: true }),
    key,
  )
  const causes = useRecord(
    (signal) => listCauses({ ...query(), reason: undefined }, { signal, isBackground: true }),
    key,
  )
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden || isOver(listed, Date.now())) return
      summary.reload()
      causes.reload()
    }, COUNT_EVERY_MS)
    return () => clearInterval(timer)
  }, [key])
  return { summary: summary.data, causes: causes.data }
}
