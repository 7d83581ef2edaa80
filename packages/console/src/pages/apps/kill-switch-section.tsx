// The kill switch of an app: says how many launches it ends, asks for the name and a reason, and shows
// afterwards who may switch the app on again. Deleting the app stands beside it.
/** @jsxImportSource preact */
import type { App } from '@chartside/protocol/payloads'
import { Button, TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { changeApp, countLiveLaunches, removeApp } from '../../api/apps.ts'
import type { Answered } from '../../api/client.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useRecord } from '../../load/use-record.ts'
import { Section } from '../../parts/page-head.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { navigate } from '../../route/location.ts'
import type { Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'

interface KillSwitchProps {
  readonly read: Answered<App>
  readonly scope: Scope
  readonly onChanged: (read: Answered<App>) => void
}

export function KillSwitchSection({ read, scope, onChanged }: KillSwitchProps) {
  const app = read.data
  const pending = useSignal<'off' | 'remove' | undefined>(undefined)
  const enabling = useAction()
  const close = () => {
    pending.value = undefined
  }
  const enable = () =>
    enabling.run(async () => {
      onChanged(await changeApp(app.id, { enabled: true }))
      notify('good', `${app.name} is on again. Providers open it again.`)
    })
  const mayEnable = app.disabledBy !== 'platform' || scope.role === 'platform'
  return (
    <Section title="Switch off or delete">
      {enabling.problem && <FormProblem problem={enabling.problem} />}
      <div class="card padded actions">
        {app.enabled ? (
          <>
            <p>
              Switching off ends every open launch of the app within a second, in every practice,
              and refuses new ones.
            </p>
            <Button
              tone="danger"
              icon="power"
              onPress={() => {
                pending.value = 'off'
              }}
            >
              Switch off {app.name}
            </Button>
          </>
        ) : (
          <>
            <p>
              The app is switched off
              {app.disabledBy === 'platform' ? ' by the platform' : ''}. Its launches were ended;
              none comes back by itself.
              {!mayEnable && ' Only an administrator of the platform switches it on again.'}
            </p>
            {mayEnable && (
              <Button icon="power" isBusy={enabling.isBusy} onPress={() => void enable()}>
                Switch on again
              </Button>
            )}
          </>
        )}
        <Button
          tone="danger"
          onPress={() => {
            pending.value = 'remove'
          }}
        >
          Delete the app
        </Button>
      </div>
      {pending.value === 'off' && (
        <SwitchOffDialog app={app} onClose={close} onChanged={onChanged} />
      )}
      <RemoveDialog app={app} scope={scope} isOpen={pending.value === 'remove'} onClose={close} />
    </Section>
  )
}

interface SwitchOffProps {
  readonly app: App
  readonly onClose: () => void
  readonly onChanged: (read: Answered<App>) => void
}

function SwitchOffDialog({ app, onClose, onChanged }: SwitchOffProps) {
  const live = useRecord((signal) => countLiveLaunches(app.id, { signal }), app.id)
  const reason = useSignal('')
  const action = useAction()
  const switchOff = () =>
    action
      .run(async () => {
        const given = reason.value.trim()
        onChanged(
          await changeApp(app.id, { enabled: false, ...(given === '' ? {} : { reason: given }) }),
        )
      })
      .then((isDone) => {
        if (!isDone) return
        notify('good', `${app.name} is switched off. Its open launches have ended.`)
        onClose()
      })
  return (
    <ConfirmActionDialog
      isOpen
      title={`Switch off ${app.name} everywhere?`}
      button="Switch it off"
      cancel="Keep it running"
      typedName={app.name}
      action={action}
      onConfirm={() => void switchOff()}
      onClose={onClose}
    >
      <p>{describeLive(live.data)}</p>
      <TextField
        label="Reason"
        hint="Providers do not see it; the audit trail keeps it."
        name="reason"
        autocomplete="off"
        value={reason.value}
        onInput={(value) => {
          reason.value = value
        }}
      />
    </ConfirmActionDialog>
  )
}

function describeLive(live: { readonly count: number; readonly isMore: boolean } | undefined) {
  if (!live) return 'Counting the open launches…'
  if (live.count === 0) return 'No launch is open now. New ones are refused until it is on again.'
  const [count, are, end] =
    live.count === 1
      ? ['1 launch', 'is', 'its token dies']
      : [`${live.count}${live.isMore ? ' or more' : ''} launches`, 'are', 'their tokens die']
  return `${count} ${are} open now: ${end} within a second, and the panel tells the provider that the app was switched off. Text that is not saved is lost.`
}

interface RemoveProps {
  readonly app: App
  readonly scope: Scope
  readonly isOpen: boolean
  readonly onClose: () => void
}

function RemoveDialog({ app, scope, isOpen, onClose }: RemoveProps) {
  const action = useAction()
  const remove = () =>
    action
      .run(() => removeApp(app.id))
      .then((isDone) => {
        if (!isDone) return
        notify('good', `${app.name} is deleted.`)
        navigate(scopedAddress(scope, 'apps'))
      })
  return (
    <ConfirmActionDialog
      isOpen={isOpen}
      title={`Delete ${app.name}?`}
      button="Delete it"
      typedName={app.name}
      action={action}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>
        Its client ID and secrets stop working for good, and its launches end. What happened stays
        in the audit trail.
      </p>
    </ConfirmActionDialog>
  )
}
