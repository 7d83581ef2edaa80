// This launch beside one of the same app that became ready: the time of each step, and what differs.
// The other launch is one that the caller may read.
/** @jsxImportSource preact */
import { STEP_NAMES } from '@chartside/protocol/launch-steps'
import type { Launch } from '@chartside/protocol/payloads'
import { Table } from '@chartside/ui'
import { formatDuration } from '@chartside/ui/times'
import { loadLaunch } from '../../api/launches.ts'
import { useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import type { Scope } from '../../session/scopes.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly mine: string
  readonly other: string
  readonly difference: string
}

export function Comparison({
  launch,
  withId,
  scope,
}: {
  readonly launch: Launch
  readonly withId: string
  readonly scope: Scope
}) {
  const load = useRecord((signal) => loadLaunch(withId, { signal }), withId)
  return (
    <Section
      title="Compared with a launch that became ready"
      actions={
        <a href={scopedAddress(scope, `launches/${encodeURIComponent(withId)}`)}>
          Open that launch
        </a>
      }
    >
      <Loaded load={load} what="the launch to compare with">
        {(other) => (
          <div class="card list-card">
            <Table
              caption="Time of each step in both launches"
              isCaptionHidden
              rowId={({ id }) => id}
              rows={compare(launch, other)}
              columns={[
                { id: 'name', label: 'Step', render: ({ name }) => name },
                { id: 'mine', label: 'This launch', isNumber: true, render: ({ mine }) => mine },
                { id: 'other', label: 'The good one', isNumber: true, render: (row) => row.other },
                {
                  id: 'difference',
                  label: 'Difference',
                  isNumber: true,
                  render: ({ difference }) => difference,
                },
              ]}
            />
          </div>
        )}
      </Loaded>
    </Section>
  )
}

function compare(launch: Launch, good: Launch): Row[] {
  return launch.spans.map(({ span, outcome, durationMs }) => {
    const other = good.spans.find((one) => one.span === span)?.durationMs
    const isBoth = outcome === 'ok' && durationMs !== undefined && other !== undefined
    const more = isBoth ? durationMs - other : 0
    const sign = more > 0 ? '+' : more < 0 ? '−' : ''
    return {
      id: span,
      name: STEP_NAMES[span],
      mine: outcome === 'ok' ? formatDuration(durationMs ?? 0) : outcome.replaceAll('_', ' '),
      other: other === undefined ? '–' : formatDuration(other),
      difference: isBoth ? sign + formatDuration(Math.abs(more)) : '–',
    }
  })
}
