// Asks for a code of the second factor before a change of it. The dialog stays open while codes are
// wrong, and says so at the field.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'

export interface CodeDialogProps {
  readonly isOpen: boolean
  readonly title: string
  readonly text: string
  readonly submit: string
  readonly send: (code: string) => Promise<void>
  readonly onClose: () => void
}

export function CodeDialog({ isOpen, title, text, submit, send, onClose }: CodeDialogProps) {
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) =>
      code.trim().length >= 6 ? {} : { code: 'Enter six digits, or a recovery code.' },
    async save({ code }) {
      await send(code.trim())
      form.reset({ code: '' })
    },
  })
  const close = () => {
    form.reset({ code: '' })
    onClose()
  }
  return (
    <FormDialog isOpen={isOpen} title={title} form={form} submit={submit} onClose={close}>
      <p>{text}</p>
      <TextField
        label="Code"
        name="code"
        autocomplete="one-time-code"
        value={form.values.code}
        error={form.error('code')}
        onInput={(value) => form.set('code', value)}
      />
    </FormDialog>
  )
}
