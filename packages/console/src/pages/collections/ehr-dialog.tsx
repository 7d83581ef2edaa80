// Adds an EHR to the draft or changes one: its name, its type, and the addresses of its pages as match
// patterns, which the service checks as a browser would.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { ApiProblem } from '../../api/problem.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { linesOf } from '../../forms/lines.ts'
import { useForm } from '../../forms/use-form.ts'
import { putEhr } from './draft-rules.ts'
import type { DraftEditing } from './use-draft.ts'

export interface EhrDialogProps {
  readonly editing: DraftEditing
  /** Undefined for a new one. */
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
    },
    check(values) {
      const isTaken = draft.ehrs.some((ehr) => ehr !== known && ehr.ehrType === values.ehrType)
      return {
        ...(values.name.trim() === '' && { name: 'Enter the name of the EHR.' }),
        ...(!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(values.ehrType) && {
          ehrType: 'Only a to z, 0 to 9, hyphen and underscore.',
        }),
        ...(isTaken && { ehrType: 'The draft has an EHR of this type already.' }),
        ...(linesOf(values.matches).length === 0 && { matches: 'Enter at least one address.' }),
      }
    },
    async save(values) {
      const ehr = {
        ...known,
        ehrType: values.ehrType,
        name: values.name.trim(),
        matches: linesOf(values.matches),
      }
      await editing.changeOrThrow(putEhr(draft, ehr, ehrType)).catch((error: unknown) => {
        throw aboutForm(error)
      })
      onClose()
    },
  })
  const text = (name: 'name' | 'ehrType' | 'matches') => ({
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
    </FormDialog>
  )
}

/** The service names a place in the draft; the person sees three fields. */
function aboutForm(error: unknown): unknown {
  if (!(error instanceof ApiProblem)) return error
  const fields = error.fields.flatMap(({ field, message }) => {
    const [, name] = /^\/draft\/ehrs\/\d+\/(name|ehrType|matches)/.exec(field) ?? []
    return name ? [{ field: `/${name}`, message }] : []
  })
  if (fields.length === 0) return error
  const { title, code, traceId, message } = error
  const body = { title, code, traceId, detail: message, errors: fields }
  return new ApiProblem(error.status, body, error.retryAfter)
}
