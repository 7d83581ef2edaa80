// Asks before a person of the platform gets or loses a role, is disabled everywhere or enabled again,
// and says what follows. Disabling takes the typed name.
/** @jsxImportSource preact */
import type { PlatformUser } from '@chartside/protocol/payloads'
import { changeUser } from '../../api/users.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { useAction } from '../../forms/use-action.ts'
import { notify } from '../../shell/announcements.ts'

export interface UserChange {
  readonly user: PlatformUser
  readonly what: 'promote' | 'view' | 'demote' | 'disable' | 'enable'
}

interface Words {
  readonly title: (name: string) => string
  readonly text: string
  readonly button: string
  readonly done: (name: string) => string
  readonly change: { readonly role?: PlatformUser['role']; readonly disabled?: boolean }
}

const WORDS: Readonly<Record<UserChange['what'], Words>> = {
  promote: {
    title: (name) => `Make ${name} administrator of the platform?`,
    text: 'They then run every account, every app and every person here, as you do. Each thing that they do is in the audit trail.',
    button: 'Make administrator',
    done: (name) => `${name} is an administrator of the platform.`,
    change: { role: 'admin' },
  },
  view: {
    title: (name) => `Make ${name} viewer of the platform?`,
    text: 'They then see every account, every app and every person here, and change nothing. The last administrator stays.',
    button: 'Make viewer',
    done: (name) => `${name} is a viewer of the platform.`,
    change: { role: 'viewer' },
  },
  demote: {
    title: (name) => `Take the platform role from ${name}?`,
    text: 'They keep their roles in accounts and can no longer run or see the platform. The last administrator stays.',
    button: 'Take the role',
    done: (name) => `${name} has no role on the platform.`,
    change: { role: 'member' },
  },
  disable: {
    title: (name) => `Disable ${name} everywhere?`,
    text: 'They are signed out at once, in every account: EHR sessions and apps beside a chart end, and no way to sign in works. Nothing of theirs is deleted.',
    button: 'Disable everywhere',
    done: (name) => `${name} is disabled everywhere.`,
    change: { disabled: true },
  },
  enable: {
    title: (name) => `Enable ${name} again?`,
    text: 'Their ways to sign in and their roles work again. What was ended stays ended.',
    button: 'Enable again',
    done: (name) => `${name} can sign in again.`,
    change: { disabled: false },
  },
}

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
      await changeUser(user.id, words.change)
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
      isDangerous={what === 'disable' || what === 'demote'}
      typedName={what === 'disable' ? user.name : undefined}
      action={action}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>{words.text}</p>
    </ConfirmActionDialog>
  )
}
