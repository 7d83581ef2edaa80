// The exported audit trail: the form of an event that is hashed, the lines of an export (JSON Lines), and the
// check that finds added, changed, moved and removed events. The service writes with it; the command line
// and the console verify with it. Hashes nothing itself: Node.js hashes at once, a browser later.
// docs/operate/audit.md, security P07 and V09.
import { scanJsonNames } from './json-names.ts'

export interface TrailEvent {
  readonly id: string
  /** The time in milliseconds. */
  readonly at: number
  readonly accountId: string
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly launchId: string | undefined
  readonly ip: string
  readonly outcome: string
  readonly detail: Readonly<Record<string, string>>
}

/** A place in a chain: the number of an event, and its hash. */
export interface ChainHead {
  readonly seq: number
  readonly hash: string
}

/** Returns the event as JSON with this order of members. */
function canonicalEvent(event: TrailEvent): string {
  const { id, at, accountId, actor, action, target, launchId = null, ip, outcome } = event
  const names = Object.keys(event.detail)
  // Most events have one member, and millions of events are chained.
  const detail =
    names.length < 2
      ? event.detail
      : Object.fromEntries(names.sort().map((name) => [name, event.detail[name]]))
  const fields = { id, at, accountId, actor, action, target, launchId, ip, outcome, detail }
  return JSON.stringify(fields)
}

/** The text whose SHA-256 stands before the first event of an account's chain. */
export const chainRootText = (accountId: string) => `chartside audit ${accountId}`

/** The text whose SHA-256 (base64url) is the hash of an event; `previous` is that of the event before. */
export const chainText = (previous: string, seq: number, event: TrailEvent) =>
  `${previous}\n${seq}\n${canonicalEvent(event)}`

interface ChainedTrailEvent extends ChainHead {
  readonly event: TrailEvent
}

/**
 * Formats one line without its end: the members of the event, then its place and hash. The time is written as
 * in the API (RFC 3339, UTC); the hash is over its milliseconds.
 */
export const formatLine = ({ event, seq, hash }: ChainedTrailEvent) =>
  JSON.stringify({
    ...JSON.parse(canonicalEvent(event)),
    at: new Date(event.at).toISOString(),
    seq,
    hash,
  })

/** The last line: the end of the chain, which reveals a cut tail. */
export const formatHead = (accountId: string, head: ChainHead) =>
  JSON.stringify({ head: { accountId, seq: head.seq, hash: head.hash } })

/** The first line of a trail whose first events are in an archive: what this file continues. */
export const formatBegin = (accountId: string, begin: ChainHead) =>
  JSON.stringify({ begin: { accountId, seq: begin.seq, hash: begin.hash } })

export interface Verification {
  readonly accountId: string | undefined
  /** The place in the chain that the trail continues; undefined when it has its first event. */
  readonly begin: ChainHead | undefined
  readonly events: number
  /** The end of the chain; keep it, and compare the next export with it. */
  readonly head: ChainHead | undefined
  /** The problems, each with its line; empty when the trail is complete. */
  readonly problems: readonly string[]
}

interface NamedHead extends ChainHead {
  readonly accountId: string
}

interface EventLine extends Omit<TrailEvent, 'at' | 'launchId'> {
  readonly at: string
  readonly launchId: string | null
  readonly seq: number
  readonly hash: string
}

/** Further problems are not listed. */
const MAX_PROBLEMS = 20

/** Checks an export line by line. `known` is the end of an earlier export, which must be on this chain. */
export class TrailCheck {
  readonly #problems: string[] = []
  readonly #known: ChainHead | undefined
  #accountId: string | undefined
  #begin: ChainHead | undefined
  #head: ChainHead | undefined
  #isEnded = false
  #hasKnown: boolean
  #number = 0

  constructor(known?: ChainHead) {
    this.#known = known
    this.#hasKnown = known === undefined
  }

  /** The problems so far. */
  get problems(): readonly string[] {
    return this.#problems
  }

