// The runs of the fault studio that the developers of an app handed in, newest first, each beside the run before,
// and the command that hands one in. Staging only. Decision 84.
/** @jsxImportSource preact */
import type { App, FaultRunSummary } from '@chartside/protocol/payloads'
import { Button, CodeBlock, type Column, EmptyState, Pill } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { listFaultRuns } from '../../api/apps.ts'
import { BASE, ORIGIN } from '../../installation.ts'
import { useList } from '../../load/use-list.ts'
import { timeColumn } from '../../parts/columns.tsx'
import { copyText } from '../../parts/copy-text.ts'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import type { Scope } from '../../session/scopes.ts'
import { describeRunChange, handInCommand, nameOfGrade } from './fault-run-words.ts'

/** The number that is shown; more of them are one press away. */
const SHOWN = 5

interface FaultRunsProps {
  readonly app: App
  readonly scope: Scope
}

export function FaultRunsSection({ app, scope }: FaultRunsProps) {
  const list = useList((_cursor, signal) => listFaultRuns(app.id, { signal }), app.id)
  const areAllShown = useSignal(false)
  const hasMore = (list.data?.length ?? 0) > SHOWN
  return (
    <Section
      title="Fault runs"
      anchor="fault-runs"
      about="A run plays faults against the app on your machine or in your pipeline, and grades what the app does. The command takes a developer key of yours (Settings) from CHARTSIDE_DEVELOPER_KEY."
      actions={
        hasMore && (
          <Button
            onPress={() => {
              areAllShown.value = !areAllShown.value
            }}
          >
            {areAllShown.value ? `Show the newest ${SHOWN}` : `Show all ${list.data?.length}`}
          </Button>
        )
      }
    >
      <LoadedList
        list={list}
        what="the fault runs"
        empty={
          <EmptyState icon="flag" title="No run yet">
            <p class="quiet">
              About thirty faults are played, such as a changed state, an outage or a sign-out. The
              command below plays them and hands the run in.
            </p>
          </EmptyState>
        }
      >
        {(runs) => (
          <RecordTable
            caption="Fault runs"
            isCaptionHidden
            rows={areAllShown.value ? runs : runs.slice(0, SHOWN)}
            rowId={({ id }) => id}
            columns={columnsOf(scope, runs)}
          />
        )}
      </LoadedList>
      <CodeBlock
        title="Hand in a run"
        text={handInCommand(ORIGIN + BASE, app.id)}
        copy={copyText}
        copyLabel="Copy the command"
      />
    </Section>
  )
}

const columnsOf = (
  scope: Scope,
  runs: readonly FaultRunSummary[],
): readonly Column<FaultRunSummary>[] => [
  {
    id: 'grade',
    label: 'Grade',
    render: (run) => (
      <a href={scopedAddress(scope, `apps/${run.appId}/fault-runs/${run.id}`)}>
        {nameOfGrade(run)}
      </a>
    ),
  },
  {
    id: 'change',
    label: 'Beside the run before',
    render: (run) => {
      const { tone, icon, words } = describeRunChange(run, runs[runs.indexOf(run) + 1])
      return (
        <Pill tone={tone} icon={icon}>
          {words}
        </Pill>
      )
    },
  },
  { id: 'faults', label: 'Faults', isNumber: true, render: ({ faults }) => faults },
  {
    id: 'commit',
    label: 'Commit',
    render: ({ commit }) => (commit ? <code>{commit}</code> : <span class="quiet">None</span>),
  },
  timeColumn('received', 'Handed in', ({ receivedAt }) => receivedAt),
]
