// The audit events that are in no chain yet, as verify and archive report them: nothing proves that these
// are whole. Events that wait longer than the alarm allows end the command with exit code 3.
import { CHAIN, countUnchained } from '@chartside/server/operator/audit'
import type { Database } from '@chartside/server/operator/database'
import { type CliContext, CommandFailed } from './context.ts'
import { formatTime } from './table.ts'

export interface Pending {
  readonly events: number
  readonly oldestAt: string | null
}

export async function findPending({ clock }: CliContext, db: Database): Promise<Pending> {
  const { events, oldestAt } = await countUnchained(db, clock())
  return { events, oldestAt: oldestAt === undefined ? null : new Date(oldestAt).toISOString() }
}

/** Reports pending events after the result of the command. @throws CommandFailed with exit code 3 */
export function reportPending({ clock, note }: CliContext, { events, oldestAt }: Pending): void {
  if (oldestAt === null) {
    note('No event is pending: each has its place in a chain.')
    return
  }
  const at = Date.parse(oldestAt)
  const count = events === 1 ? '1 event is' : `${events.toLocaleString('en')} events are`
  const pending = `${count} pending: in no chain yet, the oldest since ${formatTime(at)} UTC.`
  if (at < clock() - CHAIN.alarmMs) {
    throw new CommandFailed(
      `${pending}\nA running node gives each its place within a minute. Look for "audit chain" in its log.`,
      { exitCode: 3 },
    )
  }
  note(pending)
}
