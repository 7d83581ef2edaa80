// What both pages of a person show: the facts, and for those who administer the newest sign-ins by the audit trail, the
// newest launches, and the ways to all of both and to what the person saw.
/** @jsxImportSource preact */
import { AUDIT_KINDS } from '@chartside/protocol/audit-actions'
import type { Launch } from '@chartside/protocol/payloads'
import { type Column, Table, Timestamp } from '@chartside/ui'
import type { ComponentChildren } from 'preact'
import { listAuditEvents, type NamedEvent } from '../../api/audit.ts'
import { type Page, withQuery } from '../../api/client.ts'
import { listLaunches } from '../../api/launches.ts'
import { useList } from '../../load/use-list.ts'
import { timeColumn } from '../../parts/columns.tsx'
import { EVENT_COLUMNS } from '../../parts/event-table.tsx'
import { LaunchState } from '../../parts/launch-state.tsx'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import type { Scope } from '../../session/scopes.ts'

/** The pages behind have all of them. */
const MAX_SHOWN = 8

const withoutMore = <T,>({ items }: Page<T>): Page<T> => ({ items, nextCursor: null })

interface OfPerson {
  readonly scope: Scope
  readonly id: string
  readonly name: string
}

export interface PersonFactsProps {
  readonly email: string
  readonly createdAt: string
  /** The facts between address and date: role and state, on the platform or in an account. */
  readonly children: ComponentChildren
}

export const PersonFacts = ({ email, createdAt, children }: PersonFactsProps) => (
  <dl class="facts card padded">
    <div>
      <dt>E-mail</dt>
      <dd>{email}</dd>
    </div>
    {children}
    <div>
      <dt>Since</dt>
      <dd>
        <Timestamp at={Date.parse(createdAt)} now={Date.now()} />
      </dd>
    </div>
  </dl>
)

/** Lists the sign-ins; `trail` is the scope whose audit trail has them. */
export function SignIns({ scope, id, trail }: OfPerson & { readonly trail: Scope }) {
  const asked = { actor: id, action: AUDIT_KINDS.signIn.join(','), limit: MAX_SHOWN }
  const list = useList(
    async (_, signal) => withoutMore(await listAuditEvents(trail, asked, { signal })),
    `${trail.id} ${id}`,
  )
  return (
    <Section
      title="Last sign-ins"
      about={trail.id === scope.id ? undefined : `By the audit trail of ${trail.name}.`}
      actions={
        <a href={withQuery(scopedAddress(trail, 'audit'), { actor: id })}>Everything they did</a>
      }
    >
      <LoadedList
        list={list}
        what="the sign-ins"
        empty={<Nothing>No sign-in in the audit trail.</Nothing>}
      >
        {(events) => (
          <Table
            caption="Last sign-ins"
            isCaptionHidden
            rows={events}
            rowId={(event) => event.id}
            columns={SIGN_IN_COLUMNS}
          />
        )}
      </LoadedList>
    </Section>
  )
}

const SIGN_IN_COLUMNS: readonly Column<NamedEvent>[] = [
  timeColumn('at', 'Time', ({ at }) => at),
  ...EVENT_COLUMNS,
]

/** Links to the report of what they looked at. */
export const SawLink = ({
  id,
  name,
  trail,
}: Omit<OfPerson, 'scope'> & { readonly trail: Scope }) => (
  <a class="button" href={withQuery(scopedAddress(trail, 'audit/seen'), { actor: id })}>
    What {name} saw
  </a>
)

export function RecentLaunches({ scope, id, name }: OfPerson) {
  const accountId = scope.kind === 'account' ? scope.id : undefined
  const list = useList(
    async (_, signal) =>
      withoutMore(await listLaunches({ accountId, userId: id, limit: MAX_SHOWN }, { signal })),
    `${scope.id} ${id}`,
  )
  return (
    <Section
      title="Recent launches"
      actions={
        <a href={withQuery(scopedAddress(scope, 'launches'), { userId: id, in: 'week' })}>
          All of the last week
        </a>
      }
    >
      <LoadedList
        list={list}
        what="the launches"
        empty={<Nothing>{name} has opened no app beside a chart.</Nothing>}
      >
        {(launches) => (
          <RecordTable
            caption={`Launches of ${name}, newest first`}
            isCaptionHidden
            rows={launches}
            rowId={(launch) => launch.id}
            columns={columnsOf(scope)}
          />
        )}
      </LoadedList>
    </Section>
  )
}

const Nothing = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="padded quiet">{children}</p>
)

const columnsOf = (scope: Scope): readonly Column<Launch>[] => [
  {
    id: 'at',
    label: 'Time',
    render: (launch) => (
      <a href={scopedAddress(scope, `launches/${encodeURIComponent(launch.id)}`)}>
        <Timestamp at={Date.parse(launch.createdAt)} now={Date.now()} />
      </a>
    ),
  },
  { id: 'app', label: 'App', render: ({ app }) => app.name },
  { id: 'state', label: 'State', render: (launch) => <LaunchState launch={launch} /> },
  // In an account the column would say the same in every row.
  ...(scope.kind === 'account' ? [] : [PRACTICE]),
]

const PRACTICE: Column<Launch> = {
  id: 'practice',
  label: 'Practice',
  render: ({ account }) => account.name,
}
