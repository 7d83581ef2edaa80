// The webhooks of a vendor: where events about its apps are sent. A new secret is shown once and must be stored
// before the page is left.
/** @jsxImportSource preact */
import type { NewWebhook } from '@chartside/protocol/payloads'
import { Button, EmptyState } from '@chartside/ui'
import { createWebhook, listWebhooks } from '../../api/webhooks.ts'
import { TextDialog } from '../../forms/text-dialog.tsx'
import { useOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { ShownOnce, useMade } from '../../parts/shown-once.tsx'
import type { Scope } from '../../session/scopes.ts'
import { WebhookCard } from './webhook-card.tsx'

export function WebhooksSection({ scope }: { readonly scope: Scope }) {
  const accountId = scope.id
  const list = useList((_cursor, signal) => listWebhooks(accountId, { signal }), accountId)
  const adding = useOpen()
  const made = useMade<NewWebhook>()
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
        <ShownOnce
          label={`The secret of ${made.value.url}`}
          secret={made.value.secret}
          what="secret"
          made={made}
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
      <TextDialog
        isOpen={adding.isOpen}
        title="Add an address"
        submit="Add"
        name="url"
        type="url"
        label="Address"
        hint="Your server takes a POST there, such as https://notes.example/webhooks/chartside"
        onClose={adding.close}
        save={async (url) => show(await createWebhook(accountId, url))}
      />
    </Section>
  )
}
