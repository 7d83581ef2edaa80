// What happens to an app when the provider opens another chart. An app that stays as it is must not show
// a patient, so the practice confirms that.
/** @jsxImportSource preact */
import { CHART_CHANGE_POLICIES, type ChartChangePolicy } from '@chartside/protocol/charts'
import { SelectField } from '@chartside/ui'
import { CheckboxChoice } from '../../forms/checkbox-choice.tsx'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import { CHART_POLICY_WORDS } from '../../parts/chart-words.ts'
import { setOnChartChange } from './draft-rules.ts'
import type { DraftEditing } from './use-draft.ts'

export interface ChartChangeDialogProps {
  readonly editing: DraftEditing
  readonly appId: string
  readonly name: string
  readonly onClose: () => void
}

export function ChartChangeDialog({ editing, appId, name, onClose }: ChartChangeDialogProps) {
  const known = editing.draft.apps.find((app) => app.appId === appId)?.onChartChange ?? 'relaunch'
  const form = useForm({
    initial: { policy: known as string, isConfirmed: known === 'keep' },
    check: ({ policy, isConfirmed }) =>
      policy === 'keep' && !isConfirmed ? { policy: 'Confirm that it shows no patient.' } : {},
    async save({ policy }) {
      const next = setOnChartChange(editing.draft, appId, policy as ChartChangePolicy)
      await editing.changeOrThrow(next)
      onClose()
    },
  })
  const { policy, isConfirmed } = form.values
  return (
    <FormDialog
      isOpen
      title={`When another chart is opened beside ${name}`}
      form={form}
      submit="Save in the draft"
      onClose={onClose}
    >
      <SelectField
        label="The app"
        hint="An app that listens for charts switches by itself, whatever you choose, unless it stays as it is."
        name="policy"
        value={policy}
        error={form.error('policy')}
        options={CHART_CHANGE_POLICIES.map((one) => ({
          value: one,
          label: CHART_POLICY_WORDS[one],
        }))}
        onChange={(value) => form.set('policy', value)}
      />
      {policy === 'keep' && (
        <CheckboxChoice
          title={`${name} shows no patient`}
          isChecked={isConfirmed}
          onChange={(value) => form.set('isConfirmed', value)}
        >
          It is not covered when the chart changes. Another patient’s data would stay beside it.
        </CheckboxChoice>
      )}
    </FormDialog>
  )
}
