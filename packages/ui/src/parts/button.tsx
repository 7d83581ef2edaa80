// Buttons: one primary in a view, plain ones beside it, a dangerous one with its own color and words.
// A busy button stays focusable and ignores presses, so that focus is not lost while it works.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { IconName } from '../rules/icon-paths.ts'
import { Icon } from './icon.tsx'

interface ButtonLook {
  readonly tone?: 'plain' | 'primary' | 'danger' | 'bare' | undefined
  readonly isCompact?: boolean | undefined
  readonly isWide?: boolean | undefined
  /** A dangerous button that is the one to press, as in a dialog. */
  readonly isFilled?: boolean | undefined
}

interface ButtonAction {
  readonly onPress?: (() => void) | undefined
  readonly icon?: IconName | undefined
  readonly isBusy?: boolean | undefined
  readonly isDisabled?: boolean | undefined
  /** Says why, or what it is about, where the text does not. */
  readonly describedBy?: string | undefined
}

export interface ButtonProps extends ButtonLook, ButtonAction {
  readonly children: ComponentChildren
  readonly type?: 'button' | 'submit' | undefined
}

function listClasses({ tone = 'plain', isCompact, isWide, isFilled }: ButtonLook, more = '') {
  return ['button', tone, isCompact && 'compact', isWide && 'wide', isFilled && 'filled', more]
    .filter(Boolean)
    .join(' ')
}

export function Button({ children, icon, isBusy, isDisabled, onPress, ...rest }: ButtonProps) {
  const isIdle = isBusy !== true && isDisabled !== true
  return (
    <button
      type={rest.type ?? 'button'}
      class={listClasses(rest)}
      aria-busy={isBusy ? 'true' : undefined}
      aria-disabled={isIdle ? undefined : 'true'}
      aria-describedby={rest.describedBy}
      onClick={(event) => {
        if (isIdle) onPress?.()
        else event.preventDefault()
      }}
    >
      {isBusy ? <Icon name="spinner" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends ButtonLook {
  readonly icon: IconName
  readonly label: string
  readonly onPress: () => void
}

export function IconButton({ icon, label, onPress, ...look }: IconButtonProps) {
  return (
    <button
      type="button"
      class={listClasses(look, 'icon-only')}
      aria-label={label}
      title={label}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  )
}
