// One collection: its draft as a table of apps and EHRs, what the draft would change, who is affected, and
// the practices that run it.
/** @jsxImportSource preact */
import type { Account, App, Collection, CollectionVersion } from '@chartside/protocol/payloads'
import { Button, Pill } from '@chartside/ui'
import { listAppsById } from '../../api/apps.ts'
import type { Answered } from '../../api/client.ts'
import { listRunners, loadCollection, loadVersion } from '../../api/collections.ts'
import { useAskedOpen } from '../../forms/use-open.ts'
import { useRecord } from '../../load/use-record.ts'
import { ChangeList } from '../../parts/change-list.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import { describeChanges } from '../../parts/version-changes.ts'
import { DO, scopedAddress } from '../../route/addresses.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { DraftTable } from './draft-table.tsx'
import { PracticesSection } from './practices-section.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { RolloutSection } from './rollout-section.tsx'
import { nameIn, useApps } from './use-apps.ts'
import { useDraft } from './use-draft.ts'

interface Shown {
  readonly read: Answered<Collection>
  readonly published: CollectionVersion | undefined
  readonly apps: readonly App[]
  /** The accounts that run it. */
  readonly runners: readonly Account[]
}

async function loadAll(id: string, signal: AbortSignal): Promise<Shown> {
  const [read, runners] = await Promise.all([
    loadCollection(id, { signal }),
    listRunners(id, { signal }),
  ])
  const { draft, latestVersion } = read.data
  const published =
    latestVersion === 0 ? undefined : await loadVersion(id, latestVersion, { signal })
  const named = [...draft.apps, ...(published?.content.apps ?? [])]
  const apps = await listAppsById(
    named.map(({ appId }) => appId),
    { signal },
  )
  return { read, published, apps, runners }
}

export default function CollectionPage({ params, scope }: PageProps) {
  const id = params.id ?? ''
  const load = useRecord((signal) => loadAll(id, signal), id)
  return (
    <Loaded load={load} what="the collection">
      {(shown) => (
        <OneCollection
          key={`${id} ${shown.read.data.latestVersion}`}
          shown={shown}
          scope={scope}
          onChanged={(change) => load.replace({ ...shown, ...change })}
          onPublished={load.reload}
        />
      )}
    </Loaded>
  )
}

interface OneCollectionProps {
  readonly shown: Shown
  readonly scope: Scope
  readonly onChanged: (change: Partial<Shown>) => void
  readonly onPublished: () => void
}

function OneCollection({ shown, scope, onChanged, onPublished }: OneCollectionProps) {
  const { read, published, runners } = shown
  const { id, name, latestVersion } = read.data
  const editing = useDraft(read, (saved) => onChanged({ read: saved }))
  const publishing = useAskedOpen(DO.publish)
  const mayChange = isAllowedIn(scope, 'run')
  const apps = useApps(
    shown.apps,
    editing.draft.apps.map(({ appId }) => appId),
  )
  const nameOf = nameIn(apps)
  const lines = describeChanges(published?.content, editing.draft, nameOf)
  const next = latestVersion + 1
  const versions = scopedAddress(scope, `collections/${encodeURIComponent(id)}/versions`)
  return (
    <>
      <PageHead
        title={name}
        crumbs={[{ label: 'What runs where', address: scopedAddress(scope, 'collections') }]}
        actions={
          <>
            <DraftState lines={lines.length} latestVersion={latestVersion} />
            {latestVersion > 0 && (
              <a class="button" href={versions}>
                Versions
              </a>
            )}
            {mayChange && (
              <Button
                tone="primary"
                isDisabled={lines.length === 0 || editing.theirs !== undefined}
                onPress={publishing.open}
              >
                Review and publish version {next}
              </Button>
            )}
          </>
        }
      />
      <DraftTable
        editing={editing}
        published={published?.content}
        apps={apps}
        nameOf={nameOf}
        mayChange={mayChange}
      />
      {lines.length > 0 && (
        <Section title={`Version ${next} would change`}>
          <ChangeList lines={lines} />
        </Section>
      )}
      {published && latestVersion > 1 && (
        <RolloutSection newest={published} mayChange={mayChange} onGiven={onPublished} />
      )}
      <PracticesSection
        collection={read.data}
        audience={published?.audience ?? null}
        runners={runners}
        scope={scope}
        onChanged={(changed) => {
          const others = runners.filter(({ id: other }) => other !== changed.id)
          onChanged({ runners: changed.collection?.id === id ? [...others, changed] : others })
        }}
      />
      {publishing.isOpen && mayChange && lines.length > 0 && (
        <PublishDialog
          read={read}
          lines={lines}
          runners={runners}
          onClose={publishing.close}
          onPublished={onPublished}
        />
      )}
    </>
  )
}

function DraftState({
  lines,
  latestVersion,
}: {
  readonly lines: number
  readonly latestVersion: number
}) {
  if (latestVersion === 0) {
    return (
      <Pill tone="warn" icon="alert">
        Not published
      </Pill>
    )
  }
  return lines === 0 ? (
    <Pill tone="good" icon="check">
      Same as version {latestVersion}
    </Pill>
  ) : (
    <Pill tone="warn" icon="alert">
      Draft differs from version {latestVersion}
    </Pill>
  )
}
