// The draft as a table: a row for each app, a column for each EHR, a switch where they meet. Every change
// is saved at once; a change by another person asks which version counts.
/** @jsxImportSource preact */
import type { App, CollectionContent } from '@chartside/protocol/payloads'
import { Button, type Column, EmptyState, NoticeStrip, Table } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useOpen } from '../../forms/use-open.ts'
import { describeOpening } from '../../parts/app.tsx'
import { CHART_POLICY_WORDS } from '../../parts/chart-words.ts'
import { menuColumn } from '../../parts/columns.tsx'
import type { ListedApp } from '../../parts/version-changes.ts'
import { AddAppDialog } from './add-app-dialog.tsx'
import { ChartChangeDialog } from './chart-change-dialog.tsx'
import { cellOf, removeApp, removeEhr, setAutoLaunch, toggle } from './draft-rules.ts'
import { DraftSwitch } from './draft-switch.tsx'
import { EhrDialog } from './ehr-dialog.tsx'
import { EhrList } from './ehr-list.tsx'
import type { DraftEditing } from './use-draft.ts'

export interface DraftTableProps {
  readonly editing: DraftEditing
  readonly published: CollectionContent | undefined
  readonly apps: readonly App[]
  readonly nameOf: (appId: string) => string
  readonly mayChange: boolean
}

export function DraftTable(props: DraftTableProps) {
  const { editing, mayChange } = props
  const { draft } = editing
  const adding = useOpen()
  /** The value is `new`, or the type of the EHR that is changed. */
  const ehr = useSignal<string | undefined>(undefined)
  /** The app for which a person chooses what happens when the chart changes. */
  const charting = useSignal<string | undefined>(undefined)
  const onCharting = (appId: string) => {
    charting.value = appId
  }
  const addEhr = () => {
    ehr.value = 'new'
  }
  return (
    <section class="section" aria-label="Draft">
      <div class="section-head">
        <h2>Draft</h2>
        {mayChange && (
          <div class="row">
            <Button icon="plus" onPress={addEhr}>
              Add an EHR
            </Button>
            <Button icon="plus" isDisabled={draft.ehrs.length === 0} onPress={adding.open}>
              Add an app
            </Button>
          </div>
        )}
      </div>
      {editing.theirs && <ConflictNotice editing={editing} />}
      {editing.problem && <FormProblem problem={editing.problem} />}
      <EhrList
        draft={draft}
        mayChange={mayChange}
        onChange={(type) => {
          ehr.value = type
        }}
        onRemove={(type) => editing.change(removeEhr(draft, type))}
      />
      {draft.apps.length > 0 && (
        <div class="card list-card draft-table">
          <Table
            caption="Which apps run on which EHRs"
            isCaptionHidden
            rows={draft.apps}
            rowId={({ appId }) => appId}
            columns={buildColumns(props, onCharting)}
          />
        </div>
      )}
      {draft.ehrs.length === 0 && <NoEhr onAdd={mayChange ? addEhr : undefined} />}
      {adding.isOpen && <AddAppDialog editing={editing} onClose={adding.close} />}
      {charting.value !== undefined && (
        <ChartChangeDialog
          editing={editing}
          appId={charting.value}
          name={props.nameOf(charting.value)}
          onClose={() => {
            charting.value = undefined
          }}
        />
      )}
      {ehr.value !== undefined && (
        <EhrDialog
          editing={editing}
          ehrType={ehr.value === 'new' ? undefined : ehr.value}
          onClose={() => {
            ehr.value = undefined
          }}
        />
      )}
    </section>
  )
}

function buildColumns(
  props: DraftTableProps,
  onCharting: (appId: string) => void,
): readonly Column<ListedApp>[] {
  const { editing, published, apps, nameOf, mayChange } = props
  const { draft } = editing
  const name: Column<ListedApp> = { id: 'app', label: 'App', render: ({ appId }) => nameOf(appId) }
  const switches = draft.ehrs.map(
    (ehr): Column<ListedApp> => ({
      id: `ehr-${ehr.ehrType}`,
      label: ehr.name,
      render: ({ appId }) => (
        <DraftSwitch
          cell={cellOf(draft, published, appId, ehr.ehrType)}
          label={`${nameOf(appId)} on ${ehr.name}`}
          isFixed={!mayChange}
          onPress={() => editing.change(toggle(draft, appId, ehr.ehrType))}
        />
      ),
    }),
  )
  const opens: Column<ListedApp> = {
    id: 'opens',
    label: 'Opens',
    render: ({ appId, autoLaunch }) => {
      const app = apps.find(({ id }) => id === appId)
      const how = autoLaunch ? 'automatically' : 'when chosen'
      return app ? `${describeOpening(app)}, ${how}` : how
    },
  }
  const charts: Column<ListedApp> = {
    id: 'charts',
    label: 'When another chart is opened',
    render: ({ onChartChange = 'relaunch' }) => CHART_POLICY_WORDS[onChartChange],
  }
  const change = menuColumn<ListedApp>(
    ({ appId }) => nameOf(appId),
    ({ autoLaunch }) => [
      {
        id: 'start',
        icon: 'bolt',
        label: autoLaunch ? 'Open only when chosen' : 'Open automatically',
      },
      { id: 'charts', icon: 'again', label: 'Choose what a new chart does' },
      { id: 'remove', icon: 'cross', label: 'Take out of the draft', isDangerous: true },
    ],
    (id, { appId, autoLaunch }) => {
      if (id === 'charts') return onCharting(appId)
      editing.change(
        id === 'remove' ? removeApp(draft, appId) : setAutoLaunch(draft, appId, !autoLaunch),
      )
    },
  )
  return [name, ...switches, opens, charts, ...(mayChange ? [change] : [])]
}

function ConflictNotice({ editing }: { readonly editing: DraftEditing }) {
  return (
    <NoticeStrip
      tone="warn"
      icon="alert"
      title="Another person has changed this draft"
      text="Your last change is not saved. Choose which version counts."
      action={
        <span class="row">
          <Button isCompact onPress={editing.takeTheirs}>
            Take theirs
          </Button>
          <Button isCompact onPress={editing.keepMine}>
            Keep mine
          </Button>
        </span>
      }
    />
  )
}

function NoEhr({ onAdd }: { readonly onAdd: (() => void) | undefined }) {
  return (
    <div class="card">
      <EmptyState
        icon="screen"
        title="No EHR yet"
        actions={
          onAdd && (
            <Button tone="primary" icon="plus" onPress={onAdd}>
              Add an EHR
            </Button>
          )
        }
      >
        <p class="quiet">Name the EHR and the addresses of its pages. Then add apps.</p>
      </EmptyState>
    </div>
  )
}
