// The published versions of a collection, newest first: what each changed, by whom, and how to go back to
// one: as the draft of the next version.
/** @jsxImportSource preact */
import type { CollectionVersionSummary } from '@chartside/protocol/payloads'
import { Button, EmptyState, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { listAppsById } from '../../api/apps.ts'
import { listVersions, loadCollection, loadVersion, saveDraft } from '../../api/collections.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useList } from '../../load/use-list.ts'
import { useRecord } from '../../load/use-record.ts'
import { ChangeList } from '../../parts/change-list.tsx'
import { Loaded, LoadedList } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { describeChanges } from '../../parts/version-changes.ts'
import { scopedAddress } from '../../route/addresses.ts'
import { navigate } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'
import { nameIn } from './use-apps.ts'

export default function VersionsPage({ params, scope }: PageProps) {
  const id = params.id ?? ''
  const load = useRecord((signal) => loadCollection(id, { signal }), id)
  const list = useList((cursor, signal) => listVersions(id, cursor, { signal }), id)
  const restored = useSignal<number | undefined>(undefined)
  const address = scopedAddress(scope, `collections/${encodeURIComponent(id)}`)
  return (
    <Loaded load={load} what="the collection">
      {({ data: collection }) => (
        <>
          <PageHead
            title="Versions"
            crumbs={[
              { label: 'What runs where', address: scopedAddress(scope, 'collections') },
              { label: collection.name, address },
            ]}
            about="A version never changes. To go back, take the newest back, make an earlier one the draft and publish it, or pin a practice to it."
          />
          <LoadedList
            list={list}
            what="the versions"
            empty={<EmptyState icon="layers" title="Nothing is published yet" />}
          >
            {(versions) => (
              <ul class="versions">
                {versions.map((version) => (
                  <VersionItem
                    key={version.version}
                    version={version}
                    mayRestore={
                      isAllowedIn(scope, 'run') && version.version !== collection.latestVersion
                    }
                    onRestore={() => {
                      restored.value = version.version
                    }}
                  />
                ))}
              </ul>
            )}
          </LoadedList>
          <RestoreDialog
            id={id}
            version={restored.value}
            onClose={() => {
              restored.value = undefined
            }}
            onDone={() => navigate(address)}
          />
        </>
      )}
    </Loaded>
  )
}

interface VersionItemProps {
  readonly version: CollectionVersionSummary
  readonly mayRestore: boolean
  readonly onRestore: () => void
}

function VersionItem({ version, mayRestore, onRestore }: VersionItemProps) {
  const isOpen = useSignal(false)
  return (
    <li class="version">
      <header>
        <h2>Version {version.version}</h2>
        <span class="quiet">
          <Timestamp at={Date.parse(version.publishedAt)} now={Date.now()} />
        </span>
        {mayRestore && (
          <Button isCompact onPress={onRestore}>
            Make it the draft<span class="unseen"> (version {version.version})</span>
          </Button>
        )}
      </header>
      {version.notes !== '' && <p>{version.notes}</p>}
      <details
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open
        }}
      >
        <summary>What it changed</summary>
        {isOpen.value && <VersionChanges version={version} />}
      </details>
    </li>
  )
}

function VersionChanges({ version }: { readonly version: CollectionVersionSummary }) {
  const { collectionId: id, version: number } = version
  const load = useRecord(async (signal) => {
    const [after, before] = await Promise.all([
      loadVersion(id, number, { signal }),
      number > 1 ? loadVersion(id, number - 1, { signal }) : undefined,
    ])
    const named = [...after.content.apps, ...(before?.content.apps ?? [])]
    const ids = named.map(({ appId }) => appId)
    const nameOf = nameIn(await listAppsById(ids, { signal }))
    return describeChanges(before?.content, after.content, nameOf)
  }, `${id} ${number}`)
  return (
    <Loaded load={load} what="the changes">
      {(lines) => <ChangeList lines={lines} />}
    </Loaded>
  )
}

interface RestoreProps {
  readonly id: string
  readonly version: number | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

function RestoreDialog({ id, version, onClose, onDone }: RestoreProps) {
  const action = useAction()
  const restore = () =>
    action
      .run(async () => {
        const { content } = await loadVersion(id, version ?? 0)
        await saveDraft(id, content)
      })
      .then((isDone) => {
        if (!isDone) return
        notify('good', `The draft is version ${version} again. Publish it when you are ready.`)
        onDone()
      })
  return (
    <ConfirmActionDialog
      isOpen={version !== undefined}
      title={`Make version ${version ?? ''} the draft?`}
      button="Make it the draft"
      isDangerous={false}
      action={action}
      onConfirm={() => void restore()}
      onClose={onClose}
    >
      <p>It replaces the draft as it is now. Practices see no change before you publish.</p>
    </ConfirmActionDialog>
  )
}
