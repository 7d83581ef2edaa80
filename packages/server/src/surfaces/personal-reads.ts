// Which reads are in the audit trail: those that show a caller the records of other people, such as
// members, sessions, launches and the trail itself. A user's own records are not. Security P06.
import type { Reply, UncheckedCall } from '../http/call.ts'

type Body = Readonly<Record<string, unknown>>

const always = () => true
const ofAnother = (body: Body, userId: string) =>
  typeof body.userId === 'string' && body.userId !== userId
const listOfOthers = ({ items }: Body, userId: string) =>
  Array.isArray(items) && items.some((item: Body) => ofAnother(item, userId))

/** By operation, whether this answer shows records of people other than the caller. */
const PERSONAL_READS: Readonly<Record<string, (body: Body, userId: string) => boolean>> = {
  listMembers: always,
  listAuditEvents: always,
  listPlatformAuditEvents: always,
  showSession: ofAnother,
  listSessions: listOfOthers,
  showLaunch: ofAnother,
  listLaunches: listOfOthers,
}

export const isPersonalRead = (operation: string): boolean =>
  Object.hasOwn(PERSONAL_READS, operation)

export function showsOthers(
  operation: string,
  { person }: Pick<UncheckedCall, 'person'>,
  { status, body }: Reply,
): boolean {
  if (!person || status !== 200 || typeof body !== 'object') return false
  return PERSONAL_READS[operation]?.(body as Body, person.user.id) === true
}
