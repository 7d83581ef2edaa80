// A button of a view: its label and its action, as data.
// One place turns such data into a button.
/** @jsxImportSource preact */
import { Button, type ButtonProps } from '@chartside/ui'
import type { ButtonView, PanelAction } from './actions.ts'

interface ActionButtonProps extends Pick<ButtonProps, 'isCompact' | 'tone'> {
  readonly button: ButtonView
  readonly run: (action: PanelAction) => void
}

export function ActionButton({ button, run, tone, isCompact }: ActionButtonProps) {
  return (
    <Button
      tone={tone ?? (button.isPrimary ? 'primary' : 'plain')}
      isCompact={isCompact}
      onPress={() => run(button.action)}
    >
      {button.label}
    </Button>
  )
}
