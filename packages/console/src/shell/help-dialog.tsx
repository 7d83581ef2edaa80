// The help that ? opens: every key that works here, and the switch for those who must do without keys
// of one character, such as people who speak to their computer.
/** @jsxImportSource preact */
import { Button, Dialog } from '@chartside/ui'
import { signal } from '@preact/signals'
import {
  isSwitchedOn,
  type Shortcut,
  shortcuts,
  switchShortcuts,
  useShortcut,
} from '../keys/shortcuts.ts'

export const isHelpOpen = signal(false)

const GROUPS: readonly Shortcut['group'][] = ['On this page', 'Go to', 'Everywhere']

export function HelpDialog() {
  useShortcut({ keys: '?', label: 'Show the keys', group: 'Everywhere' }, () => {
    isHelpOpen.value = true
  })
  const close = () => {
    isHelpOpen.value = false
  }
  return (
    <Dialog
      isOpen={isHelpOpen.value}
      title="Keys"
      onClose={close}
      actions={
        <Button tone="primary" onPress={close}>
          Close
        </Button>
      }
    >
      {/* First, since it takes the focus: the list below is read from its beginning. */}
      <label class="check">
        <input
          type="checkbox"
          checked={isSwitchedOn.value}
          onChange={(event) => switchShortcuts(event.currentTarget.checked)}
        />
        <span>Keys of one character act on the page</span>
      </label>
      {GROUPS.map((group) => {
        const shown = shortcuts.value.filter(
          (shortcut) => shortcut.group === group && !shortcut.keys.startsWith('none '),
        )
        if (shown.length === 0) return null
        return (
          <section key={group} class="key-group">
            <h3>{group}</h3>
            <dl>
              {shown.map(({ keys, label }) => (
                <div key={keys}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key.length === 1 ? key.toUpperCase() : key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )
      })}
    </Dialog>
  )
}
