// The accounts of the platform, practices and vendors alike: the list, and a new one. Each name leads
// to the account, with all its pages.
/** @jsxImportSource preact */
import type { Account } from '@chartside/protocol/payloads'
import { AppIcon, Button, type Column } from '@chartside/ui'
import { createAccount } from '../../api/accounts.ts'
import { listAccounts } from '../../api/people.ts'
import { NameDialog } from '../../forms/name-dialog.tsx'
import { useAskedOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { sortByName, sortOf, timeColumn } from '../../parts/columns.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { RecordListPage } from '../../parts/record-list-page.tsx'
import { DO, scopedAddress } from '../../route/addresses.ts'
import { navigate, place } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn } from '../../session/scopes.ts'
import { reloadSession } from '../../session/session.ts'
import { notify } from '../../shell/announcements.ts'

export default function AccountsPage({ scope }: PageProps) {
  const find = place.value.query.get('find') ?? ''
  const sort = sortOf()
  const list = useList(
    (cursor, signal) => listAccounts(cursor, { signal }, find, sort),
    `accounts ${find} ${sort}`,
  )
  const creation = useAskedOpen(DO.create)
  const create = async (name: string) => {
    const made = await createAccount({ name })
    await reloadSession()
    notify('good', `${made.name} is created. Invite its people next.`)
    // After the form is saved: one with changes would ask before the page is left.
    setTimeout(() => navigate(scopedAddress(made, 'people')))
  }
  return (
    <RecordListPage
      title="Accounts"
      about="A practice whose providers work in an EHR, or a vendor that builds apps. One account can be both."
      actions={
        isAllowedIn(scope, 'platform') && (
          <Button tone="primary" icon="plus" onPress={creation.open}>
            New account
          </Button>
        )
      }
      finders={<FindField label="Find an account" />}
      what="the accounts"
      list={list}
      columns={() => [{ ...NAME, sort: sortByName() }, ...COLUMNS]}
      empty={{
        icon: 'building',
        title: 'No account yet',
        text: (
          <p class="quiet">
            Begin with a practice: invite its providers, then choose which apps run in its EHR.
          </p>
        ),
      }}
      noMatch={find === '' ? undefined : NO_MATCH}
    >
      <NameDialog
        isOpen={creation.isOpen}
        title="New account"
        submit="Create"
        hint="As providers and developers know it; it can be changed later."
        missing="Enter the name of the account."
        create={create}
        onClose={creation.close}
      />
    </RecordListPage>
  )
}

const NO_MATCH = {
  icon: 'search',
  title: 'No account matches',
  text: 'Search by part of its name.',
} as const

const NAME: Column<Account> = {
  id: 'name',
  label: 'Name',
  render: (account) => (
    <span class="with-icon">
      <AppIcon id={account.id} name={account.name} />
      <a href={scopedAddress(account, '')}>{account.name}</a>
    </span>
  ),
}

const COLUMNS: readonly Column<Account>[] = [
  { id: 'runs', label: 'What runs there', render: describeCollection },
  {
    id: 'factor',
    label: 'Second factor',
    render: ({ requireSecondFactor }) =>
      requireSecondFactor ? 'Required' : <span class="quiet">Optional</span>,
  },
  timeColumn('created', 'Since', ({ createdAt }) => createdAt),
]

function describeCollection({ collection }: Account) {
  if (!collection) return <span class="quiet">Nothing</span>
  return collection.version === 'latest' ? 'Newest version' : `Version ${collection.version}`
}
