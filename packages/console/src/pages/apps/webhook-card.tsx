// One webhook of a vendor: what became of the newest events, a test, a new secret, and its deletion. A new secret
// goes to the section, which shows it once.
/** @jsxImportSource preact */
import type {
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookTest,
} from '@chartside/protocol/payloads'
import { Button, formatCount, Pill, Table, Timestamp } from '@chartside/ui'
import { formatDuration, formatMoment } from '@chartside/ui/times'
import { useSignal } from '@preact/signals'
import {
  changeWebhookSecret,
  listDeliveries,
  removeWebhook,
  testWebhook,
} from '../../api/webhooks.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useOpen } from '../../forms/use-open.ts'
import { useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import type { Scope } from '../../session/scopes.ts'
import { announce, notify } from '../../shell/announcements.ts'
import { describeAnswer, describeOutcome, OutcomePill } from './notice-outcome.tsx'

export interface WebhookCardProps {
  readonly scope: Scope
  readonly webhook: Webhook
  readonly onSecret: (webhook: NewWebhook) => void
  readonly onChanged: () => void
}

export function WebhookCard({ scope, webhook, onSecret, onChanged }: WebhookCardProps) {
  const { id, url } = webhook
  const accountId = scope.id
  const action = useAction()
  const result = useSignal<WebhookTest | undefined>(undefined)
  const asked = { secret: useOpen(), remove: useOpen() }
  const test = () =>
    action.run(async () => {
      result.value = await testWebhook(accountId, id)
      announce(`Test: ${describeOutcome(result.value.outcome)}`)
      if (webhook.switchedOffAt !== null) onChanged()
    })
  const change = async () => {
    const isDone = await action.run(async () => onSecret(await changeWebhookSecret(accountId, id)))
    if (isDone) asked.secret.close()
  }
  const remove = async () => {
    if (!(await action.run(() => removeWebhook(accountId, id)))) return
    notify('good', 'The address is deleted.')
    asked.remove.close()
    onChanged()
  }
  return (
    <section class="padded stack" aria-label={url}>
      <Head webhook={webhook} />
      {action.problem && !asked.secret.isOpen && !asked.remove.isOpen && (
        <FormProblem problem={action.problem} />
      )}
      {result.value && <TestResult result={result.value} />}
      <div class="row">
        <Button isBusy={action.isBusy} onPress={() => void test()}>
          Send a test
        </Button>
        <Button onPress={asked.secret.open}>New secret</Button>
        <Button tone="danger" onPress={asked.remove.open}>
          Delete<span class="unseen"> {url}</span>
        </Button>
      </div>
      <Deliveries scope={scope} webhookId={id} />
      <ConfirmActionDialog
        isOpen={asked.secret.isOpen}
        title="Make a new secret?"
        button="Make it"
        isDangerous={false}
        action={action}
        onConfirm={() => void change()}
        onClose={asked.secret.close}
      >
        <p>Events are signed with both secrets for a day. After that the new one signs alone.</p>
      </ConfirmActionDialog>
      <ConfirmActionDialog
        isOpen={asked.remove.isOpen}
        title="Delete this address?"
        button="Delete it"
        action={action}
        onConfirm={() => void remove()}
        onClose={asked.remove.close}
      >
        <p>Your server gets no more events there. Events that it has not taken yet go too.</p>
      </ConfirmActionDialog>
    </section>
  )
}

function Head({ webhook }: Pick<WebhookCardProps, 'webhook'>) {
  const { url, previousSecretUntil, switchedOffAt } = webhook
  return (
    <>
      <div class="spread">
        <h3>
          <code>{url}</code>
        </h3>
        {switchedOffAt !== null && (
          <Pill tone="bad" icon="cross">
            Switched off
          </Pill>
        )}
      </div>
      {switchedOffAt !== null && (
        <p class="quiet">
          Your server answered 410, so it gets no events. A test that it takes switches it on again.
        </p>
      )}
      {previousSecretUntil !== null && (
        <p class="quiet">
          The secret before signs too, until{' '}
          {formatMoment(Date.parse(previousSecretUntil), Date.now())}.
        </p>
      )}
    </>
  )
}

function TestResult({ result }: { readonly result: WebhookTest }) {
  return (
    <p role="status">
      <OutcomePill outcome={result.outcome} /> {describeAnswer(result)} after{' '}
      {formatDuration(result.milliseconds)}
    </p>
  )
}

interface DeliveriesProps {
  readonly scope: Scope
  readonly webhookId: string
}

function Deliveries({ scope, webhookId }: DeliveriesProps) {
  const load = useRecord((signal) => listDeliveries(scope.id, webhookId, { signal }), webhookId)
  return (
    <Loaded load={load} what="the events">
      {({ items }) =>
        items.length === 0 ? (
          <p class="quiet">No event yet. Nothing has happened to your apps since.</p>
        ) : (
          <DeliveryTable scope={scope} events={items} />
        )
      }
    </Loaded>
  )
}

interface DeliveryTableProps {
  readonly scope: Scope
  readonly events: readonly WebhookDelivery[]
}

const DeliveryTable = ({ scope, events }: DeliveryTableProps) => (
  <Table
    caption="Newest events"
    isCaptionHidden
    rows={events}
    rowId={({ id }) => id}
    columns={[
      {
        id: 'type',
        label: 'Event',
        render: ({ type, appId }) => (
          <a href={scopedAddress(scope, `apps/${encodeURIComponent(appId)}`)}>{type}</a>
        ),
      },
      {
        id: 'at',
        label: 'Happened',
        render: ({ at }) => <Timestamp at={Date.parse(at)} now={Date.now()} />,
      },
      { id: 'outcome', label: 'Outcome', render: (row) => <OutcomePill {...row} /> },
      {
        id: 'attempts',
        label: 'Attempts',
        isNumber: true,
        render: ({ attempts }) => formatCount(attempts),
      },
      { id: 'answer', label: 'Last answer', render: (row) => describeAnswer(row) },
    ]}
  />
)
