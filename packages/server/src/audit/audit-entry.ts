// An audit event as a row: its time, a number that tells it from others of the same millisecond, and the
// rest in bytes. The later steps of a launch leave out what the event of its opening says: account, app
// and, of an authorize, the user. Pure. docs/inside/decisions/0041.
import { hash } from 'node:crypto'
import { idFloor, timeOfId } from '../kernel/identifiers.ts'
import { PART_CHARS, partChars, partOfId } from '../kernel/partitions.ts'
import type { Randomness } from '../kernel/randomness.ts'
import type { AuditEvent, Outcome } from './audit.ts'
import { ByteReader, ByteWriter, isShortTrace, isTrace } from './audit-value.ts'

/** The values that name an event within its partition. */
export interface EntryKey {
  readonly at: number
  readonly n: number
}

export interface EntryRow extends EntryKey {
  readonly part: number
  /** The account; null where the content leaves it to the opening of the launch. */
  readonly accountId: string | null
  readonly content: Uint8Array
}

/** An event of which the opening of its launch may be needed. */
export interface StoredEntry extends EntryKey {
  readonly part: number
  readonly event: Omit<AuditEvent, 'accountId' | 'actor' | 'target'> & {
    readonly accountId?: string | undefined
    readonly actor?: string | undefined
    readonly target?: string | undefined
  }
  /** The opening time of the launch, if this entry leaves fields to the opening event. */
  readonly openedAt: number | undefined
}

/** The first byte of an event that is written out. */
const FLAG = {
  refused: 1,
  launch: 2,
  /** The detail is a trace id of 16 digits, and nothing else. */
  onlyTrace: 4,
  /** The identifier is not made of the time and the number. */
  ownId: 8,
} as const

/**
 * The first byte of a step of a launch that succeeded. Its fields are as the service builds them, so they
 * stand there without their names. The steps are only ever extended at the end.
 */
const FIRST_STEP = 0x80
/** A step whose trace id has 32 digits. An older node refuses these bytes, and reads nothing else in them. */
const FIRST_TRACED_STEP = 0xc0
/** An event that is written out, with its flags: a trace id of 32 digits begins the detail. */
const FIRST_TRACED = 0xe0
const TRACE_DIGITS = 32
const SHORT_TRACE_DIGITS = 16
const OPENING = 'launch'
const STEPS: readonly string[] = [OPENING, 'authorize', 'exchange', 'revoke']
const OPENING_STEP = 0

const EVENT_ID = /^evt_[0-9a-hjkmnp-tv-z]{22}$/
const LAUNCH_ID = /^lau_[0-9a-hjkmnp-tv-z]{22}$/
const USER_ID = /^usr_[0-9a-hjkmnp-tv-z]{22}$/
const APP_ID = /^app_[0-9a-hjkmnp-tv-z]{22}$/
const CLIENT_ID = /^cli_[0-9a-f]{32}$/
const ID_CHARS = 22
const REST_AT = 'lau_'.length + 10 + PART_CHARS
const REST_CHARS = 9
/** The random characters of an event: the first ones are its number. */
const NUMBER_CHARS = 6
const DELAY_BYTES = 3
/** No later step leaves anything to the opening of its launch. */
export const MAX_DELAY_MS = 256 ** DELAY_BYTES - 1

export const keyOf = ({ at, n }: EntryKey) => `${at} ${n}`

/** An event of a launch; the account of its trail is that of the launch's EHR session. */
export type LaunchEvent = EntryKey &
  Omit<AuditEvent, 'accountId' | 'id' | 'launchId'> & { readonly launchId: string }

/** A number with as many bits as the characters of an identifier that hold it. */
export const newEntryNumber = (randomness: Randomness): number =>
  randomness.bytes(4).readUInt32BE() >>> (32 - 5 * NUMBER_CHARS)

/** The last characters of the identifier are not stored: its number, its time and its trace id make them. */
function idOfStep(
  { at, n }: EntryKey,
  { launchId, action, trace }: { launchId: string; action: string; trace: string },
): string {
  const start = `${idFloor('evt', at)}${charsOf(n)}`
  // A character for each byte: a string costs a quarter of a buffer here.
  const bytes = hash('sha256', `${start} ${launchId} ${action} ${trace}`, 'binary')
  let chars = start
  for (let at = 0; at < NUMBER_CHARS; at++) chars += ALPHABET.charAt(bytes.charCodeAt(at) & 31)
  return chars
}

/** The event with the identifier that its other fields make. */
export function identify({ n, ...event }: LaunchEvent): Omit<AuditEvent, 'accountId'> {
  const { at, launchId, action, detail } = event
  return { ...event, id: idOfStep({ at, n }, { launchId, action, trace: detail.trace ?? '' }) }
}

