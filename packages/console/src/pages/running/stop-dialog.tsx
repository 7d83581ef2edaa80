// The question before an account stops an app: what ends, whom it tells, the reason that it takes, and the name
// of the app as a guard against a wrong press.
/** @jsxImportSource preact */
import type { RunningApp } from '@chartside/protocol/payloads'
import { TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { stopApp } from '../../api/running.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { useAction } from '../../forms/use-action.ts'
import type { Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'

export interface StopDialogProps {
  readonly app: RunningApp['app']
  readonly scope: Scope
  readonly onClose: () => void
  readonly onStopped: () => void
}

export function StopDialog({ app, scope, onClose, onStopped }: StopDialogProps) {
  const reason = useSignal('')
  const isMissing = useSignal(false)
  const action = useAction()
  const stop = async () => {
    const given = reason.value.trim()
    isMissing.value = given === ''
    if (isMissing.value) return
    const isDone = await action.run(async () => {
      const { endedLaunches } = await stopApp(scope.id, app.id, given)
      notify('good', `${app.name} is stopped in ${scope.name}. ${describeEnded(endedLaunches)}`)
    })
    if (!isDone) return
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
      action={action}
      onConfirm={() => void stop()}
      onClose={onClose}
    >
      <p>
        Its open launches here end within a second, and text that is not saved in it is lost. New
        ones are refused until you let it run again. Other practices are not touched.
      </p>
      <TextField
        label="Reason"
        hint={`${app.vendor.name} gets it without your name, the platform and the audit trail with it. Name no patient.`}
        name="reason"
        autocomplete="off"
        value={reason.value}
        error={isMissing.value ? 'Say why, so that the vendor can mend it.' : undefined}
        onInput={(value) => {
          reason.value = value
          isMissing.value = false
        }}
      />
    </ConfirmActionDialog>
  )
}

const describeEnded = (count: number): string =>
  count === 0
    ? 'No launch was open.'
    : `${count === 1 ? '1 open launch has' : `${count} open launches have`} ended.`
