// The collections of a scope: which apps run on which EHRs, in versions that practices choose. Without
// one the page says what a collection is for.
/** @jsxImportSource preact */
import type { CollectionSummary } from '@chartside/protocol/payloads'
import { Button, EmptyState, TextField, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { createCollection, listCollections } from '../../api/collections.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useList } from '../../load/use-list.ts'
import { accountColumn } from '../../parts/account-name.tsx'
import { LoadedList } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { navigate } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'

export default function CollectionsPage({ scope }: PageProps) {
  const accountId = scope.kind === 'account' ? scope.id : undefined
  const list = useList((cursor, signal) => listCollections(accountId, cursor, { signal }), scope.id)
  const isMaking = useSignal(false)
  const mayMake = accountId !== undefined && isAllowedIn(scope, 'run')
  const make = mayMake && (
    <Button
      tone="primary"
      icon="plus"
      onPress={() => {
        isMaking.value = true
      }}
    >
      New collection
    </Button>
  )
  return (
    <>
      <PageHead
        title="What runs where"
        about="A collection says which apps run on which EHRs. A practice runs one version of it, or always the latest."
        actions={make}
      />
      <LoadedList
        list={list}
        what="the collections"
        empty={
          <EmptyState icon="grid" title="No collection yet" actions={make}>
            <p class="quiet">
              {mayMake
                ? 'Make one, name the EHR by its address, add apps, publish it. From then on the apps open beside the chart.'
                : 'An administrator of an account makes one: it names the EHR and the apps that open beside the chart.'}
            </p>
          </EmptyState>
        }
      >
        {(collections) => (
          <RecordTable
            caption="Collections"
            isCaptionHidden
            rows={collections}
            rowId={({ id }) => id}
            columns={[
              {
                id: 'name',
                label: 'Collection',
                render: ({ id, name }) => (
                  <a href={scopedAddress(scope, `collections/${encodeURIComponent(id)}`)}>{name}</a>
                ),
              },
              ...(accountId === undefined ? [accountColumn<CollectionSummary>()] : []),
              {
                id: 'version',
                label: 'Latest version',
                isNumber: true,
                render: ({ latestVersion }) =>
                  latestVersion === 0 ? 'not published' : latestVersion,
              },
              {
                id: 'changed',
                label: 'Changed',
                render: ({ updatedAt }) => (
                  <Timestamp at={Date.parse(updatedAt)} now={Date.now()} />
                ),
              },
            ]}
          />
        )}
      </LoadedList>
      <NewCollectionDialog
        scope={scope}
        isOpen={isMaking.value}
        onClose={() => {
          isMaking.value = false
        }}
      />
    </>
  )
}

interface NewCollectionProps {
  readonly scope: Scope
  readonly isOpen: boolean
  readonly onClose: () => void
}

function NewCollectionDialog({ scope, isOpen, onClose }: NewCollectionProps) {
  const initial = { name: '' }
  const form = useForm({
    initial,
    check: ({ name }) => (name.trim() === '' ? { name: 'Enter a name.' } : {}),
    async save({ name }) {
      const { id } = await createCollection(scope.id, name.trim())
      setTimeout(() => navigate(scopedAddress(scope, `collections/${encodeURIComponent(id)}`)))
    },
  })
  const close = () => {
    form.reset(initial)
    onClose()
  }
  return (
    <FormDialog isOpen={isOpen} title="New collection" form={form} submit="Make it" onClose={close}>
      <TextField
        label="Name"
        hint="Such as “Primary care”."
        name="name"
        autocomplete="off"
        value={form.values.name}
        error={form.error('name')}
        onInput={(value) => form.set('name', value)}
      />
    </FormDialog>
  )
}
