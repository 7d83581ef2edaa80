// What an administrator does with the people that are chosen in the list: another role, an end of the memberships,
// removal. Each is one act and one event of the trail. Says who was not found any more.
/** @jsxImportSource preact */
import type { Member } from '@chartside/protocol/payloads'
import { Button } from '@chartside/ui'
import { changeMembers, type MembersChange } from '../../api/members.ts'
import { ConfirmActionDialog, FormDialog } from '../../forms/dialogs.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useForm } from '../../forms/use-form.ts'
import { useOpen } from '../../forms/use-open.ts'
import type { Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'
import { EndField, endOfField } from './end-field.tsx'
import { RoleChoice } from './role-choice.tsx'
import { roleOf } from './roles.ts'

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`)

interface ManyProps {
  readonly scope: Scope
  readonly members: readonly Member[]
  readonly onDone: () => void
}

async function change({ scope, members, onDone }: ManyProps, act: MembersChange, said: string) {
  const ids = members.map(({ id }) => id)
  const { items } = await changeMembers(scope.id, { ...act, members: ids })
  const missing = items.filter(({ outcome }) => outcome === 'not_found').length
  const isWhole = missing === 0
  const left = isWhole ? '' : ` ${people(missing)} of them left the account before.`
  notify(isWhole ? 'good' : 'bad', `${people(items.length - missing)} ${said}.${left}`)
  onDone()
}

export function ManyMembers({ onClear, ...props }: ManyProps & { readonly onClear: () => void }) {
  const { members } = props
  const asked = { role: useOpen(), end: useOpen(), remove: useOpen() }
  if (members.length === 0) return null
  return (
    <section class="card padded spread chosen" aria-label="Chosen people">
      <p role="status">
        <strong>{people(members.length)} chosen</strong>
      </p>
      <div class="row">
        <Button onPress={asked.role.open}>Change the role</Button>
        <Button onPress={asked.end.open}>Set an end</Button>
        <Button tone="danger" onPress={asked.remove.open}>
          Remove
        </Button>
        <Button onPress={onClear}>Choose none</Button>
      </div>
      <RoleOfMany {...props} {...asked.role} />
      <EndDialog {...props} {...asked.end} />
      <RemoveMany {...props} {...asked.remove} />
    </section>
  )
}

type DialogProps = ManyProps & { readonly isOpen: boolean; readonly close: () => void }

function RoleOfMany({ isOpen, close, ...props }: DialogProps) {
  const form = useForm({
    initial: { role: 'provider' as Member['role'] },
    async save({ role }) {
      await change(props, { role }, `now have the role ${roleOf(role)?.label ?? role}`)
      close()
    },
  })
  return (
    <FormDialog
      isOpen={isOpen}
      title={`The role of ${people(props.members.length)}`}
      form={form}
      submit="Change the role"
      onClose={close}
    >
      <RoleChoice value={form.values.role} onChange={(role) => form.set('role', role)} />
    </FormDialog>
  )
}

function EndDialog({ isOpen, close, ...props }: DialogProps) {
  const form = useForm({
    initial: { expiresAt: '' },
    async save({ expiresAt: end }) {
      const expiresAt = endOfField(end)
      await change(props, { expiresAt }, expiresAt === null ? 'have no end' : 'have an end')
      close()
    },
  })
  return (
    <FormDialog
      isOpen={isOpen}
      title={`When access ends of ${people(props.members.length)}`}
      form={form}
      submit="Set the end"
      onClose={close}
    >
      <EndField
        value={form.values.expiresAt}
        error={form.error('expiresAt')}
        onInput={(value) => form.set('expiresAt', value)}
      />
    </FormDialog>
  )
}

function RemoveMany({ isOpen, close, ...props }: DialogProps) {
  const { scope, members } = props
  const action = useAction()
  const remove = async () => {
    if (await action.run(() => change(props, { remove: true }, 'are removed'))) close()
  }
  return (
    <ConfirmActionDialog
      isOpen={isOpen}
      title={`Remove ${people(members.length)}?`}
      button="Remove them"
      action={action}
      onConfirm={() => void remove()}
      onClose={close}
    >
      <p>
        They leave {scope.name} at once: their EHR sessions there end, and apps that are open beside
        a chart close. Invitations stop working.
      </p>
    </ConfirmActionDialog>
  )
}
