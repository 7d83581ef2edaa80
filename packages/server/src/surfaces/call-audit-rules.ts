// The rules of the audit of calls, pure. Which reads are events: those that show a caller the records of other
// people, such as members, sessions, launches and the trail itself, and no record of their own. And what a
// change leaves: the fields that differ, never a secret. Security P06.

import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Reply, UncheckedCall } from '../http/call.ts'
import { redactBearers } from '../kernel/identifiers.ts'

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

/** A longer value, such as the draft of a collection, leaves its length and its hash. */
const MAX_VALUE_LENGTH = 500
/** Changes with every change. */
const NOT_RECORDED = new Set(['updatedAt'])

/** `old.name` and `new.name` of each field that differs. */
export function describeChanges(before: Body, after: Body): Record<string, string> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes: Record<string, string> = {}
  for (const name of [...names].sort()) {
    if (NOT_RECORDED.has(name) || isDeepStrictEqual(before[name], after[name])) continue
    changes[`old.${name}`] = shown(before[name])
    changes[`new.${name}`] = shown(after[name])
  }
  return changes
}

function shown(value: unknown): string {
  if (value === undefined) return 'none'
  const json = redactBearers(JSON.stringify(value))
  if (json.length <= MAX_VALUE_LENGTH) return json
  return `sha256 ${hash('sha256', json, 'base64url')} of ${json.length} characters`
}
