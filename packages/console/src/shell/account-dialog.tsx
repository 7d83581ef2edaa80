// Chooses among very many accounts: a search by name instead of a long menu. The service searches for an
// administrator of the platform, who sees accounts that this page has not loaded.
/** @jsxImportSource preact */
import { Button, Dialog, TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { listAccounts } from '../api/people.ts'
import { isAborted } from '../api/problem.ts'
import { PLATFORM, type Scope } from '../session/scopes.ts'
import { session } from '../session/session.ts'

const WAIT_MS = 200
const MAX_SHOWN = 30

interface AccountDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly addressIn: (scope: Scope) => string
  readonly describe: (scope: Scope) => string
}

async function findScopes(text: string, signal: AbortSignal): Promise<readonly Scope[]> {
  const { user, scopes = [] } = session.peek() ?? {}
  const wanted = text.toLocaleLowerCase()
  if (user?.role !== 'admin') {
    return scopes.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  }
  const { items } = await listAccounts(undefined, { signal }, text)
  const found = items.map(
    ({ id, name }): Scope => ({ id, name, kind: 'account', role: 'platform' }),
  )
  return wanted === '' ? [PLATFORM, ...found] : found
}

export function AccountDialog({ isOpen, onClose, addressIn, describe }: AccountDialogProps) {
  const text = useSignal('')
  const found = useSignal<readonly Scope[] | undefined>(undefined)
  const isFailed = useSignal(false)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) {
      text.value = ''
      found.value = undefined
      return
    }
    const controller = new AbortController()
    const timer = setTimeout(
      () => {
        findScopes(text.value.trim(), controller.signal).then(
          (scopes) => {
            found.value = scopes
            isFailed.value = false
          },
          (error: unknown) => {
            isFailed.value = !isAborted(error)
          },
        )
      },
      found.peek() ? WAIT_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [isOpen, text.value])
  const links = () => [...(frame.current?.querySelectorAll('a') ?? [])]
  useEffect(() => {
    const { current } = frame
    const move = (event: KeyboardEvent) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step === 0) return
      event.preventDefault()
      const all = links()
      const next = all.indexOf(document.activeElement as HTMLAnchorElement) + step
      if (next < 0) current?.querySelector('input')?.focus()
      else all[Math.min(next, all.length - 1)]?.focus()
    }
    current?.addEventListener('keydown', move)
    return () => current?.removeEventListener('keydown', move)
  }, [isOpen])
  const shown = found.value?.slice(0, MAX_SHOWN) ?? []
  const count = found.value?.length ?? 0
  return (
    <Dialog
      isOpen={isOpen}
      title="Choose an account"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        links()[0]?.click()
      }}
      actions={<Button onPress={onClose}>Cancel</Button>}
    >
      <div ref={frame} class="account-choice">
        <TextField
          label="Name"
          name="account"
          type="search"
          autocomplete="off"
          value={text.value}
          onInput={(typed) => {
            text.value = typed
          }}
        />
        <p class="quiet small" role="status">
          {isFailed.value
            ? 'The search failed. Type again.'
            : found.value === undefined
              ? 'Looking …'
              : count === 0
                ? 'No account that you see has this name.'
                : count > MAX_SHOWN
                  ? `The first ${MAX_SHOWN}; type more of the name.`
                  : `${count} found`}
        </p>
        <ul class="account-list">
          {shown.map((scope) => (
            <li key={scope.id}>
              <a href={addressIn(scope)} onClick={onClose}>
                {scope.name}
                <small>{describe(scope)}</small>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