type StepFields = Omit<AuditEvent, 'accountId' | 'id'>

/** The number of the step, if all of its fields are as a step has them; undefined for another event. */
function findStep(event: StepFields, part: number): number | undefined {
  const { at, action, actor, target, launchId = '', outcome, detail } = event
  const step = STEPS.indexOf(action)
  if (step < 0 || outcome !== 'ok' || !LAUNCH_ID.test(launchId)) return undefined
  const { trace = '' } = detail
  if (!(isTrace(trace) || isShortTrace(trace)) || Object.keys(detail).length > 1) return undefined
  if (partOfId(launchId) !== part || !APP_ID.test(target)) return undefined
  const delay = at - (timeOfId(launchId) ?? 0)
  if (delay < 0 || delay > (action === OPENING ? 0 : MAX_DELAY_MS)) return undefined
  const isActor = action === OPENING || action === 'authorize' ? USER_ID : CLIENT_ID
  return isActor.test(actor) ? step : undefined
}

const hasOwnTime = ({ id, at }: Pick<AuditEvent, 'at' | 'id'>) =>
  EVENT_ID.test(id) && timeOfId(id) === at

/** Whether the other fields of the event make its identifier. */
function isIdentified(event: Omit<AuditEvent, 'accountId'>): boolean {
  const { id, launchId = '' } = event
  return hasOwnTime(event) && identify({ ...event, launchId, n: numberOfId(id) }).id === id
}

export interface PackedEntry extends EntryKey {
  readonly content: Buffer
}

/** Packs an event that leaves nothing to another one. */
export function packEntry(event: Omit<AuditEvent, 'accountId'>, part: number): PackedEntry {
  const content = new ByteWriter()
  const isOpening = findStep(event, part) === OPENING_STEP && isIdentified(event)
  if (isOpening) packStep(content, event, OPENING_STEP)
  else packWhole(content, event)
  return { ...keyOfEvent(event), content: content.finish() }
}

/**
 * Packs an event whose statement has seen to it that the launch has this app, and its opening is in the trail.
 * `leavesOut`: account and app, and the user of an authorize, are left to that opening.
 */
export function packLaunchEvent(
  event: LaunchEvent,
  part: number,
): PackedEntry & { readonly leavesOut: boolean } {
  const step = findStep(event, part)
  if (step === undefined) return { ...packEntry(identify(event), part), leavesOut: false }
  const content = new ByteWriter()
  packStep(content, event, step)
  return { at: event.at, n: event.n, content: content.finish(), leavesOut: step !== OPENING_STEP }
}

function packStep(
  content: ByteWriter,
  { at, actor, target, launchId = '', ip, detail }: StepFields,
  step: number,
): void {
  const { trace = '' } = detail
  content.integer((isTrace(trace) ? FIRST_TRACED_STEP : FIRST_STEP) + step, 1)
  if (step > 0) content.integer(at - (timeOfId(launchId) ?? at), DELAY_BYTES)
  content.chars(launchId.slice(REST_AT))
  if (step === 0) {
    content.chars(actor.slice(-ID_CHARS))
    content.chars(target.slice(-ID_CHARS))
  } else if (STEPS[step] !== 'authorize') content.hex(actor.slice('cli_'.length))
  content.hex(trace)
  content.text(ip)
}

function packWhole(content: ByteWriter, event: Omit<AuditEvent, 'accountId'>): void {
  const { id, action, actor, target, launchId, ip, outcome, detail } = event
  const [[firstName, trace] = ['', '']] = Object.entries(detail)
  const isTraced = firstName === 'trace' && isTrace(trace)
  const onlyTrace = isShortTrace(detail.trace ?? '') && Object.keys(detail).length === 1
  content.integer(
    (isTraced ? FIRST_TRACED : 0) |
      (outcome === 'ok' ? 0 : FLAG.refused) |
      (launchId === undefined ? 0 : FLAG.launch) |
      (onlyTrace ? FLAG.onlyTrace : 0) |
      (hasOwnTime(event) ? 0 : FLAG.ownId),
    1,
  )
  if (hasOwnTime(event)) content.chars(id.slice(-NUMBER_CHARS))
  else content.text(id)
  content.text(action)
  if (launchId !== undefined) content.text(launchId)
  content.text(actor)
  content.text(target)
  content.text(ip)
  if (isTraced || onlyTrace) content.hex(trace)
  if (onlyTrace) return
  for (const [name, value] of Object.entries(detail).slice(isTraced ? 1 : 0)) {
    content.text(name)
    content.text(value)
  }
}

