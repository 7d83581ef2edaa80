// The export of a trail and its offline verification: JSON Lines, one event per line with its number and
// its hash, and a last line with the end of the chain. Pure. docs/audit.md.
import {
  type AuditEvent,
  type ChainedEvent,
  canonicalEvent,
  chainHash,
  chainRoot,
} from './audit.ts'

/**
 * One line, without its end. The members of the event, then its place and hash. The time is written
 * as in the API (RFC 3339, UTC); the hash is over its milliseconds.
 */
export const formatLine = ({ event, seq, hash }: ChainedEvent) =>
  JSON.stringify({
    ...JSON.parse(canonicalEvent(event)),
    at: new Date(event.at).toISOString(),
    seq,
    hash,
  })

/** The same in exports of the first edition, which have the milliseconds. */
const formatFirstEditionLine = ({ event, seq, hash }: ChainedEvent) =>
  `${canonicalEvent(event).slice(0, -1)},"seq":${seq},"hash":"${hash}"}`

/** The last line: the end of the chain, which reveals a cut tail. */
export const formatHead = (accountId: string, head: ChainHead) =>
  JSON.stringify({ head: { accountId, seq: head.seq, hash: head.hash } })

/** The first line of a trail whose first events are in an archive: what this file continues. */
export const formatBegin = (accountId: string, begin: ChainHead) =>
  JSON.stringify({ begin: { accountId, seq: begin.seq, hash: begin.hash } })

export interface ChainHead {
  readonly seq: number
  readonly hash: string
}

export interface Verification {
  readonly accountId: string | undefined
  /** The end that the trail continues; undefined when it has its first event. */
  readonly begin: ChainHead | undefined
  readonly events: number
  /** The end of the chain; keep it, and compare the next export with it. */
  readonly head: ChainHead | undefined
  /** The problems, each with its line; empty when the trail is complete. */
  readonly problems: readonly string[]
}

interface ExportHead extends ChainHead {
  readonly accountId: string
}

/** Further problems are not listed. */
const MAX_PROBLEMS = 20

interface EventLine extends Omit<AuditEvent, 'at' | 'launchId'> {
  /** A number in the exports of the first edition. */
  readonly at: string | number
  readonly launchId: string | null | undefined
  readonly seq: number
  readonly hash: string
}

/**
 * Checks an export line by line: finds added, changed, moved and removed events. `known` is the end of
 * an earlier export, which must be on this chain.
 */
export class ExportCheck {
  private readonly problems: string[] = []
  private readonly known: ChainHead | undefined
  private accountId: string | undefined
  private begin: ChainHead | undefined
  private head: ChainHead | undefined
  private isEnded = false
  private hasKnown: boolean
  private number = 0

  constructor(known?: ChainHead) {
    this.known = known
    this.hasKnown = known === undefined
  }

  take(text: string): void {
    this.number += 1
    const line = parseLine(text)
    if (this.isEnded) this.complain('stands after the end of the trail')
    if (!line) this.complain('is not an event')
    else if ('head' in line) this.takeHead(line.head, text)
    else if ('begin' in line) this.takeBegin(line.begin, text)
    else this.takeEvent(line, text)
  }

  finish(): Verification {
    const problems = [...this.problems]
    if (!this.isEnded) problems.push('the end of the trail is missing: the file was cut')
    if (!this.hasKnown) {
      problems.push(`the trail does not reach number ${this.known?.seq}, which was known`)
    }
    const { accountId, begin, head } = this
    const events = (head?.seq ?? 0) - (begin?.seq ?? 0)
    return { accountId, begin, events, head, problems }
  }

  private takeBegin({ accountId, seq, hash }: ExportHead, text: string): void {
    if (this.accountId !== undefined) this.complain('begins a trail within a trail')
    this.requireSameText(formatBegin(accountId, { seq, hash }), text)
    this.accountId = accountId
    this.begin = { seq, hash }
    this.head = this.begin
    this.takeKnown(this.begin)
  }

  private takeHead(end: ExportHead, text: string): void {
    this.isEnded = true
    this.accountId ??= end.accountId
    if (end.accountId !== this.accountId) this.complain(`is the end of ${end.accountId}`)
    this.requireSameText(formatHead(end.accountId, end), text)
    const last = this.head?.seq ?? 0
    if (end.seq !== last || (this.head && end.hash !== this.head.hash)) {
      this.complain(`the trail ends at ${last}, not at ${end.seq}`)
    }
  }

  /** A member that was added, or a name that stands twice, is in no hash: other readers see it. [V09] */
  private requireSameText(expected: string, text: string): void {
    if (text !== expected) this.complain('is not byte for byte what the service writes')
  }

  private takeEvent({ seq, hash, at: time, launchId, ...fields }: EventLine, text: string): void {
    const at = parseTime(time)
    if (at === undefined) {
      this.complain(`has the time ${time}, which is none of an export`)
      return
    }
    const event: AuditEvent = { ...fields, at, launchId: launchId ?? undefined }
    const format = typeof time === 'number' ? formatFirstEditionLine : formatLine
    this.requireSameText(format({ event, seq, hash }), text)
    this.accountId ??= event.accountId
    if (event.accountId !== this.accountId) this.complain(`belongs to ${event.accountId}`)
    const expected = (this.head?.seq ?? 0) + 1
    if (seq !== expected) this.complain(`has number ${seq} where ${expected} belongs`)
    const previous = this.head?.hash ?? chainRoot(event.accountId)
    if (hash !== chainHash(previous, seq, event)) {
      this.complain('was changed, or the line before it was')
    }
    this.head = { seq, hash }
    this.takeKnown(this.head)
  }

  private takeKnown({ seq, hash }: ChainHead): void {
    if (seq !== this.known?.seq) return
    this.hasKnown = true
    if (hash !== this.known.hash) this.complain('differs from the end that was known')
  }

  private complain(what: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(`line ${this.number}: ${what}`)
  }
}

/** Only as `formatLine` writes it: another form of the same moment is a change. */
function parseTime(time: string | number): number | undefined {
  if (typeof time === 'number') return time
  const at = Date.parse(time)
  return Number.isNaN(at) || new Date(at).toISOString() !== time ? undefined : at
}

/** Verifies a complete export. */
export function verifyExport(lines: Iterable<string>, known?: ChainHead): Verification {
  const check = new ExportCheck(known)
  for (const line of lines) check.take(line)
  return check.finish()
}

function parseLine(
  text: string,
): EventLine | { readonly head: ExportHead } | { readonly begin: ExportHead } | undefined {
  try {
    const line = JSON.parse(text)
    if (typeof line?.head?.seq === 'number' && typeof line.head.accountId === 'string') {
      return { head: line.head }
    }
    if (typeof line?.begin?.seq === 'number' && typeof line.begin.accountId === 'string') {
      return { begin: line.begin }
    }
    const isEvent =
      typeof line?.seq === 'number' &&
      typeof line.accountId === 'string' &&
      typeof line.detail === 'object' &&
      line.detail !== null
    return isEvent ? line : undefined
  } catch {
    return undefined
  }
}
