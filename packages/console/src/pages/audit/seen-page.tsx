// The report “What did this person see”: their events of looking at the records of others, in a time, with
// totals. It prints, and goes out as CSV. The person and the time stand in the address.
/** @jsxImportSource preact */
import { AUDIT_KINDS } from '@chartside/protocol/audit-actions'
import { Button, type Column, EmptyState, Timestamp } from '@chartside/ui'
import { formatMoment } from '@chartside/ui/times'
import { csvAddress, type EventQuery, listAuditEvents, type NamedEvent } from '../../api/audit.ts'
import { withQuery } from '../../api/client.ts'
import { useRecord } from '../../load/use-record.ts'
import { describeAction } from '../../parts/audit-words.ts'
import { EVENT_COLUMNS } from '../../parts/event-table.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { TimeZoneSwitch } from '../../parts/time-zone-switch.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { place } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import type { Scope } from '../../session/scopes.ts'
import { timeZone } from '../../session/time-zone.ts'
import { nameOfActor, PersonFilter } from './person-filter.tsx'
import { TimeRange } from './time-range.tsx'

/** The most events of one page, and of one report on paper; the CSV has all. */
const MAX_EVENTS = 1000
const EVENTS_AT_ONCE = 200
/** The `now` of the report: from there each time has its date and year, which paper needs. */
const LONG_AGO = 0

interface Report {
  readonly name: string
  readonly events: readonly NamedEvent[]
  readonly isMore: boolean
}

async function loadReport(
  scope: Scope,
  query: EventQuery & { readonly actor: string },
  signal: AbortSignal,
): Promise<Report> {
  const events: NamedEvent[] = []
  let cursor: string | null | undefined
  do {
    const asked = { ...query, limit: EVENTS_AT_ONCE, cursor: cursor ?? undefined }
    const page = await listAuditEvents(scope, asked, { signal })
    events.push(...page.items)
    cursor = page.nextCursor
  } while (cursor && events.length < MAX_EVENTS)
  const [first] = events
  const name = first?.names[query.actor] ?? (await nameOfActor(scope, query.actor, signal))
  return { name, events, isMore: Boolean(cursor) }
}

export default function SeenPage({ scope }: PageProps) {
  const { query } = place.value
  const actor = query.get('actor') ?? ''
  const from = query.get('from') ?? undefined
  const to = query.get('to') ?? undefined
  const asked = { actor, from, to, action: AUDIT_KINDS.look.join(',') }
  const load = useRecord(
    async (signal) => (actor === '' ? undefined : loadReport(scope, asked, signal)),
    JSON.stringify([scope.id, actor, from, to]),
  )
  const report = load.data
  const audit = withQuery(scopedAddress(scope, 'audit'), { actor, from, to })
  return (
    <>
      <PageHead
        title={report ? `What ${report.name} saw` : 'What a person saw'}
        crumbs={[{ label: 'Audit', address: audit }]}
        about={`${describeSpan(from, to)}, ${scope.name}: records of other people that were looked at or exported.`}
        actions={
          report && (
            <>
              <Button onPress={() => print()}>Print</Button>
              <a class="button" href={csvAddress(scope, asked)} download>
                Export CSV
              </a>
            </>
          )
        }
      />
      <div class="screen-only">
        <div class="launch-pickers">
          <PersonFilter key={scope.id} scope={scope} />
        </div>
        <div class="launch-filters">
          <TimeRange />
          <TimeZoneSwitch />
        </div>
      </div>
      {actor === '' ? (
        <div class="card">
          <EmptyState icon="person" title="Choose a person">
            <p class="quiet">Then the page shows what they looked at, with totals.</p>
          </EmptyState>
        </div>
      ) : (
        <Loaded load={load} what="the report">
          {(shown) => shown && <Seen report={shown} />}
        </Loaded>
      )}
    </>
  )
}

/** Describes both ends with their date and zone, so that a sheet of paper says them too. */
function describeSpan(from: string | undefined, to: string | undefined): string {
  const say = (time: string) =>
    formatMoment(Date.parse(time), LONG_AGO, { timeZone: timeZone.value })
  if (from === undefined) return to === undefined ? 'Every time' : `Before ${say(to)}`
  return `From ${say(from)} to ${to === undefined ? say(new Date().toISOString()) : say(to)}`
}

function Seen({ report: { name, events, isMore } }: { readonly report: Report }) {
  if (events.length === 0) {
    return (
      <div class="card">
        <EmptyState icon="search" title="Nothing was looked at">
          <p class="quiet">{name} opened no record of another person in this time.</p>
        </EmptyState>
      </div>
    )
  }
  const totals = [...Map.groupBy(events, ({ action }) => action)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  return (
    <>
      <Section
        title={
          events.length === 1 ? '1 event' : `${isMore ? 'The newest ' : ''}${events.length} events`
        }
        about={isMore && 'There are more in this time; the CSV has all of them.'}
      >
        <dl class="facts card padded">
          {totals.map(([action, some]) => (
            <div key={action}>
              <dt>{describeAction(action)}</dt>
              <dd>{some.length}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <div class="card list-card">
        <RecordTable
          caption={`What ${name} saw, newest first`}
          isCaptionHidden
          rows={events}
          rowId={({ id }) => id}
          columns={[TIME, ...EVENT_COLUMNS]}
        />
      </div>
    </>
  )
}

const TIME: Column<NamedEvent> = {
  id: 'at',
  label: 'Time',
  render: ({ at }) => <Timestamp at={Date.parse(at)} now={LONG_AGO} />,
}
