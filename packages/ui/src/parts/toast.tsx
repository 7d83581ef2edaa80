// Short notes about something that is done, in one polite live region. They stay until dismissed
// when they carry an action: a toast that leaves by itself takes its action along.
/** @jsxImportSource preact */
import type { Tone } from '../rules/states.ts'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

export interface Toast {
  readonly id: string
  readonly text: string
  readonly tone: Extract<Tone, 'good' | 'bad'>
  readonly action?: { readonly label: string; readonly onPress: () => void } | undefined
}

export interface ToastListProps {
  readonly toasts: readonly Toast[]
  readonly onDismiss: (id: string) => void
}

export function ToastList({ toasts, onDismiss }: ToastListProps) {
  return (
    <div class="toasts" role="status">
      {toasts.map(({ id, text, tone, action }) => (
        <div key={id} class={`toast tone-${tone}`}>
          <Icon name={tone === 'good' ? 'check' : 'alert'} />
          <p>{text}</p>
          <span class="row">
            {action && (
              <Button isCompact onPress={action.onPress}>
                {action.label}
              </Button>
            )}
            <IconButton
              icon="cross"
              label="Dismiss"
              tone="bare"
              isCompact
              onPress={() => onDismiss(id)}
            />
          </span>
        </div>
      ))}
    </div>
  )
}
