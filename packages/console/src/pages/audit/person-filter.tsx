// Narrows the events to those of one person, who is found by name. The choice stands in the address, so that a link
// keeps it.
/** @jsxImportSource preact */
import { listAuditEvents } from '../../api/audit.ts'
import { findPeople } from '../../api/find-people.ts'
import { RecordPicker } from '../../parts/record-picker.tsx'
import { place, setQuery } from '../../route/location.ts'
import { knownName } from '../../session/known-name.ts'
import type { Scope } from '../../session/scopes.ts'

export const PersonFilter = ({ scope }: { readonly scope: Scope }) => (
  <RecordPicker
    label="Person"
    none="Any person"
    value={place.value.query.get('actor') ?? ''}
    onChange={(actor) => setQuery({ actor })}
    search={async (text, signal) => {
      const people = await findPeople(scope, text, signal)
      return people.map(({ id, name, email }) => ({ id, name, detail: email }))
    }}
    nameOf={(actor, signal) => nameOfActor(scope, actor, signal)}
  />
)

/** The page of their newest event has the name, as far as the reader may know it. */
export async function nameOfActor(
  scope: Scope,
  actor: string,
  signal: AbortSignal,
): Promise<string> {
  const known = knownName(actor)
  if (known !== undefined) return known
  const { items } = await listAuditEvents(scope, { actor, limit: 1 }, { signal })
  return items[0]?.names[actor] ?? actor
}
