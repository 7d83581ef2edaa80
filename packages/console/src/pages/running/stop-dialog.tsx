// The question before an account stops an app: what ends, whom it tells, the reason that it takes, and the name
// of the app as a guard against a wrong press.
/** @jsxImportSource preact */
import type { RunningApp } from '@chartside/protocol/payloads'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useStopApp } from '../../parts/use-stop-app.ts'
import type { Scope } from '../../session/scopes.ts'

export interface StopDialogProps {
  readonly app: RunningApp['app']
  readonly scope: Scope
  readonly onClose: () => void
  readonly onStopped: () => void
}

export function StopDialog({ app, scope, onClose, onStopped }: StopDialogProps) {
  const stop = useStopApp(app)
  const confirm = async () => {
    if (!(await stop.stopIn(scope))) return
    onClose()
    onStopped()
  }
  return (
    <ConfirmActionDialog
      isOpen
      title={`Stop ${app.name} in ${scope.name}?`}
      button="Stop it here"
      cancel="Keep it running"
      typedName={app.name}
      action={stop.action}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        Its open launches here end within a second, and text that is not saved in it is lost. New
        ones are refused until you let it run again. Other practices are not touched.
      </p>
      <ReasonField
        stop={stop}
        hint={`${app.vendor.name} gets it without your name, the platform and the audit trail with it.`}
      />
    </ConfirmActionDialog>
  )
}
