// The directory of an account: the address that Entra ID or Okta calls, and its tokens. A new one is shown once and
// must be stored before the page is left; each says when it was used last.
/** @jsxImportSource preact */
import type { Account, DirectoryToken, NewDirectoryToken } from '@chartside/protocol/payloads'
import { Button, CopyButton, EmptyState, Table, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import {
  createDirectoryToken,
  listDirectoryTokens,
  removeDirectoryToken,
} from '../../api/scim-tokens.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { TextDialog } from '../../forms/text-dialog.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useOpen } from '../../forms/use-open.ts'
import { BASE, ORIGIN } from '../../installation.ts'
import { useList } from '../../load/use-list.ts'
import { copyText } from '../../parts/copy-text.ts'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { ShownOnce, useMade } from '../../parts/shown-once.tsx'
import { notify } from '../../shell/announcements.ts'

export function DirectorySection({ account }: { readonly account: Account }) {
  const { id } = account
  const list = useList((_cursor, signal) => listDirectoryTokens(id, { signal }), id)
  const adding = useOpen()
  const made = useMade<NewDirectoryToken>()
  const removed = useSignal<DirectoryToken | undefined>(undefined)
  return (
    <Section
      title="Your directory"
      about="Entra ID or Okta adds your people here and ends their access, by SCIM 2.0. An account has two tokens at most: keep both while the directory changes over."
      actions={
        <Button icon="plus" onPress={adding.open}>
          New token
        </Button>
      }
    >
      {made.value && (
        <ShownOnce
          label={made.value.label ?? 'The new token'}
          secret={made.value.token}
          what="token"
          made={made}
        />
      )}
      <AddressCard accountId={id} />
      <LoadedList
        list={list}
        what="the tokens"
        empty={
          <EmptyState icon="key" title="No token yet">
            <p class="quiet">People are invited by hand, on the page People.</p>
          </EmptyState>
        }
      >
        {(tokens) => (
          <TokenTable
            tokens={tokens}
            onRemove={(token) => {
              removed.value = token
            }}
          />
        )}
      </LoadedList>
      <TextDialog
        isOpen={adding.isOpen}
        title="New token"
        submit="Make it"
        name="label"
        label="Label"
        hint="So that you know it again, such as “Entra ID, November 2026”."
        onClose={adding.close}
        save={async (label) => {
          made.value = await createDirectoryToken(id, label || undefined)
          list.reload()
        }}
      />
      <RemoveDialog
        accountId={id}
        token={removed.value}
        onClose={() => {
          removed.value = undefined
        }}
        onDone={list.reload}
      />
    </Section>
  )
}

function AddressCard({ accountId }: { readonly accountId: string }) {
  const address = `${ORIGIN}${BASE}/scim/v2/${accountId}`
  return (
    <div class="card padded">
      <dl class="facts">
        <div>
          <dt>Address for the directory</dt>
          <dd class="copied">
            <code>{address}</code>
            <CopyButton text={address} label="Copy the address" copy={copyText} />
          </dd>
        </div>
      </dl>
    </div>
  )
}

const nameOf = ({ label, id }: DirectoryToken) => label ?? id

interface TokenTableProps {
  readonly tokens: readonly DirectoryToken[]
  readonly onRemove: (token: DirectoryToken) => void
}

function TokenTable({ tokens, onRemove }: TokenTableProps) {
  const moment = (text: string | null) =>
    text === null ? 'never' : <Timestamp at={Date.parse(text)} now={Date.now()} />
  return (
    <Table
      caption="Tokens of the directory"
      isCaptionHidden
      rows={tokens}
      rowId={({ id }) => id}
      columns={[
        { id: 'label', label: 'Label', render: nameOf },
        { id: 'made', label: 'Made', render: ({ createdAt }) => moment(createdAt) },
        { id: 'used', label: 'Last used', render: ({ lastUsedAt }) => moment(lastUsedAt) },
        {
          id: 'end',
          label: 'Change',
          render: (token) => (
            <Button isCompact tone="danger" onPress={() => onRemove(token)}>
              Delete<span class="unseen"> {nameOf(token)}</span>
            </Button>
          ),
        },
      ]}
    />
  )
}

interface RemoveProps {
  readonly accountId: string
  readonly token: DirectoryToken | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

function RemoveDialog({ accountId, token, onClose, onDone }: RemoveProps) {
  const action = useAction()
  const remove = async () => {
    if (!(await action.run(() => removeDirectoryToken(accountId, token?.id ?? '')))) return
    notify('good', 'The token is deleted.')
    onClose()
    onDone()
  }
  return (
    <ConfirmActionDialog
      isOpen={token !== undefined}
      title={`Delete ${token ? nameOf(token) : ''}?`}
      button="Delete it"
      action={action}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>A directory that still sends it is refused at once. Your people keep their access.</p>
    </ConfirmActionDialog>
  )
}
