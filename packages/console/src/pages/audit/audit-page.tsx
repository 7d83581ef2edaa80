// The audit trail of an account or of the platform: search and filter, one event with its place in the chain,
// the export, and its verification here in the page.
/** @jsxImportSource preact */
import { type Column, Timestamp } from '@chartside/ui'
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import {
  csvAddress,
  type EventQuery,
  exportAddress,
  listAuditEvents,
  type NamedEvent,
} from '../../api/audit.ts'
import { withQuery } from '../../api/client.ts'
import { useList } from '../../load/use-list.ts'
import { EVENT_COLUMNS } from '../../parts/event-table.tsx'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { Section } from '../../parts/page-head.tsx'
import { PersonLink } from '../../parts/person-link.tsx'
import { RecordListPage } from '../../parts/record-list-page.tsx'
import { SearchForm } from '../../parts/search-form.tsx'
import { TimeZoneSwitch } from '../../parts/time-zone-switch.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { place, setQuery } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import type { Scope } from '../../session/scopes.ts'
import { actionsOf, KIND_LABELS, readEventFilter } from './event-filter.ts'
import { PersonFilter } from './person-filter.tsx'
import { TimeRange } from './time-range.tsx'
import { VerifySection } from './verify-section.tsx'

export default function AuditPage({ scope }: PageProps) {
  const { query } = place.value
  const filter = readEventFilter(query)
  const asked = JSON.stringify([scope.id, filter])
  const list = useList(
    (cursor, signal) => listAuditEvents(scope, { ...filter, cursor }, { signal }),
    asked,
  )
  const chosen = useSignal<NamedEvent | undefined>(undefined)
  // What a new search does not show is not chosen any more.
  useEffect(() => {
    chosen.value = undefined
  }, [asked])
  return (
    <RecordListPage
      title="Audit"
      about="Who did what, when and from where. Events are only added, and each one seals those before it."
      actions={<Exports scope={scope} filter={filter} />}
      finders={
        <>
          <div class="launch-finders">
            <EventSearch about={filter.about ?? ''} />
            <div class="launch-pickers">
              <PersonFilter key={scope.id} scope={scope} />
            </div>
          </div>
          <KindFilter kind={query.get('kind') ?? ''} />
          <TimeRange />
          <div class="launch-filters">
            <OutcomeFilter outcome={filter.outcome ?? ''} />
            <VerifySection address={exportAddress(scope)} />
            <TimeZoneSwitch />
          </div>
          {chosen.value && <OneEvent event={chosen.value} scope={scope} />}
        </>
      }
      what="the audit events"
      list={list}
      caption="Audit events, newest first"
      columns={() => [timeOf(chosen), ...EVENT_COLUMNS, PLACE]}
      empty={NO_MATCH}
      noMatch={NO_MATCH}
    />
  )
}

function Exports({ scope, filter }: { readonly scope: Scope; readonly filter: EventQuery }) {
  const { actor, from, to } = filter
  return (
    <>
      <a class="button" href={withQuery(scopedAddress(scope, 'audit/seen'), { actor, from, to })}>
        What a person saw
      </a>
      <a class="button" href={csvAddress(scope, filter)} download>
        Export CSV
      </a>
      <a class="button" href={exportAddress(scope)} download>
        Export
      </a>
    </>
  )
}

const KindFilter = ({ kind }: { readonly kind: string }) => (
  <FilterChips
    label="Kind"
    value={actionsOf(kind) === undefined ? '' : kind}
    onChange={(value) => setQuery({ kind: value })}
    options={[
      { value: '', label: 'Every kind' },
      ...Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label })),
    ]}
  />
)

const NO_MATCH = {
  icon: 'search',
  title: 'No event matches',
  text: 'Search by the id of a record, a person or a launch, or by the name of an action, in a longer time.',
} as const

function EventSearch({ about }: { readonly about: string }) {
  const text = useSignal(about)
  return (
    <SearchForm
      label="Record, person, launch or action"
      name="about"
      value={text.value}
      onInput={(typed) => {
        text.value = typed
      }}
      onSearch={() => setQuery({ about: text.value.trim() })}
    />
  )
}

function OutcomeFilter({ outcome }: { readonly outcome: string }) {
  return (
    <FilterChips
      label="Outcome"
      value={outcome}
      onChange={(value) => setQuery({ outcome: value })}
      options={[
        { value: '', label: 'All' },
        { value: 'ok', label: 'Done', icon: 'check' },
        { value: 'refused', label: 'Refused', icon: 'cross' },
      ]}
    />
  )
}

/** The time of an event is the button that shows all of it. */
const timeOf = (chosen: Signal<NamedEvent | undefined>): Column<NamedEvent> => ({
  id: 'at',
  label: 'Time',
  render: (event) => (
    <button
      type="button"
      class="row-button"
      aria-pressed={chosen.value?.id === event.id}
      onClick={() => {
        chosen.value = chosen.value?.id === event.id ? undefined : event
      }}
    >
      <Timestamp at={Date.parse(event.at)} now={Date.now()} />
    </button>
  ),
})

const PLACE: Column<NamedEvent> = {
  id: 'place',
  label: 'Place',
  isNumber: true,
  render: ({ chain }) => chain?.seq ?? 'not chained yet',
}

function OneEvent({ event, scope }: { readonly event: NamedEvent; readonly scope: Scope }) {
  const { chain, launchId, detail, actor } = event
  const facts: [string, ComponentChildren][] = [
    ['Action', event.action],
    ['By', actor.startsWith('usr_') ? <PersonLink scope={scope} id={actor} name={actor} /> : actor],
    ['On', event.target],
    ['Event', event.id],
    ['Place in the chain', chain ? `${chain.seq}` : 'not chained yet; that takes a few seconds'],
    ...(chain ? [['Hash', chain.hash] as [string, ComponentChildren]] : []),
    ...(launchId === undefined ? [] : [['Launch', launchId] as [string, ComponentChildren]]),
    ...Object.entries(detail).map(([name, value]): [string, ComponentChildren] => [
      name,
      String(value),
    ]),
  ]
  return (
    <Section title="One event">
      <dl class="facts launch-facts card padded">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
