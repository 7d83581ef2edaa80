// Dialogs that do something: a form in a dialog, and a question before a action that takes something away.
// Both stay open while the service refuses, and show why.
/** @jsxImportSource preact */
import { Button, ConfirmDialog, Dialog } from '@chartside/ui'
import type { ComponentChildren } from 'preact'
import { FormProblem } from './form-frame.tsx'
import type { Action } from './use-action.ts'
import type { Form } from './use-form.ts'

export interface FormDialogProps<V> {
  readonly isOpen: boolean
  readonly title: string
  readonly form: Form<V>
  readonly submit: string
  /** Something must be chosen first: the button is off until then. */
  readonly isIncomplete?: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function FormDialog<V>(props: FormDialogProps<V>) {
  const { form, submit, isIncomplete, onClose, children, ...rest } = props
  return (
    <Dialog
      {...rest}
      onClose={onClose}
      onSubmit={form.submit}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isBusy={form.isBusy} isDisabled={isIncomplete}>
            {submit}
          </Button>
        </>
      }
    >
      {form.problem && <FormProblem problem={form.problem} />}
      {children}
    </Dialog>
  )
}

export interface ConfirmActionDialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** The label of the button, such as “Remove Dr. Okafor”. */
  readonly button: string
  readonly cancel?: string
  readonly action: Action
  readonly typedName?: string | undefined
  readonly isDangerous?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function ConfirmActionDialog(props: ConfirmActionDialogProps) {
  const {
    action,
    button,
    cancel = 'Cancel',
    isDangerous = true,
    onClose,
    children,
    ...rest
  } = props
  return (
    <ConfirmDialog
      {...rest}
      button={button}
      cancel={cancel}
      isDangerous={isDangerous}
      onClose={() => {
        action.clear()
        onClose()
      }}
    >
      {action.problem && <FormProblem problem={action.problem} />}
      {children}
    </ConfirmDialog>
  )
}
