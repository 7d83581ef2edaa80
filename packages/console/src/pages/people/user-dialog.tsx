// Asks before a person of the platform gets or loses a role, is disabled everywhere or enabled again, removed or erased,
// and says what follows and what stays. What takes a person's access takes the typed name.
/** @jsxImportSource preact */
import type { PlatformUser } from '@chartside/protocol/payloads'
import { changeUser, eraseUser, removeUser } from '../../api/users.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { useAction } from '../../forms/use-action.ts'
import { notify } from '../../shell/announcements.ts'

export interface UserChange {
  readonly user: PlatformUser
  readonly what: 'promote' | 'view' | 'demote' | 'disable' | 'enable' | 'remove' | 'erase'
}

interface Words {
  readonly title: (name: string) => string
  readonly text: string
  readonly button: string
  readonly done: (name: string) => string
  readonly run: (id: string) => Promise<unknown>
}

const WORDS: Readonly<Record<UserChange['what'], Words>> = {
  promote: {
    title: (name) => `Make ${name} administrator of the platform?`,
    text: 'They then run every account, every app and every person here, as you do. Each thing that they do is in the audit trail.',
    button: 'Make administrator',
    done: (name) => `${name} is an administrator of the platform.`,
    run: (id) => changeUser(id, { role: 'admin' }),
  },
  view: {
    title: (name) => `Make ${name} viewer of the platform?`,
    text: 'They then see every account, every app and every person here, and change nothing. The last administrator stays.',
    button: 'Make viewer',
    done: (name) => `${name} is a viewer of the platform.`,
    run: (id) => changeUser(id, { role: 'viewer' }),
  },
  demote: {
    title: (name) => `Take the platform role from ${name}?`,
    text: 'They keep their roles in accounts and can no longer run or see the platform. The last administrator stays.',
    button: 'Take the role',
    done: (name) => `${name} has no role on the platform.`,
    run: (id) => changeUser(id, { role: 'member' }),
  },
  disable: {
    title: (name) => `Disable ${name} everywhere?`,
    text: 'They are signed out at once, in every account: EHR sessions and apps beside a chart end, and no way to sign in works. Nothing of theirs is deleted.',
    button: 'Disable everywhere',
    done: (name) => `${name} is disabled everywhere.`,
    run: (id) => changeUser(id, { disabled: true }),
  },
  enable: {
    title: (name) => `Enable ${name} again?`,
    text: 'Their ways to sign in and their roles work again. What was ended stays ended.',
    button: 'Enable again',
    done: (name) => `${name} can sign in again.`,
    run: (id) => changeUser(id, { disabled: false }),
  },
  remove: {
    title: (name) => `Remove ${name} from the platform?`,
    text: 'They are signed out at once, and every login method and every membership is deleted. Name and address stay, because the audit trail points to them, until you erase them too. An invitation brings the person back, without a role.',
    button: 'Remove',
    done: (name) => `${name} is removed.`,
    run: removeUser,
  },
  erase: {
    title: (name) => `Erase name and address of ${name}?`,
    text: 'The identifier takes their place in every list, for good. Launches keep the name until they are deleted after the retention. The audit trail stays six years: it has the identifier and network addresses, and a name only where the person changed it. An event cannot change without breaking its chain.',
    button: 'Erase',
    done: () => 'Name and address are erased.',
    run: eraseUser,
  },
}

/** These take the name of the person. */
const FINAL: readonly UserChange['what'][] = ['disable', 'remove', 'erase']

export interface UserDialogProps {
  readonly change: UserChange | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

export function UserDialog({ change, onClose, onDone }: UserDialogProps) {
  const action = useAction()
  if (!change) return null
  const { user, what } = change
  const words = WORDS[what]
  const run = async () => {
    const isDone = await action.run(async () => {
      await words.run(user.id)
    })
    if (!isDone) return
    notify('good', words.done(user.name))
    onDone()
    onClose()
  }
  return (
    <ConfirmActionDialog
      isOpen
      title={words.title(user.name)}
      button={words.button}
      isDangerous={what === 'demote' || FINAL.includes(what)}
      typedName={FINAL.includes(what) ? user.name : undefined}
      action={action}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>{words.text}</p>
    </ConfirmActionDialog>
  )
}
