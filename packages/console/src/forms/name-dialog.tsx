// The dialog that creates a record from its name alone. The page says what is created and where it
// leads; the dialog is empty again when it closes.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { FormDialog } from './dialogs.tsx'
import { useForm } from './use-form.ts'

export interface NameDialogProps {
  readonly isOpen: boolean
  readonly title: string
  readonly submit: string
  readonly hint: string
  /** The error at the field while it is empty. */
  readonly missing: string
  readonly create: (name: string) => Promise<void>
  readonly onClose: () => void
}

const EMPTY = { name: '' }

export function NameDialog({ hint, missing, create, onClose, ...dialog }: NameDialogProps) {
  const form = useForm({
    initial: EMPTY,
    check: ({ name }) => (name.trim() === '' ? { name: missing } : {}),
    save: ({ name }) => create(name.trim()),
  })
  const close = () => {
    form.reset(EMPTY)
    onClose()
  }
  return (
    <FormDialog {...dialog} form={form} onClose={close}>
      <TextField
        label="Name"
        hint={hint}
        name="name"
        autocomplete="off"
        value={form.values.name}
        error={form.error('name')}
        onInput={(value) => form.set('name', value)}
      />
    </FormDialog>
  )
}
