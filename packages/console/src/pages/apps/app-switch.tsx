// The kill switch of an app, in the head of its page: it opens the question, and shows afterwards who has used it, when
// and why, and who may switch the app on again.
/** @jsxImportSource preact */
import type { App } from '@chartside/protocol/payloads'
import { Button, NoticeStrip, Timestamp } from '@chartside/ui'
import { changeApp } from '../../api/apps.ts'
import type { Answered } from '../../api/client.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useAskedOpen } from '../../forms/use-open.ts'
import { DO } from '../../route/addresses.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'
import { SwitchOffDialog } from './switch-off-dialog.tsx'

interface SwitchProps {
  readonly read: Answered<App>
  readonly onChanged: (read: Answered<App>) => void
}

/**
 * This button stands in the head of the page, so that it is found in an emergency. The palette leads to the
 * open dialog.
 */
export function SwitchOffButton({
  read,
  onChanged,
  onStopped,
}: SwitchProps & { readonly onStopped: () => void }) {
  const dialog = useAskedOpen(DO.switchOff)
  if (!read.data.enabled) return null
  return (
    <>
      <Button tone="danger" icon="power" onPress={dialog.open}>
        Switch off…<span class="unseen"> {read.data.name}</span>
      </Button>
      {dialog.isOpen && (
        <SwitchOffDialog
          app={read.data}
          onChanged={onChanged}
          onStopped={onStopped}
          onClose={dialog.close}
        />
      )}
    </>
  )
}

/** Shows who switched the app off, when and why, and switches it on again for those who may. */
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
