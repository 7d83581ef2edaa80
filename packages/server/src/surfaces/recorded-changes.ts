// The old and the new value of each field that a change has changed, for the audit trail: of records as
// the API shows them, so no secret is among them; bearer values in a text are cut to their prefix, and
// long values are stored as their hash. Pure. Security P06.
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { redactBearers } from '../kernel/identifiers.ts'

/** A longer value, such as the draft of a collection, leaves its length and its hash. */
const MAX_VALUE_LENGTH = 500
/** Changes with every change. */
const NOT_RECORDED = new Set(['updatedAt'])

type Body = Readonly<Record<string, unknown>>

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
