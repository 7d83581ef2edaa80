// The draft as a table: a row for each app, a column for each EHR, a switch where they meet. Every change
// is saved at once; a change by another person asks which version counts.
/** @jsxImportSource preact */
import type { App, CollectionContent, EhrDefinition } from '@chartside/protocol/payloads'
import { Button, EmptyState, Icon, Menu, NoticeStrip, Table } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { FormProblem } from '../../forms/form-frame.tsx'
import { describeOpening } from '../../parts/app.tsx'
import { AddAppDialog } from './add-app-dialog.tsx'
import {
  type Cell,
  cellOf,
  type DraftApp,
  removeApp,
  removeEhr,
  setAutoLaunch,
  toggle,
} from './draft-rules.ts'
import { EhrDialog } from './ehr-dialog.tsx'
import type { DraftEditing } from './use-draft.ts'

export interface DraftTableProps {
  readonly editing: DraftEditing
  readonly published: CollectionContent | undefined
  readonly apps: readonly App[]
  readonly nameOf: (appId: string) => string
  readonly mayChange: boolean
}

export function DraftTable({ editing, published, apps, nameOf, mayChange }: DraftTableProps) {
  const { draft } = editing
  const isAdding = useSignal(false)
  /** `new`, or the type of the EHR that is changed. */
  const ehr = useSignal<string | undefined>(undefined)
  const save = editing.change
  const addEhr = () => {
    ehr.value = 'new'
  }
  const actions = mayChange && (
    <div class="row">
      <Button icon="plus" onPress={addEhr}>
        Add an EHR
      </Button>
      <Button
        icon="plus"
        isDisabled={draft.ehrs.length === 0}
        onPress={() => {
          isAdding.value = true
        }}
      >
        Add an app
      </Button>
    </div>
  )
  return (
    <section class="section" aria-label="Draft">
      <div class="section-head">
        <h2>Draft</h2>
        {actions}
      </div>
      {editing.theirs && (
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
      )}
      {editing.problem && <FormProblem problem={editing.problem} />}
      <EhrList
        draft={draft}
        mayChange={mayChange}
        onChange={(type) => {
          ehr.value = type
        }}
        onRemove={(type) => save(removeEhr(draft, type))}
      />
      {draft.apps.length > 0 && (
        <div class="card list-card draft-table">
          <Table
            caption="Which apps run on which EHRs"
            isCaptionHidden
            rows={draft.apps}
            rowId={({ appId }) => appId}
            columns={[
              { id: 'app', label: 'App', render: ({ appId }) => nameOf(appId) },
              ...draft.ehrs.map((one) => ({
                id: `ehr-${one.ehrType}`,
                label: one.name,
                render: (app: DraftApp) => (
                  <Switch
                    cell={cellOf(draft, published, app.appId, one.ehrType)}
                    label={`${nameOf(app.appId)} on ${one.name}`}
                    isFixed={!mayChange}
                    onPress={() => save(toggle(draft, app.appId, one.ehrType))}
                  />
                ),
              })),
              {
                id: 'opens',
                label: 'Opens',
                render: ({ appId, autoLaunch }) => {
                  const app = apps.find(({ id }) => id === appId)
                  const how = autoLaunch ? 'by itself' : 'when chosen'
                  return app ? `${describeOpening(app)}, ${how}` : how
                },
              },
              ...(mayChange
                ? [
                    {
                      id: 'change',
                      label: 'Change',
                      render: ({ appId, autoLaunch }: DraftApp) => (
                        <Menu
                          label={`Change ${nameOf(appId)}`}
                          items={[
                            {
                              id: 'start',
                              icon: 'bolt',
                              label: autoLaunch ? 'Open only when chosen' : 'Open by itself',
                            },
                            {
                              id: 'remove',
                              icon: 'cross',
                              label: 'Take out of the draft',
                              isDangerous: true,
                            },
                          ]}
                          onChoose={(id) =>
                            save(
                              id === 'remove'
                                ? removeApp(draft, appId)
                                : setAutoLaunch(draft, appId, !autoLaunch),
                            )
                          }
                        />
                      ),
                    },
                  ]
                : []),
            ]}
          />
        </div>
      )}
      {draft.ehrs.length === 0 && (
        <div class="card">
          <EmptyState
            icon="screen"
            title="No EHR yet"
            actions={
              mayChange && (
                <Button tone="primary" icon="plus" onPress={addEhr}>
                  Add an EHR
                </Button>
              )
            }
          >
            <p class="quiet">Name the EHR and the addresses of its pages. Then add apps.</p>
          </EmptyState>
        </div>
      )}
      {isAdding.value && (
        <AddAppDialog
          editing={editing}
          apps={apps}
          onClose={() => {
            isAdding.value = false
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

interface EhrListProps {
  readonly draft: CollectionContent
  readonly mayChange: boolean
  readonly onChange: (ehrType: string) => void
  readonly onRemove: (ehrType: string) => void
}

function EhrList({ draft, mayChange, onChange, onRemove }: EhrListProps) {
  if (draft.ehrs.length === 0) return null
  return (
    <ul class="ehrs">
      {draft.ehrs.map((ehr) => (
        <li key={ehr.ehrType} class="card padded">
          <EhrSummary ehr={ehr} />
          {mayChange && (
            <Menu
              label={`Change ${ehr.name}`}
              items={[
                { id: 'change', icon: 'gear', label: 'Change name or addresses' },
                { id: 'remove', icon: 'cross', label: 'Take out of the draft', isDangerous: true },
              ]}
              onChoose={(id) => (id === 'remove' ? onRemove(ehr.ehrType) : onChange(ehr.ehrType))}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

const EhrSummary = ({ ehr }: { readonly ehr: EhrDefinition }) => (
  <div>
    <strong>{ehr.name}</strong> <span class="quiet">({ehr.ehrType})</span>
    {ehr.matches.map((pattern) => (
      <small key={pattern} class="below">
        <code>{pattern}</code>
      </small>
    ))}
  </div>
)

const CELLS: Readonly<
  Record<Cell, { readonly icon: 'check' | 'plus' | 'dash'; readonly words: string }>
> = {
  on: { icon: 'check', words: 'on' },
  added: { icon: 'plus', words: 'added' },
  removed: { icon: 'dash', words: 'removed' },
  off: { icon: 'dash', words: 'off' },
}

interface SwitchProps {
  readonly cell: Cell
  readonly label: string
  readonly isFixed: boolean
  readonly onPress: () => void
}

function Switch({ cell, label, isFixed, onPress }: SwitchProps) {
  const { icon, words } = CELLS[cell]
  const isOn = cell === 'on' || cell === 'added'
  return (
    <button
      type="button"
      role="switch"
      class={`switch ${cell}`}
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isFixed ? 'true' : undefined}
      onClick={() => {
        if (!isFixed) onPress()
      }}
    >
      <Icon name={icon} />
      <span>{words}</span>
    </button>
  )
}
