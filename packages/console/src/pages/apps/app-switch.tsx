// The kill switch of an app, in the head of its page: it says how many launches it ends, asks for the name and a
// reason, and shows afterwards who has used it, when and why, and who may switch the app on again.
/** @jsxImportSource preact */
import type { App } from '@chartside/protocol/payloads'
import { Button, NoticeStrip, TextField, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { changeApp, countLiveLaunches } from '../../api/apps.ts'
import type { Answered } from '../../api/client.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useOpen } from '../../forms/use-open.ts'
import { useRecord } from '../../load/use-record.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'

interface SwitchProps {
  readonly read: Answered<App>
  readonly onChanged: (read: Answered<App>) => void
}

/** In the head of the page, so that it is found in an emergency. */
export function SwitchOffButton({ read, onChanged }: SwitchProps) {
  const dialog = useOpen()
  if (!read.data.enabled) return null
  return (
    <>
      <Button tone="danger" icon="power" onPress={dialog.open}>
        Switch off…<span class="unseen"> {read.data.name}</span>
      </Button>
      {dialog.isOpen && (
        <SwitchOffDialog app={read.data} onChanged={onChanged} onClose={dialog.close} />
      )}
    </>
  )
}

/** Who switched the app off, when and why, and the way back for those who may take it. */
export function SwitchedOffStrip({
  read,
  scope,
  onChanged,
}: SwitchProps & { readonly scope: Scope }) {
  const app = read.data
  const enabling = useAction()
  if (app.enabled) return null
  const enable = () =>
    enabling.run(async () => {
      onChanged(await changeApp(app.id, { enabled: true }))
      notify('good', `${app.name} is on again. Providers open it again.`)
    })
  const isPlatforms = app.disabledBy === 'platform'
  const mayEnable = (!isPlatforms || scope.role === 'platform') && isAllowedIn(scope, 'develop')
  return (
    <>
      {enabling.problem && <FormProblem problem={enabling.problem} />}
      <NoticeStrip
        tone="bad"
        icon="power"
        title={`${app.name} is switched off${isPlatforms ? ' by the platform' : ''}`}
        text={
          <>
            <SwitchedOffNote app={app} /> Its launches were ended; none comes back by itself.
            {!mayEnable && isPlatforms && ' Only the platform switches it on again.'}
          </>
        }
        action={
          mayEnable && (
            <span class="row">
              <Button icon="power" isBusy={enabling.isBusy} onPress={() => void enable()}>
                Switch on again
              </Button>
            </span>
          )
        }
      />
    </>
  )
}

function SwitchedOffNote({ app: { disabled } }: { readonly app: App }) {
  if (!disabled) return null
  return (
    <>
      {disabled.by ? `${disabled.by.name}, ` : ''}
      <Timestamp at={Date.parse(disabled.at)} now={Date.now()} />
      {disabled.reason === undefined ? '. No reason was given.' : `: “${disabled.reason}”.`}
    </>
  )
}

interface SwitchOffProps extends Pick<SwitchProps, 'onChanged'> {
  readonly app: App
  readonly onClose: () => void
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
        hint="The people of the app and of the platform read it; providers do not. Name no patient."
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
