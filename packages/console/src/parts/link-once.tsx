// A one-time link for another person: shown once, to be copied and sent. Leaving the page before it is
// copied asks, since the link cannot be shown again.
/** @jsxImportSource preact */
import { Button, CopyButton, Dialog, Icon } from '@chartside/ui'
import { formatMoment } from '@chartside/ui/times'
import { useSignal } from '@preact/signals'
import { copyText } from './copy-text.ts'

export interface ShownLink {
  readonly title: string
  /** A sentence that says for whom it is, and what they do with it. */
  readonly text: string
  readonly url: string
  readonly expiresAt: string
}

export function LinkOnce({
  link,
  onClose,
}: {
  readonly link: ShownLink | undefined
  readonly onClose: () => void
}) {
  const isCopied = useSignal(false)
  if (!link) return null
  const close = () => {
    isCopied.value = false
    onClose()
  }
  return (
    <Dialog
      isOpen
      title={link.title}
      onClose={close}
      actions={
        <Button tone={isCopied.value ? 'primary' : 'plain'} onPress={close}>
          {isCopied.value ? 'Done' : 'Close without copying'}
        </Button>
      }
    >
      <p>{link.text}</p>
      <section class="secret" aria-label="One-time link">
        <p>
          <Icon name="key" />
          <span>
            <strong>This link is shown once.</strong> It works once, until{' '}
            {formatMoment(Date.parse(link.expiresAt), Date.now())}. It signs in its holder as that
            person, so send it to them alone.
          </span>
        </p>
        <div class="value">
          <output>{link.url}</output>
          <CopyButton
            text={link.url}
            label="Copy link"
            isCompact={false}
            copy={async (text) => {
              await copyText(text)
              isCopied.value = true
            }}
          />
        </div>
      </section>
    </Dialog>
  )
}