/** Names an event by its identifier, so that it is found without being read. */
export const keyOfEvent = ({ id, at }: Pick<AuditEvent, 'at' | 'id'>): EntryKey => ({
  at,
  n: hasOwnTime({ id, at }) ? numberOfId(id) : numberOf(id),
})

/** @throws RangeError for a content that no version wrote. */
export function unpackEntry(row: EntryRow): StoredEntry {
  const bytes = new ByteReader(row.content)
  const first = bytes.integer(1)
  if (first < FIRST_STEP) return unpackWhole(row, bytes, first)
  if (first >= FIRST_TRACED) return unpackWhole(row, bytes, first - FIRST_TRACED, TRACE_DIGITS)
  return first >= FIRST_TRACED_STEP
    ? unpackStep(row, bytes, first - FIRST_TRACED_STEP, TRACE_DIGITS)
    : unpackStep(row, bytes, first - FIRST_STEP, SHORT_TRACE_DIGITS)
}

function unpackStep(
  { part, at, n, accountId }: EntryRow,
  bytes: ByteReader,
  step: number,
  traceDigits: number,
) {
  const action = STEPS[step]
  if (action === undefined) throw new RangeError('an event of a newer version')
  const openedAt = step === 0 ? undefined : at - bytes.integer(DELAY_BYTES)
  const launchId = `${idFloor('lau', openedAt ?? at)}${partChars(part)}${bytes.chars(REST_CHARS)}`
  const client = step > 0 && action !== 'authorize' ? `cli_${bytes.hex(32)}` : undefined
  const actor = step === 0 ? `usr_${bytes.chars(ID_CHARS)}` : client
  const target = step === 0 ? `app_${bytes.chars(ID_CHARS)}` : undefined
  const trace = bytes.hex(traceDigits)
  const ip = bytes.text()
  const outcome: Outcome = 'ok'
  const id = idOfStep({ at, n }, { launchId, action, trace })
  const event = {
    ...{ id, at, accountId: accountId ?? undefined, actor, action, target, launchId, ip },
    ...{ outcome, detail: { trace } },
  }
  return { part, at, n, openedAt, event }
}

function unpackWhole(
  { part, at, n, accountId }: EntryRow,
  bytes: ByteReader,
  flags: number,
  traceDigits = has(flags, FLAG.onlyTrace) ? SHORT_TRACE_DIGITS : 0,
) {
  const id = has(flags, FLAG.ownId)
    ? bytes.text()
    : `${idFloor('evt', at)}${charsOf(n)}${bytes.chars(NUMBER_CHARS)}`
  const action = bytes.text()
  const launchId = has(flags, FLAG.launch) ? bytes.text() : undefined
  const actor = bytes.text()
  const target = bytes.text()
  const ip = bytes.text()
  const detail: Record<string, string> = {}
  if (traceDigits > 0) detail.trace = bytes.hex(traceDigits)
  while (!bytes.isAtEnd) {
    const name = bytes.text()
    detail[name] = bytes.text()
  }
  const outcome: Outcome = has(flags, FLAG.refused) ? 'refused' : 'ok'
  return {
    ...{ part, at, n, openedAt: undefined },
    event: {
      ...{ id, at, accountId: accountId ?? undefined, actor, action, target, launchId, ip },
      ...{ outcome, detail },
    },
  }
}

const has = (flags: number, flag: number) => (flags & flag) !== 0

/** The event, with what the opening of its launch says; undefined when that is needed and missing. */
export function completeEntry(
  { event, openedAt }: StoredEntry,
  opening: AuditEvent | undefined,
): AuditEvent | undefined {
  const source = openedAt === undefined ? event : opening
  const { accountId, target } = source ?? {}
  const actor = event.actor ?? source?.actor
  if (accountId === undefined || actor === undefined || target === undefined) return undefined
  return { ...event, accountId, actor, target }
}

/** Whether the event is the opening of that launch. */
export const isOpeningOf = (event: StoredEntry['event'], launchId: string | undefined) =>
  event.action === OPENING && event.outcome === 'ok' && event.launchId === launchId

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

function numberOfId(id: string): number {
  let n = 0
  for (let at = id.length - 2 * NUMBER_CHARS; at < id.length - NUMBER_CHARS; at++) {
    n = n * 32 + ALPHABET.indexOf(id.charAt(at))
  }
  return n
}

function charsOf(n: number): string {
  let chars = ''
  for (let rest = n, i = 0; i < NUMBER_CHARS; i++) {
    chars = ALPHABET.charAt(rest % 32) + chars
    rest = Math.floor(rest / 32)
  }
  return chars
}

const numberOf = (id: string) => hash('sha256', id, 'buffer').readUInt32BE() >>> 1