  /** Takes one line. Yields each text that is to be hashed, and takes its SHA-256 (base64url) in return. */
  *take(text: string): Generator<string, void, string> {
    this.#number += 1
    const line = parseLine(text)
    if (this.#isEnded) this.#complain('stands after the end of the trail')
    if (!line) this.#complain('is not an event')
    else if ('head' in line) this.#takeHead(line.head, text)
    else if ('begin' in line) this.#takeBegin(line.begin, text)
    else yield* this.#takeEvent(line, text)
  }

  finish(): Verification {
    const problems = [...this.#problems]
    if (!this.#isEnded) problems.push('the end of the trail is missing: the file was cut')
    if (!this.#hasKnown) {
      problems.push(`the trail does not reach number ${this.#known?.seq}, which was known`)
    }
    const [accountId, begin, head] = [this.#accountId, this.#begin, this.#head]
    const events = (head?.seq ?? 0) - (begin?.seq ?? 0)
    return { accountId, begin, events, head, problems }
  }

  #takeBegin({ accountId, seq, hash }: NamedHead, text: string): void {
    if (this.#accountId !== undefined) this.#complain('begins a trail within a trail')
    this.#requireSameText(formatBegin(accountId, { seq, hash }), text)
    this.#accountId = accountId
    this.#begin = { seq, hash }
    this.#head = this.#begin
    this.#takeKnown(this.#begin)
  }

  #takeHead(end: NamedHead, text: string): void {
    this.#isEnded = true
    this.#accountId ??= end.accountId
    if (end.accountId !== this.#accountId) this.#complain(`is the end of ${end.accountId}`)
    this.#requireSameText(formatHead(end.accountId, end), text)
    const last = this.#head?.seq ?? 0
    if (end.seq !== last || (this.#head && end.hash !== this.#head.hash)) {
      this.#complain(`the trail ends at ${last}, not at ${end.seq}`)
    }
  }

  *#takeEvent(line: EventLine, text: string): Generator<string, void, string> {
    const { seq, hash, at: time, launchId, ...fields } = line
    const at = parseTime(time)
    if (at === undefined) {
      this.#complain(`has the time ${time}, which is not in the form of an export`)
      return
    }
    const event: TrailEvent = { ...fields, at, launchId: launchId ?? undefined }
    this.#requireSameText(formatLine({ event, seq, hash }), text)
    this.#accountId ??= event.accountId
    if (event.accountId !== this.#accountId) this.#complain(`belongs to ${event.accountId}`)
    const expected = (this.#head?.seq ?? 0) + 1
    if (seq !== expected) this.#complain(`has number ${seq} where ${expected} belongs`)
    const previous = this.#head?.hash ?? (yield chainRootText(event.accountId))
    if (hash !== (yield chainText(previous, seq, event))) {
      this.#complain('was changed, or the line before it was')
    }
    this.#head = { seq, hash }
    this.#takeKnown(this.#head)
  }

  #takeKnown({ seq, hash }: ChainHead): void {
    if (seq !== this.#known?.seq) return
    this.#hasKnown = true
    if (hash !== this.#known.hash) this.#complain('differs from the end that was known')
  }

  /** A member that was added, or a name that stands twice, is in no hash: other readers see it. [V09] */
  #requireSameText(expected: string, text: string): void {
    if (text === expected) return
    this.#complain(`is not byte for byte what the service writes: ${describeForm(expected, text)}`)
  }

  #complain(what: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(`line ${this.#number}: ${what}`)
  }
}

/** Parses a time only as `formatLine` writes it: another form of the same moment is a change. */
function parseTime(time: string): number | undefined {
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(at) || new Date(at).toISOString() !== time ? undefined : at
}

/** Describes how the names of a line differ when a JSON parser reads the same, or nearly the same. */
function describeForm(expected: string, text: string): string {
  const [wanted, found] = [listNames(expected), listNames(text)]
  const twice = found.find(({ isRepeated }) => isRepeated)
  if (twice) return `it has the member ${twice.name} twice`
  const has = (names: typeof found, name: string) => names.some((one) => one.name === name)
  const added = found.find(({ name }) => !has(wanted, name))
  if (added) return `it has the member ${added.name}, which does not belong there`
  const missing = wanted.find(({ name }) => !has(found, name))
  if (missing) return `it lacks the member ${missing.name}`
  const isMoved = found.some(({ name }, at) => name !== wanted[at]?.name)
  return isMoved ? 'its members have another order' : 'it has other white space or escapes'
}

function listNames(json: string): { name: string; isRepeated: boolean }[] {
  const names: { name: string; isRepeated: boolean }[] = []
  scanJsonNames(json, { onName: (name, _depth, isRepeated) => names.push({ name, isRepeated }) })
  return names
}

function parseLine(
  text: string,
): EventLine | { readonly head: NamedHead } | { readonly begin: NamedHead } | undefined {
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
