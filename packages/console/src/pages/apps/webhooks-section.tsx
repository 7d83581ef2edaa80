// The webhooks of a vendor: where events about its apps are sent. A new secret is shown once and must be stored
// before the page is left.
/** @jsxImportSource preact */
import type { NewWebhook } from '@chartside/protocol/payloads'
import { Button, EmptyState, SecretField, TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { createWebhook, listWebhooks } from '../../api/webhooks.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { copyText } from '../../parts/copy-text.ts'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { addLeaveGuard } from '../../route/location.ts'
import type { Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'
import { WebhookCard } from './webhook-card.tsx'

export function WebhooksSection({ scope }: { readonly scope: Scope }) {
  const accountId = scope.id
  const list = useList((_cursor, signal) => listWebhooks(accountId, { signal }), accountId)
  const adding = useOpen()
  const made = useSignal<NewWebhook | undefined>(undefined)
  useEffect(() => addLeaveGuard(() => made.peek() === undefined), [])
  const show = (webhook: NewWebhook) => {
    made.value = webhook
    list.reload()
  }
  return (
    <Section
      title="Events to your server"
      about="Your server learns when an app is disabled, when a practice gets it, when a secret expires soon, and when launches fail."
      actions={
        <Button icon="plus" onPress={adding.open}>
          Add an address
        </Button>
      }
    >
      {made.value && (
        <SecretField
          key={made.value.secret}
          label={`The secret of ${made.value.url}`}
          secret={made.value.secret}
          copy={copyText}
          onKept={() => {
            made.value = undefined
            notify('good', 'The secret is not shown again.')
          }}
        />
      )}
      <LoadedList
        list={list}
        what="the addresses"
        empty={
          <EmptyState icon="plug" title="No address yet">
            <p class="quiet">Events are signed, and name no person and no patient.</p>
          </EmptyState>
        }
      >
        {(webhooks) => (
          <>
            {webhooks.map((webhook) => (
              <WebhookCard
                key={webhook.id}
                scope={scope}
                webhook={webhook}
                onSecret={show}
                onChanged={list.reload}
              />
            ))}
          </>
        )}
      </LoadedList>
      <AddDialog
        accountId={accountId}
        isOpen={adding.isOpen}
        onClose={adding.close}
        onAdded={show}
      />
    </Section>
  )
}

interface AddDialogProps {
  readonly accountId: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onAdded: (webhook: NewWebhook) => void
}

const EMPTY = { url: '' }

function AddDialog({ accountId, isOpen, onClose, onAdded }: AddDialogProps) {
  const form = useForm({
    initial: EMPTY,
    async save({ url }) {
      onAdded(await createWebhook(accountId, url.trim()))
      form.reset(EMPTY)
      onClose()
    },
  })
  const close = () => {
    form.reset(EMPTY)
    onClose()
  }
  return (
    <FormDialog isOpen={isOpen} title="Add an address" form={form} submit="Add" onClose={close}>
      <TextField
        label="Address"
        hint="Your server takes a POST there, such as https://notes.example/webhooks/chartside"
        name="url"
        type="url"
        autocomplete="off"
        value={form.values.url}
        error={form.error('url')}
        onInput={(value) => form.set('url', value)}
      />
    </FormDialog>
  )
}
