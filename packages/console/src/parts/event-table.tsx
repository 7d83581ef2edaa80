// The columns of audit events that every list of them has: what happened, as a sentence with the address of the network,
// and how it ended.
/** @jsxImportSource preact */
import { type Column, Pill } from '@chartside/ui'
import type { NamedEvent } from '../api/audit.ts'
import { knownName } from '../session/known-name.ts'
import { describeEvent } from './audit-words.ts'

const sentenceOf = (event: NamedEvent) =>
  describeEvent(event, (id) => event.names[id] ?? knownName(id))

export const EVENT_COLUMNS: readonly Column<NamedEvent>[] = [
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
]
