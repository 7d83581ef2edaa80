// Adds an EHR to the draft or changes one: its name, its type, and the addresses of its pages as match
// patterns, which the service checks as a browser would.
/** @jsxImportSource preact */
import { findChartPatternProblem } from '@chartside/protocol/charts'
import { SelectField, TextField } from '@chartside/ui'
import { ApiProblem } from '../../api/problem.ts'
import { CheckboxChoice } from '../../forms/checkbox-choice.tsx'
import { FormDialog } from '../../forms/dialogs.tsx'
import { linesOf } from '../../forms/lines.ts'
import { useForm } from '../../forms/use-form.ts'
import { CHARTS_UNNOTICED, PANEL_OPENS_WORDS, type PanelOpens } from '../../parts/chart-words.ts'
import { ChartTryOut } from './chart-try-out.tsx'
import { type EhrFields, ehrOf, putEhr } from './draft-rules.ts'
import type { DraftEditing } from './use-draft.ts'

const PANEL_OPENS = Object.keys(PANEL_OPENS_WORDS) as PanelOpens[]

export interface EhrDialogProps {
  readonly editing: DraftEditing
  /** The type; undefined for a new EHR. */
  readonly ehrType: string | undefined
  readonly onClose: () => void
}

export function EhrDialog({ editing, ehrType, onClose }: EhrDialogProps) {
  const { draft } = editing
  const known = draft.ehrs.find((ehr) => ehr.ehrType === ehrType)
  const form = useForm({
    initial: {
      name: known?.name ?? '',
      ehrType: known?.ehrType ?? '',
      matches: known?.matches.join('\n') ?? '',
      charts: known?.charts?.join('\n') ?? '',
      isObserving: known?.chartMode === 'observe',
      panelOpens: known?.panelOpens ?? 'last',
    } satisfies EhrFields as EhrFields,
    check(values) {
      const isTaken = draft.ehrs.some((ehr) => ehr !== known && ehr.ehrType === values.ehrType)
      return {
        ...(values.name.trim() === '' && { name: 'Enter the name of the EHR.' }),
        ...(!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(values.ehrType) && {
          ehrType: 'Only a to z, 0 to 9, hyphen and underscore.',
        }),
        ...(isTaken && { ehrType: 'The draft has an EHR of this type already.' }),
        ...(linesOf(values.matches).length === 0 && { matches: 'Enter at least one address.' }),
        ...findChartsProblem(values.charts),
      }
    },
    async save(values) {
      await editing.changeOrThrow(putEhr(draft, ehrOf(values), ehrType)).catch((error: unknown) => {
        throw aboutForm(error)
      })
      onClose()
    },
  })
  const text = (name: 'name' | 'ehrType' | 'matches' | 'charts') => ({
    name,
    value: form.values[name],
    error: form.error(name),
    autocomplete: 'off',
    onInput: (value: string) => form.set(name, value),
  })
  return (
    <FormDialog
      isOpen
      title={known ? `Change ${known.name}` : 'Add an EHR'}
      form={form}
      submit={known ? 'Save in the draft' : 'Add it'}
      onClose={onClose}
    >
      <TextField label="Name" hint="Such as “Meadow EHR”." {...text('name')} />
      <TextField
        label="EHR type"
        hint="A short word that apps see in the session context, such as meadow."
        {...text('ehrType')}
      />
      <TextField
        label="Addresses of its pages"
        rows={3}
        hint="Match patterns, one on a line. A star stands for anything."
        placeholder="https://ehr.example/*"
        {...text('matches')}
      />
      <TextField
        label="Addresses that name a chart"
        rows={2}
        hint={`URL patterns, one on a line; :chart stands for the chart. Without one: ${CHARTS_UNNOTICED}.`}
        placeholder="https://ehr.example/patients/:chart{/*}?"
        {...text('charts')}
      />
      <ChartTryOut patterns={linesOf(form.values.charts)} />
      <CheckboxChoice
        title="Only record chart changes"
        isChecked={form.values.isObserving}
        onChange={(value) => form.set('isObserving', value)}
      >
        For the first week: no app is covered or opened again, and each launch says what would
        happen.
      </CheckboxChoice>
      <SelectField
        label="The panel of another chart opens"
        name="panelOpens"
        value={form.values.panelOpens}
        options={PANEL_OPENS.map((one) => ({ value: one, label: PANEL_OPENS_WORDS[one] }))}
        onChange={(value) => form.set('panelOpens', value as PanelOpens)}
      />
    </FormDialog>
  )
}

function findChartsProblem(lines: string): { charts?: string } {
  const problem = linesOf(lines)
    .map(findChartPatternProblem)
    .find((found) => found !== undefined)
  return problem === undefined ? {} : { charts: problem }
}

/** The service names a place in the draft; the person sees its fields. */
function aboutForm(error: unknown): unknown {
  if (!(error instanceof ApiProblem)) return error
  const fields = error.fields.flatMap(({ field, message }) => {
    const [, name] = /^\/draft\/ehrs\/\d+\/(name|ehrType|matches|charts)/.exec(field) ?? []
    return name ? [{ field: `/${name}`, message }] : []
  })
  if (fields.length === 0) return error
  const { title, code, traceId, message } = error
  const body = { title, code, traceId, detail: message, errors: fields }
  return new ApiProblem(error.status, body, error.retryAfter)
}
