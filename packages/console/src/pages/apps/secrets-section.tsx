// The client secrets of an app: a new one is shown once and must be stored before the page is left; each
// says when it was used last; one is retired after a day, in which it can be kept, or at once.
/** @jsxImportSource preact */
import type { App, ClientSecret, NewClientSecret } from '@chartside/protocol/payloads'
import { Button, EmptyState, formatMoment, Pill, Table, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { createSecret, listSecrets, retireSecret, scheduleRetirement } from '../../api/apps.ts'
import { CheckboxChoice } from '../../forms/checkbox-choice.tsx'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { FormProblem } from '../../forms/form-frame.tsx'
import { TextDialog } from '../../forms/text-dialog.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useAskedOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { ShownOnce, useMade } from '../../parts/shown-once.tsx'
import { DO } from '../../route/addresses.ts'
import { notify } from '../../shell/announcements.ts'
import { describeRetire, nameOfSecret } from './secret-words.ts'

export function SecretsSection({ app }: { readonly app: App }) {
  const list = useList((_cursor, signal) => listSecrets(app.id, { signal }), app.id)
  const adding = useAskedOpen(DO.newSecret)
  const made = useMade<NewClientSecret>()
  const retired = useSignal<ClientSecret | undefined>(undefined)
  const keeping = useAction()
  const keep = (secret: ClientSecret) =>
    keeping.run(async () => {
      await scheduleRetirement(app.id, secret.id, null)
      notify('good', `${nameOfSecret(secret)} stays.`)
      list.reload()
    })
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
      {keeping.problem && <FormProblem problem={keeping.problem} />}
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
            onKeep={(secret) => void keep(secret)}
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

interface RowProps {
  readonly secret: ClientSecret
  readonly onRetire: (secret: ClientSecret) => void
}

function Retire({ secret, onRetire }: RowProps) {
  return (
    <Button isCompact tone="danger" onPress={() => onRetire(secret)}>
      Retire<span class="unseen"> {nameOfSecret(secret)}</span>
    </Button>
  )
}

const isRetiring = ({ retiresAt }: ClientSecret) =>
  retiresAt !== null && Date.parse(retiresAt) > Date.now()

interface SecretTableProps extends Pick<RowProps, 'onRetire'> {
  readonly secrets: readonly ClientSecret[]
  readonly onKeep: (secret: ClientSecret) => void
}

function SecretTable({ secrets, onRetire, onKeep }: SecretTableProps) {
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
        { id: 'ends', label: 'Expires', render: (secret) => <End secret={secret} /> },
        {
          id: 'retire',
          label: 'Change',
          render: (secret) =>
            isRetiring(secret) ? (
              <span class="row">
                <Button isCompact onPress={() => onKeep(secret)}>
                  Keep it<span class="unseen"> {nameOfSecret(secret)}</span>
                </Button>
                <Retire secret={secret} onRetire={onRetire} />
              </span>
            ) : (
              <Retire secret={secret} onRetire={onRetire} />
            ),
        },
      ]}
    />
  )
}

/** The page warns as early as the service does. */
const WARN_BEFORE_MS = 14 * 24 * 3_600_000

/** The end that comes first. */
function End({ secret }: { readonly secret: ClientSecret }) {
  const { expiresAt, retiresAt } = secret
  if (expiresAt === null && retiresAt === null) return 'never'
  const [expires, retires] = [expiresAt, retiresAt].map((at) =>
    at === null ? Number.POSITIVE_INFINITY : Date.parse(at),
  )
  const end = Math.min(expires ?? 0, retires ?? 0)
  const left = end - Date.now()
  const isRetired = end === retires
  const soon = left < WARN_BEFORE_MS ? 'Soon' : undefined
  const over = isRetired ? 'Retired' : 'Expired'
  const warning = left <= 0 ? over : isRetired ? 'Retires' : soon
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

const DAY_MS = 24 * 3_600_000

function RetireDialog({ app, secret, secrets, onClose, onDone }: RetireProps) {
  const action = useAction()
  const isNow = useSignal(false)
  const now = Date.now()
  const warning = secret && describeRetire(secret, secrets, now, (at) => formatMoment(at, now))
  const close = () => {
    isNow.value = false
    onClose()
  }
  const retire = async (id: string) => {
    if (isNow.value) {
      await retireSecret(app.id, id)
      notify('good', 'The secret is retired.')
    } else {
      await scheduleRetirement(app.id, id, new Date(Date.now() + DAY_MS).toISOString())
      notify('good', 'The secret retires in 24 hours. Until then it can be kept.')
    }
  }
  const confirm = () =>
    action
      .run(() => retire(secret?.id ?? ''))
      .then((isDone) => {
        if (!isDone) return
        close()
        onDone()
      })
  return (
    <ConfirmActionDialog
      isOpen={secret !== undefined}
      title={`Retire ${secret ? nameOfSecret(secret) : ''}?`}
      button={isNow.value ? 'Retire it now' : 'Retire it in 24 hours'}
      action={action}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      {warning && (
        <>
          <p>A server that still sends it then fails at its next exchange. {warning.used}</p>
          <p>
            {warning.isRisky ? (
              <strong>{warning.others} Exchanges are likely to fail.</strong>
            ) : (
              warning.others
            )}
          </p>
        </>
      )}
      <CheckboxChoice
        title="Now"
        isChecked={isNow.value}
        onChange={(isChecked) => {
          isNow.value = isChecked
        }}
      >
        For a secret that has leaked. There is no way back.
      </CheckboxChoice>
    </ConfirmActionDialog>
  )
}
