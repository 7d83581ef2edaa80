// A secret that is shown once: copy it, say that it is kept, then only its last four characters
// remain. The page asks before leaving while `onKept` has not been called.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'

export interface SecretFieldProps {
  readonly label: string
  readonly secret: string
  readonly copy: (text: string) => Promise<void>
  readonly onKept: () => void
}

export function SecretField({ label, secret, copy, onKept }: SecretFieldProps) {
  const isKept = useSignal(false)
  if (isKept.value) {
    return (
      <section class="secret kept" aria-label={label}>
        <p>
          <Icon name="key" />
          <span>
            <strong>{label}</strong> ends in <code>{secret.slice(-4)}</code>. It cannot be shown
            again.
          </span>
        </p>
      </section>
    )
  }
  return (
    <section class="secret" aria-label={label}>
      <p>
        <Icon name="key" />
        <span>
          <strong>{label} is shown once.</strong> Put it where your server reads its secrets.
        </span>
      </p>
      <div class="value">
        <output>{secret}</output>
        <CopyButton text={secret} label="Copy" copy={copy} isCompact={false} />
      </div>
      <Button
        onPress={() => {
          isKept.value = true
          onKept()
        }}
      >
        I have stored it
      </Button>
    </section>
  )
}
