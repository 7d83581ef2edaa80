// The client secrets of an app: a new one is shown once and must be stored before the page is left; each
// says when it was used last; one is retired at once.
/** @jsxImportSource preact */
import type { App, ClientSecret, NewClientSecret } from '@chartside/protocol/payloads'
import { Button, EmptyState, formatMoment, Pill, Table, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { createSecret, listSecrets, retireSecret } from '../../api/apps.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { TextDialog } from '../../forms/text-dialog.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { ShownOnce, useMade } from '../../parts/shown-once.tsx'
import { notify } from '../../shell/announcements.ts'
import { describeRetire, nameOfSecret } from './secret-words.ts'

export function SecretsSection({ app }: { readonly app: App }) {
  const list = useList((_cursor, signal) => listSecrets(app.id, { signal }), app.id)
  const adding = useOpen()
  const made = useMade<NewClientSecret>()
  const retired = useSignal<ClientSecret | undefined>(undefined)
  return (
    <Section
      title="Client secrets"
      about="Your server sends one with each exchange. Keep two while you change servers over, then retire the old one."
      actions={
        <Button icon="plus" onPress={adding.open}>
          New secret
        </Button>
      }
    >
      {made.value && (
        <ShownOnce
          label={made.value.label ?? 'The new secret'}
          secret={made.value.secret}
          what="secret"
          made={made}
        />
      )}
      <LoadedList
        list={list}
        what="the secrets"
        empty={
          <EmptyState icon="key" title="No secret yet">
            <p class="quiet">Without one the app cannot exchange a code.</p>
          </EmptyState>
        }
      >
        {(secrets) => (
          <SecretTable
            secrets={secrets}
            onRetire={(secret) => {
              retired.value = secret
            }}
          />
        )}
      </LoadedList>
      <TextDialog
        isOpen={adding.isOpen}
        title="New client secret"
        submit="Make it"
        name="label"
        label="Label"
        hint="So that you know it again, such as “Production, November 2026”."
        onClose={adding.close}
        save={async (label) => {
          made.value = await createSecret(app.id, label === '' ? {} : { label })
          list.reload()
        }}
      />
      <RetireDialog
        app={app}
        secret={retired.value}
        secrets={list.data ?? []}
        onClose={() => {
          retired.value = undefined
        }}
        onDone={list.reload}
      />
    </Section>
  )
}

function SecretTable({
  secrets,
  onRetire,
}: {
  readonly secrets: readonly ClientSecret[]
  readonly onRetire: (secret: ClientSecret) => void
}) {
  const moment = (text: string | null, none: string) =>
    text === null ? none : <Timestamp at={Date.parse(text)} now={Date.now()} />
  return (
    <Table
      caption="Client secrets"
      isCaptionHidden
      rows={secrets}
      rowId={({ id }) => id}
      columns={[
        { id: 'label', label: 'Label', render: nameOfSecret },
        { id: 'made', label: 'Made', render: ({ createdAt }) => moment(createdAt, '') },
        { id: 'used', label: 'Last used', render: ({ lastUsedAt }) => moment(lastUsedAt, 'never') },
        { id: 'ends', label: 'Expires', render: ({ expiresAt }) => <Expiry at={expiresAt} /> },
        {
          id: 'retire',
          label: 'Change',
          render: (secret) => (
            <Button isCompact tone="danger" onPress={() => onRetire(secret)}>
              Retire<span class="unseen"> {nameOfSecret(secret)}</span>
            </Button>
          ),
        },
      ]}
    />
  )
}

/** The page warns as early as the service does. */
const WARN_BEFORE_MS = 14 * 24 * 3_600_000

function Expiry({ at }: { readonly at: string | null }) {
  if (at === null) return 'never'
  const end = Date.parse(at)
  const left = end - Date.now()
  const warning = left <= 0 ? 'Expired' : left < WARN_BEFORE_MS ? 'Soon' : undefined
  return (
    <span class="with-icon">
      <Timestamp at={end} now={Date.now()} />
      {warning && (
        <Pill tone={left <= 0 ? 'bad' : 'warn'} icon="alert">
          {warning}
        </Pill>
      )}
    </span>
  )
}

interface RetireProps {
  readonly app: App
  readonly secret: ClientSecret | undefined
  readonly secrets: readonly ClientSecret[]
  readonly onClose: () => void
  readonly onDone: () => void
}

function RetireDialog({ app, secret, secrets, onClose, onDone }: RetireProps) {
  const action = useAction()
  const now = Date.now()
  const warning = secret && describeRetire(secret, secrets, now, (at) => formatMoment(at, now))
  const retire = () =>
    action
      .run(() => retireSecret(app.id, secret?.id ?? ''))
      .then((isDone) => {
        if (!isDone) return
        notify('good', 'The secret is retired.')
        onClose()
        onDone()
      })
  return (
    <ConfirmActionDialog
      isOpen={secret !== undefined}
      title={`Retire ${secret ? nameOfSecret(secret) : ''}?`}
      button="Retire it"
      action={action}
      onConfirm={() => void retire()}
      onClose={onClose}
    >
      {warning && (
        <>
          <p>A server that still sends it fails at its next exchange. {warning.used}</p>
          <p>
            {warning.isRisky ? (
              <strong>{warning.others} Exchanges are likely to fail.</strong>
            ) : (
              warning.others
            )}
          </p>
        </>
      )}
    </ConfirmActionDialog>
  )
}
