// A modal dialog of the browser: it keeps the focus inside and gives it back, Escape closes it. A
// action that cannot be undone asks for a typed name, and says on its button what it does.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'

export interface DialogProps {
  readonly isOpen: boolean
  readonly title: string
  readonly children: ComponentChildren
  readonly actions: ComponentChildren
  /** Runs on Escape too. */
  readonly onClose: () => void
  /** The dialog is a form, whose submit button is one of the actions. */
  readonly onSubmit?: ((event: Event) => void) | undefined
}

export function Dialog({ isOpen, title, children, actions, onClose, onSubmit }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    if (!dialog) return
    if (isOpen && !dialog.open) dialog.showModal()
    if (!isOpen && dialog.open) dialog.close()
  }, [isOpen])
  // A dialog that goes while it is open gives the focus back only when it is closed.
  useLayoutEffect(() => {
    const dialog = element.current
    return () => dialog?.close()
  }, [])
  const content = (
    <>
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      <div class="dialog-actions">{actions}</div>
    </>
  )
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onClose={onClose}>
      {isOpen &&
        (onSubmit ? (
          <form noValidate onSubmit={onSubmit}>
            {content}
          </form>
        ) : (
          content
        ))}
    </dialog>
  )
}

export interface ConfirmDialogProps extends Omit<DialogProps, 'actions'> {
  /** The label of the button, such as “Switch off Visit Notes”. */
  readonly button: string
  readonly cancel: string
  readonly onConfirm: () => void
  /** The name must be typed before the button works. */
  readonly typedName?: string | undefined
  readonly isDangerous?: boolean | undefined
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { button, cancel, onConfirm, typedName, isDangerous = false, children, ...dialog } = props
  const typed = useSignal('')
  const isMissing = typedName !== undefined && typed.value.trim() !== typedName
  useEffect(() => {
    if (!dialog.isOpen) typed.value = ''
  }, [dialog.isOpen])
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Button onPress={dialog.onClose}>{cancel}</Button>
          <Button
            tone={isDangerous ? 'danger' : 'primary'}
            isFilled={isDangerous && !isMissing}
            isDisabled={isMissing}
            onPress={onConfirm}
          >
            {button}
          </Button>
        </>
      }
    >
      {children}
      {typedName !== undefined && (
        <TextField
          label={`Type ${typedName} to confirm`}
          name="typed-name"
          value={typed.value}
          autocomplete="off"
          onInput={(value) => {
            typed.value = value
          }}
        />
      )}
    </Dialog>
  )
}
