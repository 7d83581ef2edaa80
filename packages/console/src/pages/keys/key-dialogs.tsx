// What is asked before a key changes: when the next one signs, and the name of a key that leaked. Both take a recent
// sign-in, which the refusal leads to.
/** @jsxImportSource preact */
import type { ListedSigningKey } from '@chartside/protocol/payloads'
import { formatMoment } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { type Algorithm, revokeKey, rotateKeys } from '../../api/signing-keys.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { RadioChoice } from '../../forms/radio-choice.tsx'
import { useAction } from '../../forms/use-action.ts'
import { timeZone } from '../../session/time-zone.ts'
import { notify } from '../../shell/announcements.ts'

interface DialogProps<T> {
  /** The subject of the dialog; undefined while it is closed. */
  readonly about: T | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

const sayWhen = (at: string) => {
  const [from, now] = [Date.parse(at), Date.now()]
  return from <= now ? 'now' : `from ${formatMoment(from, now, { timeZone: timeZone.value })}`
}

export function RotateDialog({ about: alg, onClose, onDone }: DialogProps<Algorithm>) {
  const action = useAction()
  const when = useSignal<'later' | 'soon'>('later')
  const rotate = () =>
    action.run(async () => {
      if (alg === undefined) return
      const { signsFrom } = await rotateKeys(alg, when.value === 'soon' ? 0 : undefined)
      notify('good', `The next ${alg} key signs ${sayWhen(signsFrom)}.`)
      onClose()
      onDone()
    })
  return (
    <ConfirmActionDialog
      isOpen={alg !== undefined}
      title={`Rotate the ${alg ?? ''} key?`}
      button="Rotate"
      action={action}
      isDangerous={false}
      onConfirm={() => void rotate()}
      onClose={onClose}
    >
      <p>The standby key signs next, and a new standby key is published. Launches go on.</p>
      <RadioChoice
        label="When"
        name="when"
        value={when.value}
        options={[
          {
            value: 'later',
            label: 'When every app server has read the key set',
            text: 'A day, unless the installation has another time.',
          },
          {
            value: 'soon',
            label: 'As soon as the key set may be cached no longer',
            text: 'Some minutes. A server that keeps keys for longer may refuse until it reads again.',
          },
        ]}
        onChange={(value) => {
          when.value = value
        }}
      />
    </ConfirmActionDialog>
  )
}

export function RevokeDialog({ about: key, onClose, onDone }: DialogProps<ListedSigningKey>) {
  const action = useAction()
  const revoke = () =>
    action.run(async () => {
      if (!key) return
      const { signsFrom } = await revokeKey(key.kid)
      notify('good', `The key is withdrawn. The next one signs ${sayWhen(signsFrom)}.`)
      onClose()
      onDone()
    })
  return (
    <ConfirmActionDialog
      isOpen={key !== undefined}
      title="Withdraw this key now?"
      button="Withdraw the key"
      action={action}
      typedName={key?.kid.slice(0, 8)}
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      <p>
        Only for a key that leaked. It signs and verifies nothing from now on, and{' '}
        {key?.state === 'signing' ? 'another key signs at once' : 'the signing key stays'}.
      </p>
      <p>
        App servers accept what it signed until they read the key set again: ten minutes, or a
        restart. Restart the servers that you know.
      </p>
    </ConfirmActionDialog>
  )
}
