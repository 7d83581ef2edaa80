// The developer keys of the person: by which programs read launches and hand in fault runs in one account. A new one
// is shown once and must be stored before the page is left; each says when it was used last and when it ends.
/** @jsxImportSource preact */
import type { DeveloperKey, NewDeveloperKey } from '@chartside/protocol/payloads'
import { Button, EmptyState, Table, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { deleteDeveloperKey, listDeveloperKeys } from '../../api/credentials.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { ShownOnce, useMade } from '../../parts/shown-once.tsx'
import { session } from '../../session/session.ts'
import { notify } from '../../shell/announcements.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { SettingsHead } from './settings-head.tsx'

export default function DeveloperKeysPage() {
  const list = useList((_cursor, signal) => listDeveloperKeys({ signal }), 'developer-keys')
  const adding = useOpen()
  const made = useMade<NewDeveloperKey>()
  const chosen = useSignal<DeveloperKey | undefined>(undefined)
  const accounts = (session.value?.user.memberships ?? [])
    .filter(({ role }) => role === 'developer' || role === 'admin')
    .map(({ account }) => account)
  return (
    <>
      <SettingsHead current="settings/developer-keys" />
      <Section
        title="Developer keys"
        about="With a key “chartside logs --tail” follows launches, and a pipeline hands fault runs in. It reaches one account, as you do as its developer, and nothing else."
        actions={
          accounts.length > 0 && (
            <Button icon="plus" onPress={adding.open}>
              New key
            </Button>
          )
        }
      >
        {made.value && (
          <ShownOnce label={made.value.name} secret={made.value.key} what="key" made={made} />
        )}
        <LoadedList
          list={list}
          what="your developer keys"
          empty={
            <EmptyState icon="key" title="No key yet">
              <p class="quiet">
                {accounts.length > 0
                  ? 'Make one for each machine, so that you can delete them one by one.'
                  : 'Keys are for developers. An administrator of an account can make you one.'}
              </p>
            </EmptyState>
          }
        >
          {(keys) => (
            <KeyTable
              keys={keys}
              onDelete={(key) => {
                chosen.value = key
              }}
            />
          )}
        </LoadedList>
      </Section>
      <NewKeyDialog
        accounts={accounts}
        isOpen={adding.isOpen}
        onClose={adding.close}
        onMade={(key) => {
          made.value = key
          list.reload()
        }}
      />
      <DeleteDialog
        chosen={chosen.value}
        onClose={() => {
          chosen.value = undefined
        }}
        onDone={list.reload}
      />
    </>
  )
}

interface KeyTableProps {
  readonly keys: readonly DeveloperKey[]
  readonly onDelete: (key: DeveloperKey) => void
}

function KeyTable({ keys, onDelete }: KeyTableProps) {
  const now = Date.now()
  const moment = (text: string) => <Timestamp at={Date.parse(text)} now={now} />
  return (
    <Table
      caption="Developer keys"
      isCaptionHidden
      rows={keys}
      rowId={({ id }) => id}
      columns={[
        { id: 'name', label: 'Name', render: ({ name }) => name },
        { id: 'account', label: 'Account', render: ({ account }) => account.name },
        {
          id: 'used',
          label: 'Last used',
          render: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : moment(lastUsedAt)),
        },
        {
          id: 'ends',
          label: 'Ends',
          render: ({ expiresAt }) =>
            Date.parse(expiresAt) > now ? moment(expiresAt) : <strong>Ended</strong>,
        },
        {
          id: 'delete',
          label: 'Change',
          render: (key) => (
            <Button isCompact tone="danger" onPress={() => onDelete(key)}>
              Delete<span class="unseen"> {key.name}</span>
            </Button>
          ),
        },
      ]}
    />
  )
}

interface DeleteProps {
  readonly chosen: DeveloperKey | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

function DeleteDialog({ chosen, onClose, onDone }: DeleteProps) {
  const action = useAction()
  const remove = async () => {
    if (!(await action.run(() => deleteDeveloperKey(chosen?.id ?? '')))) return
    notify('good', 'The key is deleted.')
    onClose()
    onDone()
  }
  return (
    <ConfirmActionDialog
      isOpen={chosen !== undefined}
      title={`Delete ${chosen?.name ?? ''}?`}
      button="Delete it"
      action={action}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>A program that still sends it is refused at once.</p>
    </ConfirmActionDialog>
  )
}
