// Deletes an app for good, after its name was typed: what a registration is for is over.
// Switching it off for a while is app-switch.tsx.
/** @jsxImportSource preact */
import type { App } from '@chartside/protocol/payloads'
import { Button } from '@chartside/ui'
import { removeApp } from '../../api/apps.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useOpen } from '../../forms/use-open.ts'
import { Section } from '../../parts/page-head.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { navigate } from '../../route/location.ts'
import type { Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'

interface DeleteProps {
  readonly app: App
  readonly scope: Scope
}

export function DeleteSection({ app, scope }: DeleteProps) {
  const dialog = useOpen()
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
    <Section title="Delete the app">
      <div class="card padded actions">
        <p>Its client ID and its secrets stop working for good.</p>
        <Button tone="danger" onPress={dialog.open}>
          Delete the app
        </Button>
      </div>
      <ConfirmActionDialog
        isOpen={dialog.isOpen}
        title={`Delete ${app.name}?`}
        button="Delete it"
        typedName={app.name}
        action={action}
        onConfirm={() => void remove()}
        onClose={dialog.close}
      >
        <p>
          Its client ID and secrets stop working for good, and its launches end. What happened stays
          in the audit trail.
        </p>
      </ConfirmActionDialog>
    </Section>
  )
}
