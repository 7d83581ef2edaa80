// The keys that sign ID tokens: which one signs, which one is next and when, which ones verify what they signed. An
// administrator of the platform rotates, and withdraws a key that leaked; below stands who did it.
/** @jsxImportSource preact */
import type { ListedSigningKey } from '@chartside/protocol/payloads'
import { Button, type Column, EmptyState, Pill, Table, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { listAuditEvents, type NamedEvent } from '../../api/audit.ts'
import { type Algorithm, listSigningKeys } from '../../api/signing-keys.ts'
import { useList } from '../../load/use-list.ts'
import { useRecord } from '../../load/use-record.ts'
import { timeColumn } from '../../parts/columns.tsx'
import { EVENT_COLUMNS } from '../../parts/event-table.tsx'
import { Loaded, LoadedList } from '../../parts/loaded.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn } from '../../session/scopes.ts'
import { RevokeDialog, RotateDialog } from './key-dialogs.tsx'

export default function KeysPage({ scope }: PageProps) {
  const load = useRecord((signal) => listSigningKeys({ signal }), scope.id)
  const events = useList(
    (cursor, signal) => listAuditEvents(scope, { action: CHANGES, cursor, limit: 20 }, { signal }),
    scope.id,
  )
  const rotating = useSignal<Algorithm | undefined>(undefined)
  const revoking = useSignal<ListedSigningKey | undefined>(undefined)
  const mayChange = isAllowedIn(scope, 'platform')
  const reload = () => {
    load.reload()
    events.reload()
  }
  const change: Column<ListedSigningKey> = {
    id: 'change',
    label: 'Change',
    render: (key) =>
      key.state !== 'retired' && (
        <Button
          isCompact
          tone="danger"
          onPress={() => {
            revoking.value = key
          }}
        >
          Withdraw…
        </Button>
      ),
  }
  return (
    <>
      <PageHead
        title="Signing keys"
        about="They sign ID tokens. Each rotates by itself, and apps read the public keys by themselves."
        actions={
          mayChange &&
          algorithmsOf(load.data?.items).map((alg) => (
            <Button
              key={alg}
              icon="again"
              onPress={() => {
                rotating.value = alg
              }}
            >
              Rotate {alg}…
            </Button>
          ))
        }
      />
      <Loaded load={load} what="the signing keys">
        {({ items }) => (
          <div class="card list-card">
            <Table
              caption="Signing keys"
              isCaptionHidden
              rows={items.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))}
              rowId={({ kid }) => kid}
              columns={[...COLUMNS, ...(mayChange ? [change] : [])]}
            />
          </div>
        )}
      </Loaded>
      <Section title="Who changed them" about="A change by its schedule is one of the service.">
        <LoadedList
          list={events}
          what="the changes"
          empty={<EmptyState icon="key" title="No change yet" />}
        >
          {(rows) => (
            <Table
              caption="Changes of signing keys"
              isCaptionHidden
              rows={rows}
              rowId={({ id }) => id}
              columns={[AT, ...EVENT_COLUMNS]}
            />
          )}
        </LoadedList>
      </Section>
      <RotateDialog
        about={rotating.value}
        onDone={reload}
        onClose={() => {
          rotating.value = undefined
        }}
      />
      <RevokeDialog
        about={revoking.value}
        onDone={reload}
        onClose={() => {
          revoking.value = undefined
        }}
      />
    </>
  )
}

const AT = timeColumn<NamedEvent>('at', 'When', ({ at }) => at)

const CHANGES = 'rotateKeys,revokeKey,createKey,retireKey,resealKeys'

/** The order of the list: the key that signs stands first. */
const ORDER: readonly ListedSigningKey['state'][] = ['signing', 'published', 'retiring', 'retired']

const algorithmsOf = (keys: readonly ListedSigningKey[] = []): readonly Algorithm[] => [
  ...new Set(keys.map(({ alg }) => alg)),
]

function KeyState({ state }: Pick<ListedSigningKey, 'state'>) {
  switch (state) {
    case 'signing':
      return (
        <Pill tone="good" icon="check">
          Signs
        </Pill>
      )
    case 'published':
      return (
        <Pill tone="accent" icon="clock">
          Standby
        </Pill>
      )
    case 'retiring':
      return (
        <Pill tone="quiet" icon="half">
          Verifies
        </Pill>
      )
    case 'retired':
      return (
        <Pill tone="quiet" icon="square">
          Withdrawn
        </Pill>
      )
  }
}

const moment = (at: string | null, none: string) =>
  at === null ? (
    <span class="quiet">{none}</span>
  ) : (
    <Timestamp at={Date.parse(at)} now={Date.now()} />
  )

const COLUMNS: readonly Column<ListedSigningKey>[] = [
  {
    id: 'kid',
    label: 'Key',
    render: ({ kid }) => <code title={kid}>{kid.slice(0, 12)}…</code>,
  },
  { id: 'alg', label: 'Algorithm', render: ({ alg }) => alg },
  { id: 'state', label: 'State', render: ({ state }) => <KeyState state={state} /> },
  {
    id: 'from',
    label: 'Signs from',
    render: ({ signsFrom }) => moment(signsFrom, 'When you rotate'),
  },
  {
    id: 'until',
    label: 'Verifies until',
    render: ({ publishedUntil }) => moment(publishedUntil, 'The next rotation'),
  },
]
