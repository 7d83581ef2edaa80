// The form in which a trail leaves and is checked without the service: JSON Lines, an event a line
// with its place and its hash, and a last line that says where the chain ended. Pure. docs/audit.md.
import {
  type AuditEvent,
  type ChainedEvent,
  canonicalEvent,
  chainHash,
  chainRoot,
} from './audit.ts'

/** One line, without its end. The members of the event, then its place and hash. */
export const formatLine = ({ event, seq, hash }: ChainedEvent) =>
  `${canonicalEvent(event).slice(0, -1)},"seq":${seq},"hash":"${hash}"}`

/** The last line: what the chain's end was, so that a cut tail shows. */
export const formatHead = (accountId: string, head: { seq: number; hash: string }) =>
  JSON.stringify({ head: { accountId, seq: head.seq, hash: head.hash } })

export interface Verification {
  readonly accountId: string | undefined
  readonly events: number
  /** The end of the chain that was found; note it, and hold the next export to it. */
  readonly head: { readonly seq: number; readonly hash: string } | undefined
  /** What is wrong, the line first; none when the trail is whole. */
  readonly problems: readonly string[]
}

/** More of them say no more. */
const MOST_PROBLEMS = 20

interface Line extends AuditEvent {
  readonly seq: number
  readonly hash: string
  readonly head?: { readonly accountId: string; readonly seq: number; readonly hash: string }
}

/**
 * Checks an export: every hash, every number, nothing added, changed, moved or left out. `known` is
 * the end of an earlier export, which must lie on this chain.
 */
export function verifyExport(
  lines: Iterable<string>,
  known?: { readonly seq: number; readonly hash: string },
): Verification {
  const problems: string[] = []
  const complain = (number: number, what: string) => {
    if (problems.length < MOST_PROBLEMS) problems.push(`line ${number}: ${what}`)
  }
  let accountId: string | undefined
  let head: { seq: number; hash: string } | undefined
  let isEnded = false
  let hasKnown = known === undefined
  let count = 0
  let number = 0
  for (const text of lines) {
    number += 1
    if (text.trim() === '') continue
    const line = parseLine(text)
    if (!line) {
      complain(number, 'is no event')
      continue
    }
    if (isEnded) complain(number, 'stands after the end of the trail')
    if (line.head) {
      isEnded = true
      const isRight = line.head.seq === (head?.seq ?? 0) && (!head || line.head.hash === head.hash)
      if (!isRight) complain(number, `the trail ends at ${head?.seq ?? 0}, not at ${line.head.seq}`)
      continue
    }
    const { seq, hash, head: _head, ...event } = line
    accountId ??= event.accountId
    if (event.accountId !== accountId) complain(number, `belongs to ${event.accountId}`)
    const expected = (head?.seq ?? 0) + 1
    if (seq !== expected) complain(number, `has number ${seq} where ${expected} belongs`)
    const launchId = event.launchId ?? undefined
    const right = chainHash(head?.hash ?? chainRoot(event.accountId), seq, { ...event, launchId })
    if (hash !== right) complain(number, 'was changed, or the line before it was')
    head = { seq, hash }
    count += 1
    if (known && seq === known.seq) {
      hasKnown = true
      if (hash !== known.hash) complain(number, 'differs from the end that was known')
    }
  }
  if (!isEnded) problems.push('the end of the trail is missing: the file was cut')
  if (!hasKnown) problems.push(`the trail does not reach number ${known?.seq}, which was known`)
  return { accountId, events: count, head, problems }
}

function parseLine(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const line = value as Partial<Line>
    const isHead = typeof line.head?.seq === 'number'
    const isEvent =
      typeof line.seq === 'number' &&
      typeof line.accountId === 'string' &&
      typeof line.detail === 'object' &&
      line.detail !== null
    return isHead || isEvent ? (line as Line) : undefined
  } catch {
    return undefined
  }
}
