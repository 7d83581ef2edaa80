// A link of a chain: some events of one account in their order, and the hash of the last one. The hashes
// between are built again from the events; two bytes of each are kept, so that a change is found where it
// is. Pure. docs/inside/decisions/0041.
import { type AuditEvent, type ChainedEvent, chainHash } from './audit.ts'
import { type EntryKey, keyOf } from './audit-entry.ts'
import { ByteReader, ByteWriter } from './audit-value.ts'

export interface Link {
  /** The number of its last event. */
  readonly seq: number
  /** The hash of the last event. */
  readonly hash: string
  readonly keys: readonly EntryKey[]
  /** The checks are two bytes of the hash of each event but the last. */
  readonly checks: readonly number[]
  /** No event of the chain so far is newer. */
  readonly newest: EntryKey
}

const HASH_BYTES = 32
const CHECK_BYTES = 2

export const packHash = (hash: string): Buffer => Buffer.from(hash, 'base64url')
const unpackHash = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

const checkOf = (hash: string) => packHash(hash).readUIntBE(0, CHECK_BYTES)

export const isNewer = (a: EntryKey, b: EntryKey) => a.at > b.at || (a.at === b.at && a.n > b.n)

/** Builds a link from chained events that follow one another. `newest` is that of the link before. */
export function buildLink(
  chained: readonly { readonly key: EntryKey; readonly seq: number; readonly hash: string }[],
  newest: EntryKey | undefined,
): Link | undefined {
  const last = chained.at(-1)
  if (!last) return undefined
  const keys = chained.map(({ key }) => key)
  return {
    seq: last.seq,
    hash: last.hash,
    keys,
    checks: chained.slice(0, -1).map(({ hash }) => checkOf(hash)),
    newest: keys.reduce((a, b) => (isNewer(b, a) ? b : a), newest ?? last.key),
  }
}

/** Packs in this order: number of events, times and numbers, the newest if it is none of them, the checks. */
export function packLink({ keys, checks, newest }: Link): Buffer {
  const bytes = new ByteWriter()
  const hasNewest = keys.every(({ at, n }) => at !== newest.at || n !== newest.n)
  bytes.variable(keys.length * 2 + (hasNewest ? 1 : 0))
  let before = 0
  for (const { at, n } of hasNewest ? [...keys, newest] : keys) {
    const delay = at - before
    bytes.variable(delay < 0 ? -2 * delay - 1 : 2 * delay)
    bytes.integer(n, 4)
    before = at
  }
  for (const check of checks) bytes.integer(check, CHECK_BYTES)
  return bytes.finish()
}

export function unpackLink(row: {
  readonly seq: number
  readonly hash: Uint8Array
  readonly events: Uint8Array
}): Link {
  const bytes = new ByteReader(row.events)
  const head = bytes.variable()
  const count = Math.floor(head / 2)
  const keys: EntryKey[] = []
  let at = 0
  for (let i = 0; i < count + (head % 2); i++) {
    const delay = bytes.variable()
    at += delay % 2 === 1 ? -(delay + 1) / 2 : delay / 2
    keys.push({ at, n: bytes.integer(4) })
  }
  const own = keys.slice(0, count)
  const checks = Array.from({ length: Math.max(count - 1, 0) }, () => bytes.integer(CHECK_BYTES))
  const [last = { at: 0, n: 0 }] = keys.slice(-1)
  const newest =
    own.length < keys.length ? last : own.reduce((a, b) => (isNewer(b, a) ? b : a), last)
  return { seq: row.seq, hash: unpackHash(row.hash), keys: own, checks, newest }
}

/**
 * The events of a link with their numbers and hashes, after the hash of the link before. A changed event
 * gets a hash that does not verify, a missing one is left out: the export shows both.
 */
export function chainLink<Event extends AuditEvent>(
  link: Link,
  previous: string,
  events: ReadonlyMap<string, Event>,
): ChainedEvent<Event>[] {
  const first = link.seq - link.keys.length + 1
  let before = previous
  return link.keys.flatMap((key, at) => {
    const event = events.get(keyOf(key))
    if (!event) return []
    const seq = first + at
    const check = link.checks[at]
    const hash = check === undefined ? link.hash : chainHash(before, seq, event)
    before = check === undefined || checkOf(hash) === check ? hash : forgedHash(check)
    return [{ event, seq, hash: before }]
  })
}

/** The rest of the hash that stood here. */
function forgedHash(check: number): string {
  const bytes = Buffer.alloc(HASH_BYTES)
  bytes.writeUIntBE(check, 0, CHECK_BYTES)
  return bytes.toString('base64url')
}
