// The collections of a scope: which apps run on which EHRs, in versions that practices choose. Without
// one the page says what a collection is for.
/** @jsxImportSource preact */
import type { CollectionSummary } from '@chartside/protocol/payloads'
import { Button, type Column } from '@chartside/ui'
import { createCollection, listCollections } from '../../api/collections.ts'
import { NameDialog } from '../../forms/name-dialog.tsx'
import { useOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { accountColumn } from '../../parts/account-name.tsx'
import { sortByName, sortOf, timeColumn } from '../../parts/columns.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { RecordListPage } from '../../parts/record-list-page.tsx'
import { RunningHint } from '../../parts/running-hint.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { navigate, place } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn } from '../../session/scopes.ts'

export default function CollectionsPage({ scope }: PageProps) {
  const accountId = scope.kind === 'account' ? scope.id : undefined
  const find = place.value.query.get('find') ?? ''
  const sort = sortOf()
  const list = useList(
    (cursor, signal) => listCollections(accountId, cursor, { signal }, find, sort),
    `${scope.id} ${find} ${sort}`,
  )
  const creation = useOpen()
  const mayCreate = accountId !== undefined && isAllowedIn(scope, 'run')
  const addressOf = (id: string) => scopedAddress(scope, `collections/${encodeURIComponent(id)}`)
  const name: Column<CollectionSummary> = {
    id: 'name',
    label: 'Collection',
    sort: sortByName(),
    render: (collection) => <a href={addressOf(collection.id)}>{collection.name}</a>,
  }
  return (
    <RecordListPage
      title="What runs where"
      about="A collection says which apps run on which EHRs. A practice runs one version of it, or always the latest."
      actions={
        mayCreate && (
          <Button tone="primary" icon="plus" onPress={creation.open}>
            New collection
          </Button>
        )
      }
      finders={<FindField label="Find a collection" />}
      what="the collections"
      list={list}
      caption="Collections"
      columns={() => [name, ...(accountId === undefined ? [accountColumn()] : []), ...COLUMNS]}
      empty={{
        icon: 'grid',
        title: 'No collection yet',
        text: (
          <p class="quiet">
            {mayCreate
              ? 'Make one, name the EHR by its address, add apps, publish it. From then on the apps open beside the chart.'
              : 'An administrator of an account makes one: it names the EHR and the apps that open beside the chart.'}
          </p>
        ),
      }}
      hidden={{
        icon: 'grid',
        title: 'No collection of its own',
        text: <RunningHint scope={scope} what="a collection" />,
      }}
      noMatch={
        find === ''
          ? undefined
          : { icon: 'search', title: 'No collection matches', text: 'Search by part of the name.' }
      }
    >
      <NameDialog
        isOpen={creation.isOpen}
        title="New collection"
        submit="Make it"
        hint="Such as “Primary care”."
        missing="Enter a name."
        create={async (text) => {
          const { id } = await createCollection(scope.id, text)
          // After the form is saved: one with changes would ask before the page is left.
          setTimeout(() => navigate(addressOf(id)))
        }}
        onClose={creation.close}
      />
    </RecordListPage>
  )
}

const COLUMNS: readonly Column<CollectionSummary>[] = [
  {
    id: 'version',
    label: 'Latest version',
    isNumber: true,
    render: ({ latestVersion }) => (latestVersion === 0 ? 'not published' : latestVersion),
  },
  timeColumn('changed', 'Changed', ({ updatedAt }) => updatedAt),
]
