// The EHRs of a draft with their addresses, each with the menu that changes it or takes it out. It saves
// nothing itself.
/** @jsxImportSource preact */
import type { CollectionContent, EhrDefinition } from '@chartside/protocol/payloads'
import { Menu } from '@chartside/ui'
import { CHART_MODE_WORDS, CHARTS_UNNOTICED, PANEL_OPENS_WORDS } from '../../parts/chart-words.ts'

interface EhrListProps {
  readonly draft: CollectionContent
  readonly mayChange: boolean
  readonly onChange: (ehrType: string) => void
  readonly onRemove: (ehrType: string) => void
}

export function EhrList({ draft, mayChange, onChange, onRemove }: EhrListProps) {
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
    <ChartSummary ehr={ehr} />
    {ehr.panelOpens && (
      <small class="below">The panel opens {PANEL_OPENS_WORDS[ehr.panelOpens]}</small>
    )}
  </div>
)

function ChartSummary({ ehr }: { readonly ehr: EhrDefinition }) {
  const { charts = [], chartMode } = ehr
  if (charts.length === 0) return <small class="below quiet">{CHARTS_UNNOTICED}</small>
  return (
    <>
      {charts.map((pattern) => (
        <small key={pattern} class="below">
          Chart <code>{pattern}</code>
        </small>
      ))}
      {chartMode === 'observe' && <small class="below">{CHART_MODE_WORDS.observe}</small>}
    </>
  )
}
