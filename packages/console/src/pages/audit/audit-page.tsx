// The audit trail of an account or of the platform: search and filter, one event with its place in the chain,
// the export, and its verification here in the page.
/** @jsxImportSource preact */
import { type Column, Pill, Timestamp } from '@chartside/ui'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { exportAddress, listAuditEvents, type NamedEvent } from '../../api/audit.ts'
import { useList } from '../../load/use-list.ts'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { Section } from '../../parts/page-head.tsx'
import { RecordListPage } from '../../parts/record-list-page.tsx'
import { SearchForm } from '../../parts/search-form.tsx'
import { TimeZoneSwitch } from '../../parts/time-zone-switch.tsx'
import { place, setQuery } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { knownName } from '../../session/known-name.ts'
import { describeEvent } from './audit-words.ts'
import { TimeRange } from './time-range.tsx'
import { VerifySection } from './verify-section.tsx'

export default function AuditPage({ scope }: PageProps) {
  const { query } = place.value
  const about = query.get('about') ?? ''
  const outcome = query.get('outcome') ?? ''
  const from = query.get('from') ?? undefined
  const to = query.get('to') ?? undefined
  const list = useList(
    (cursor, signal) => listAuditEvents(scope, { about, outcome, from, to, cursor }, { signal }),
    JSON.stringify([scope.id, about, outcome, from, to]),
  )
  const chosen = useSignal<NamedEvent | undefined>(undefined)
  // What a new search does not show is not chosen any more.
  useEffect(() => {
    chosen.value = undefined
  }, [scope.id, about, outcome, from, to])
  return (
    <RecordListPage
      title="Audit"
      about="Who did what, when and from where. Events are only added, and each one seals those before it."
      actions={
        <a class="button" href={exportAddress(scope)} download>
          Export
        </a>
      }
      finders={
        <>
          <EventSearch about={about} />
          <TimeRange />
          <OutcomeFilter outcome={outcome} />
          <VerifySection address={exportAddress(scope)} />
          {chosen.value && <OneEvent event={chosen.value} />}
        </>
      }
      what="the audit events"
      list={list}
      caption="Audit events, newest first"
      columns={() => [timeOf(chosen), ...COLUMNS]}
      empty={NO_MATCH}
      noMatch={NO_MATCH}
    />
  )
}

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
    <div class="launch-filters">
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
      <TimeZoneSwitch />
    </div>
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

const COLUMNS: readonly Column<NamedEvent>[] = [
  {
    id: 'what',
    label: 'What happened',
    render: (event) => (
      <span class="two-lines">
        {sentenceOf(event)}
        <span class="small quiet">from {event.ip}</span>
      </span>
    ),
  },
  {
    id: 'outcome',
    label: 'Outcome',
    render: ({ outcome }) =>
      outcome === 'ok' ? (
        <Pill tone="good" icon="check">
          Done
        </Pill>
      ) : (
        <Pill tone="bad" icon="cross">
          Refused
        </Pill>
      ),
  },
  {
    id: 'place',
    label: 'Place',
    isNumber: true,
    render: ({ chain }) => chain?.seq ?? 'not chained yet',
  },
]

const sentenceOf = (event: NamedEvent) =>
  describeEvent(event, (id) => event.names[id] ?? knownName(id))

function OneEvent({ event }: { readonly event: NamedEvent }) {
  const { chain, launchId, detail } = event
  const facts: [string, string][] = [
    ['Action', event.action],
    ['By', event.actor],
    ['On', event.target],
    ['Event', event.id],
    ['Place in the chain', chain ? `${chain.seq}` : 'not chained yet; that takes a few seconds'],
    ...(chain ? [['Hash', chain.hash] as [string, string]] : []),
    ...(launchId === undefined ? [] : [['Launch', launchId] as [string, string]]),
    ...Object.entries(detail).map(([name, value]): [string, string] => [name, String(value)]),
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
