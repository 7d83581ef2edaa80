// The events of a filter as CSV, newest first, in batches: for people who read a trail in a spreadsheet. It proves
// nothing; the export with the chain is audit-export-file.ts.
import type { Database } from '../db/database.ts'
import { csvLine } from '../kernel/csv.ts'
import { rfc3339 } from '../kernel/time.ts'
import { findEventNames } from './audit-name-store.ts'
import { cursorOf, type EventFilter, NEWEST, type PlacedEvent, scanEvents } from './audit-trail.ts'

const COLUMNS = ['time', 'actor', 'actor name', 'action', 'target', 'target name', 'outcome']
const HEAD = csvLine([...COLUMNS, 'address', 'launch', 'place', 'event'])
const EVENTS_AT_ONCE = 200

const lineOf = (event: PlacedEvent, names: Readonly<Record<string, string>>): string =>
  csvLine([
    ...[rfc3339(event.at), event.actor, names[event.actor] ?? '', event.action],
    ...[event.target, names[event.target] ?? '', event.outcome, event.ip],
    ...[event.launchId ?? '', `${event.chain?.seq ?? ''}`, event.id],
  ])

export async function* readCsv(
  db: Database,
  filter: EventFilter,
  reader: { readonly isPlatform: boolean },
): AsyncGenerator<string> {
  yield HEAD
  const trail = { accountId: filter.accountId, isReadByPlatform: reader.isPlatform }
  /** The ids of the events without a place; they may get one while the export goes on. */
  const pending = new Set<string>()
  for (let before: string | undefined = NEWEST; before !== undefined; ) {
    const page = { ...filter, before, limit: EVENTS_AT_ONCE }
    const found: Awaited<ReturnType<typeof scanEvents>> = await scanEvents(db, page)
    const events = found.events.filter(({ id }) => !pending.has(id))
    const names = await findEventNames(db, events, trail)
    yield events.map((event) => lineOf(event, names)).join('')
    for (const { id, chain } of events) if (!chain) pending.add(id)
    const last = found.events.length === EVENTS_AT_ONCE ? found.events.at(-1) : undefined
    before = last ? cursorOf(last) : found.next
  }
}
