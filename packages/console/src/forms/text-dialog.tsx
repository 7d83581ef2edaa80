// A dialog that asks for one text, such as the label of a secret or an address. It is empty again when it opens the
// next time, and stays open with what is wrong when the service refuses the text.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { FormDialog } from './dialogs.tsx'
import { useForm } from './use-form.ts'

export interface TextDialogProps<Name extends string> {
  readonly isOpen: boolean
  readonly title: string
  readonly submit: string
  /** The name by which the service calls the field. */
  readonly name: Name
  readonly label: string
  readonly hint: string
  readonly type?: 'text' | 'url'
  /** Gets the text without white space around it. */
  readonly save: (text: string) => Promise<void>
  readonly onClose: () => void
}

export function TextDialog<Name extends string>(props: TextDialogProps<Name>) {
  const { isOpen, title, submit, name, label, hint, type = 'text', save, onClose } = props
  const initial = { [name]: '' } as Record<Name, string>
  const form = useForm({
    initial,
    async save(values) {
      await save(values[name].trim())
      form.reset(initial)
      onClose()
    },
  })
  const close = () => {
    form.reset(initial)
    onClose()
  }
  return (
    <FormDialog isOpen={isOpen} title={title} form={form} submit={submit} onClose={close}>
      <TextField
        label={label}
        hint={hint}
        name={name}
        type={type}
        autocomplete="off"
        value={form.values[name]}
        error={form.error(name)}
        onInput={(value) => form.set(name, value as Record<Name, string>[Name])}
      />
    </FormDialog>
  )
}
