// The recovery codes, shown once: copy them, say that they are kept. Leaving the page before that asks,
// since they cannot be shown again.
/** @jsxImportSource preact */
import { Button, CopyButton, Icon } from '@chartside/ui'
import { useEffect } from 'preact/hooks'
import { copyText } from '../../parts/copy-text.ts'
import { addLeaveGuard } from '../../route/location.ts'

export function RecoveryCodesCard({
  codes,
  onKept,
}: {
  readonly codes: readonly string[]
  readonly onKept: () => void
}) {
  useEffect(() => addLeaveGuard(() => false), [])
  return (
    <section class="secret" aria-label="Recovery codes">
      <p>
        <Icon name="key" />
        <span>
          <strong>Keep these recovery codes.</strong> Each stands once for a code of the app, if you
          lose the device. They are shown now and never again.
        </span>
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="row">
        <CopyButton text={codes.join('\n')} label="Copy all" copy={copyText} isCompact={false} />
        <Button tone="primary" onPress={onKept}>
          I have kept them
        </Button>
      </div>
    </section>
  )
}
