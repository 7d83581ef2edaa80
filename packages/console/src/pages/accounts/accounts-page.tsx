// The accounts of the platform, practices and vendors alike: the list, and a new one. Each name leads
// to the account, with all its pages.
/** @jsxImportSource preact */
import type { Account } from '@chartside/protocol/payloads'
import { AppIcon, Button, EmptyState, TextField, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { createAccount } from '../../api/accounts.ts'
import { listAccounts } from '../../api/people.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useList } from '../../load/use-list.ts'
import { FindField } from '../../parts/find-field.tsx'
import { LoadedList } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { navigate, place } from '../../route/location.ts'
import { reloadSession } from '../../session/session.ts'
import { notify } from '../../shell/announcements.ts'

export default function AccountsPage() {
  const find = place.value.query.get('find') ?? ''
  const list = useList(
    (cursor, signal) => listAccounts(cursor, { signal }, find),
    `accounts ${find}`,
  )
  const isCreating = useSignal(false)
  const create = (
    <Button
      tone="primary"
      icon="plus"
      onPress={() => {
        isCreating.value = true
      }}
    >
      New account
    </Button>
  )
  return (
    <>
      <PageHead
        title="Accounts"
        about="A practice whose providers work in an EHR, or a vendor that builds apps. One account can be both."
        actions={create}
      />
      <FindField label="Find an account" />
      <LoadedList
        list={list}
        what="the accounts"
        empty={
          find === '' ? (
            <EmptyState icon="building" title="No account yet" actions={create}>
              <p class="quiet">
                Begin with a practice: invite its providers, then choose which apps run in its EHR.
              </p>
            </EmptyState>
          ) : (
            <EmptyState icon="search" title="No account matches">
              Search by part of its name.
            </EmptyState>
          )
        }
      >
        {(accounts) => (
          <RecordTable
            caption="Accounts"
            isCaptionHidden
            rows={accounts}
            rowId={({ id }) => id}
            columns={[
              { id: 'name', label: 'Name', render: (account) => <AccountName account={account} /> },
              { id: 'runs', label: 'What runs there', render: describeCollection },
              {
                id: 'factor',
                label: 'Second factor',
                render: ({ requireSecondFactor }) =>
                  requireSecondFactor ? 'Required' : <span class="quiet">Optional</span>,
              },
              {
                id: 'created',
                label: 'Since',
                render: ({ createdAt }) => (
                  <Timestamp at={Date.parse(createdAt)} now={Date.now()} />
                ),
              },
            ]}
          />
        )}
      </LoadedList>
      <NewAccountDialog
        isOpen={isCreating.value}
        onClose={() => {
          isCreating.value = false
        }}
      />
    </>
  )
}

function AccountName({ account }: { readonly account: Account }) {
  return (
    <span class="with-icon">
      <AppIcon id={account.id} name={account.name} />
      <a href={scopedAddress(account, '')}>{account.name}</a>
    </span>
  )
}

function describeCollection({ collection }: Account) {
  if (!collection) return <span class="quiet">No apps yet</span>
  return collection.version === 'latest' ? 'Newest version' : `Version ${collection.version}`
}

function NewAccountDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => (name.trim() === '' ? { name: 'Enter the name of the account.' } : {}),
    async save({ name }) {
      const made = await createAccount({ name: name.trim() })
      await reloadSession()
      form.reset({ name: '' })
      notify('good', `${made.name} is created. Invite its people next.`)
      navigate(scopedAddress(made, 'people'))
    },
  })
  const close = () => {
    form.reset({ name: '' })
    onClose()
  }
  return (
    <FormDialog isOpen={isOpen} title="New account" form={form} submit="Create" onClose={close}>
      <TextField
        label="Name"
        hint="As providers and developers know it; it can be changed later."
        name="name"
        autocomplete="off"
        value={form.values.name}
        error={form.error('name')}
        onInput={(value) => form.set('name', value)}
      />
    </FormDialog>
  )
}
