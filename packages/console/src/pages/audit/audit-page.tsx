// The audit trail of an account or of the platform: search and filter, one event with its place in the chain,
// the export, and its verification here in the page.
/** @jsxImportSource preact */
import type { AuditEvent } from '@chartside/protocol/payloads'
import { Button, EmptyState, Pill, TextField, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { exportAddress, listAuditEvents } from '../../api/audit.ts'
import { useList } from '../../load/use-list.ts'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { LoadedList } from '../../parts/loaded.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { TimeZoneSwitch } from '../../parts/time-zone-switch.tsx'
import { place, setQuery } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { knownName } from '../../session/known-name.ts'
import { TimeRange } from './time-range.tsx'
import { readLines, type TrailResult, verifyTrail } from './verify-trail.ts'

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
  const chosen = useSignal<AuditEvent | undefined>(undefined)
  // What a new search does not show is not chosen any more.
  useEffect(() => {
    chosen.value = undefined
  }, [scope.id, about, outcome, from, to])
  return (
    <>
      <PageHead
        title="Audit"
        about="Who did what, when and from where. Events are only added, and each one seals those before it."
        actions={
          <a class="button" href={exportAddress(scope)} download>
            Export
          </a>
        }
      />
      <Search value={about} />
      <TimeRange />
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
      <Verify address={exportAddress(scope)} />
      {chosen.value && <OneEvent event={chosen.value} />}
      <LoadedList
        list={list}
        what="the audit events"
        empty={
          <EmptyState icon="search" title="No event matches">
            Search by the id of a record, a person or a launch, or by the name of an action, in a
            longer time.
          </EmptyState>
        }
      >
        {(events) => (
          <RecordTable
            caption="Audit events, newest first"
            isCaptionHidden
            rows={events}
            rowId={({ id }) => id}
            columns={[
              {
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
              },
              {
                id: 'action',
                label: 'Action',
                render: ({ action }) => <span class="whole-words">{breakableName(action)}</span>,
              },
              {
                id: 'actor',
                label: 'By, from',
                render: ({ actor, ip }) => (
                  <span class="two-lines">
                    {knownName(actor)}
                    <code>{actor}</code>
                    <span class="small quiet">{ip}</span>
                  </span>
                ),
              },
              {
                id: 'target',
                label: 'On',
                render: ({ target }) => (
                  <span class="two-lines">
                    {knownName(target)}
                    <code>{target}</code>
                  </span>
                ),
              },
              {
                id: 'outcome',
                label: 'Outcome',
                render: (event) =>
                  event.outcome === 'ok' ? (
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
            ]}
          />
        )}
      </LoadedList>
    </>
  )
}

function Search({ value }: { readonly value: string }) {
  const text = useSignal(value)
  return (
    <search>
      <form
        class="find-launch"
        onSubmit={(event) => {
          event.preventDefault()
          setQuery({ about: text.value.trim() })
        }}
      >
        <TextField
          label="Record, person, launch or action"
          name="about"
          type="search"
          value={text.value}
          onInput={(typed) => {
            text.value = typed
          }}
        />
        <Button type="submit" icon="search">
          Find
        </Button>
      </form>
    </search>
  )
}

/** `signInWithPassword` breaks before a capital only. */
const breakableName = (name: string) =>
  name.split(/(?=[A-Z])/).map((word, at) => (
    <>
      {at > 0 && <wbr />}
      {word}
    </>
  ))

function OneEvent({ event }: { readonly event: AuditEvent }) {
  const { chain, launchId, detail } = event
  const facts: [string, string][] = [
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

/** Downloads the trail and checks every hash in this browser. */
function Verify({ address }: { readonly address: string }) {
  const state = useSignal<'idle' | number | TrailResult | 'failed'>('idle')
  const verify = async () => {
    state.value = 0
    try {
      const answer = await fetch(address)
      if (!answer.ok || !answer.body) throw new Error(`${answer.status}`)
      state.value = await verifyTrail(readLines(answer.body), (events) => {
        state.value = events
      })
    } catch {
      state.value = 'failed'
    }
  }
  const { value } = state
  return (
    <div class="verify-trail">
      <Button icon="shield" isBusy={typeof value === 'number'} onPress={() => void verify()}>
        Verify the chain
      </Button>
      <output>
        {typeof value === 'number' && value > 0 && `${value} events so far`}
        {value === 'failed' && 'The trail could not be read. Try again.'}
        {typeof value === 'object' && <TrailVerdict check={value} />}
      </output>
    </div>
  )
}

function TrailVerdict({ check: { events, head, problem } }: { readonly check: TrailResult }) {
  if (problem !== undefined) {
    return (
      <>
        <Pill tone="bad" icon="cross">
          Broken
        </Pill>{' '}
        The chain is broken. {problem}
      </>
    )
  }
  return (
    <>
      <Pill tone="good" icon="check">
        Whole
      </Pill>{' '}
      {events} events, unbroken. Keep the hash of the end, and compare it later:{' '}
      <code>{head?.hash ?? 'no event yet'}</code>
    </>
  )
}
