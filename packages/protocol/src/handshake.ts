// The messages of the handshake between an app's frame (SDK) and its host: build and parse of each.
// No I/O, no dependency. Any window can send a message, so each parser returns null for an unknown
// message, reads own properties only, bounds each length and never throws. Contract §5, spec §2.5
// and §7; security X01, X06, X07.
import { type EndReason, parseEndReason, type SessionSeed } from './launch.ts'
import { oneOf, own, text } from './message-fields.ts'

/**
 * The protocol versions of this code; they count from 1. A new meaning of any message is a new
 * version. No version changes the `type` and `nonce` of the three window messages, nor a refusal,
 * so that two ends without a common version can still report it.
 */
export const HANDSHAKE_VERSIONS: readonly number[] = [1]

export const SERVICE_SDK_ERROR_CODES = [
  'TOKEN_FETCH_ERROR',
  'ID_TOKEN_UNAVAILABLE',
  'HOST_NOT_FOUND',
  'HANDSHAKE_TIMEOUT',
  'PROTOCOL_MISMATCH',
  'LAUNCH_MISMATCH',
  'TOKEN_REJECTED',
  'LAUNCH_ENDED',
] as const
export type ServiceSDKErrorCode = (typeof SERVICE_SDK_ERROR_CODES)[number]

export type { EndReason }

/** The message of a frame to its parent window, to any origin: it holds no secret. */
export interface Hello {
  readonly type: 'chartside:hello'
  readonly versions: readonly number[]
  /** The nonce is fresh for every hello; the answer repeats it. */
  readonly nonce: string
  readonly sdkVersion: string
  /** The timings of the navigation to this page; the end that sends it may leave them out. */
  readonly timings?: PageTimings
}

/** Whole milliseconds since the navigation to the page began, by the clock of the page. */
export interface PageTimings {
  readonly responseStartMs: number
  readonly responseEndMs: number
  /** The value is 0 when the hello came before it. */
  readonly domContentLoadedMs: number
  readonly helloMs: number
}

const TIMINGS = ['responseStartMs', 'responseEndMs', 'domContentLoadedMs', 'helloMs'] as const
/** The service refuses a longer one. */
const MAX_TIMING_MS = 3_600_000

/** The message of a host to a frame, to the exact origin of the hello, with a MessagePort. */
export interface Welcome {
  readonly type: 'chartside:welcome'
  readonly version: number
  readonly nonce: string
  /** The launch_id, as the Launch URL, the ID token and introspection hold it. */
  readonly launchId: string
  readonly seed: SessionSeed
  readonly tokenEndpoint?: string
}

/** The message of a host to a frame in place of a welcome: no seed, no port. */
export interface Refusal {
  readonly type: 'chartside:refusal'
  readonly nonce: string
  readonly code: 'PROTOCOL_MISMATCH' | 'LAUNCH_ENDED'
  readonly message: string
  readonly fix?: string
}

/** The fields of a failure: `message` is the likely cause; a text of an earlier end may name its fix too. */
export interface FailureFields {
  readonly code: ServiceSDKErrorCode
  readonly message: string
  readonly fix?: string
}

/** The message of a frame to its host, over the port. */
export type AppMessage =
  | { readonly type: 'token'; readonly accessToken: string }
  /** Initialization failed in the page; the host shows it to the developer. */
  | ({ readonly type: 'failed' } & FailureFields)
  /** The app finishes work: the host keeps the launch open past the end of its token, for a while. */
  | { readonly type: 'hold'; readonly isHeld: boolean }
  /** The person typed what the app has not saved. */
  | { readonly type: 'unsaved'; readonly isUnsaved: boolean }
  /** The app shows this chart, or nothing of the one before. Apps that listen for charts send it. */
  | { readonly type: 'chart_shown'; readonly seq: number }

/** The message of a host to its frame, over the port. */
export type HostMessage =
  /** The time `tokenExpiresAt` is in milliseconds since 1970. */
  | { readonly type: 'ready'; readonly tokenExpiresAt?: number }
  | ({ readonly type: 'refused' } & FailureFields)
  | { readonly type: 'expiring'; readonly inSeconds: number }
  | ChartMessage
  | { readonly type: 'ended'; readonly reason: EndReason }

/**
 * The chart beside the app, after `ready` and at each change: the newest `seq` counts. `ref` stands for
 * the chart in this EHR session and for this app only; null when no chart is open.
 */
export interface ChartMessage {
  readonly type: 'chart'
  /** The number of the message, from 1. */
  readonly seq: number
  readonly ref: string | null
}

export const buildHello = (fields: Omit<Hello, 'type'>): Hello => ({
  type: 'chartside:hello',
  ...fields,
})

/** Checks the type only; parseHello checks the fields. */
export const isHello = (data: unknown): boolean => own(data, 'type') === 'chartside:hello'

/** Checks the type only; parseAnswer checks the fields. */
export function isAnswer(data: unknown): boolean {
  return oneOf(data, 'type', ['chartside:welcome', 'chartside:refusal']) !== null
}

/** The nonce of a window message of any version, whatever its other fields. */
export const parseNonce = (data: unknown): string | null => text(data, 'nonce', 128)

/** Drops invalid versions; null when none is left. */
export function parseHello(data: unknown): Hello | null {
  if (!isHello(data)) return null
  const versions = parseVersions(own(data, 'versions'))
  const nonce = parseNonce(data)
  const sdkVersion = text(data, 'sdkVersion', 64)
  if (versions.length === 0 || nonce === null || sdkVersion === null) return null
  const hello = buildHello({ versions, nonce, sdkVersion })
  const timings = parseTimings(own(data, 'timings'))
  return timings === null ? hello : { ...hello, timings }
}

export const buildWelcome = (fields: Omit<Welcome, 'type'>): Welcome => ({
  type: 'chartside:welcome',
  ...fields,
})

export const buildRefusal = (fields: Omit<Refusal, 'type'>): Refusal => ({
  type: 'chartside:refusal',
  ...fields,
})

/** A host's answer to a hello: a welcome or a refusal. */
export function parseAnswer(data: unknown): Welcome | Refusal | null {
  const type = own(data, 'type')
  const nonce = parseNonce(data)
  if (nonce === null) return null
  if (type === 'chartside:refusal') {
    const code = oneOf(data, 'code', ['PROTOCOL_MISMATCH', 'LAUNCH_ENDED'] as const)
    const message = text(data, 'message', 1024)
    if (!code || !message) return null
    return { type, nonce, code, message, ...parseFix(data) }
  }
  if (type !== 'chartside:welcome') return null
  const version = own(data, 'version')
  const launchId = text(data, 'launchId', 256)
  const seed = parseSeed(own(data, 'seed'))
  const tokenEndpoint = text(data, 'tokenEndpoint', 2048)
  if (!isVersion(version) || !launchId || !seed) return null
  const welcome = { type, version, nonce, launchId, seed } as const
  if (tokenEndpoint) return { ...welcome, tokenEndpoint }
  return own(data, 'tokenEndpoint') === undefined ? welcome : null
}

export function parseAppMessage(data: unknown): AppMessage | null {
  const type = own(data, 'type')
  if (type === 'token') {
    const accessToken = text(data, 'accessToken', 16384)
    return accessToken === null ? null : { type, accessToken }
  }
  if (type === 'hold') {
    const isHeld = own(data, 'isHeld')
    return typeof isHeld === 'boolean' ? { type, isHeld } : null
  }
  if (type === 'unsaved') {
    const isUnsaved = own(data, 'isUnsaved')
    return typeof isUnsaved === 'boolean' ? { type, isUnsaved } : null
  }
  if (type === 'chart_shown') {
    const seq = own(data, 'seq')
    return isVersion(seq) ? { type, seq } : null
  }
  return type === 'failed' ? parseFailure(data, type) : null
}

export function parseHostMessage(data: unknown): HostMessage | null {
  const type = own(data, 'type')
  if (type === 'ready') {
    const tokenExpiresAt = own(data, 'tokenExpiresAt')
    if (tokenExpiresAt === undefined) return { type }
    return isCount(tokenExpiresAt) ? { type, tokenExpiresAt } : null
  }
  if (type === 'expiring') {
    const inSeconds = own(data, 'inSeconds')
    return isCount(inSeconds) ? { type, inSeconds } : null
  }
  if (type === 'chart') {
    const seq = own(data, 'seq')
    const ref = text(data, 'ref', 64)
    return isVersion(seq) && (ref || own(data, 'ref') === null) ? { type, seq, ref } : null
  }
  if (type === 'ended') {
    // A reason of a later host must not keep the app from learning that its launch has ended.
    const reason = text(data, 'reason', 64)
    return reason ? { type, reason: parseEndReason(reason) ?? 'closed' } : null
  }
  return type === 'refused' ? parseFailure(data, type) : null
}

/** Returns null unless all timings are plausible: a hello must not fail for a measurement. */
function parseTimings(data: unknown): PageTimings | null {
  const values = TIMINGS.map((name) => own(data, name))
  const isPlausible = values.every((value) => isCount(value) && value <= MAX_TIMING_MS)
  if (!isPlausible) return null
  return Object.fromEntries(TIMINGS.map((name, at) => [name, values[at]])) as unknown as PageTimings
}

/** The highest common version; null when there is none. */
export function negotiateVersion(
  ours: readonly number[],
  theirs: readonly number[],
): number | null {
  const both = ours.filter((version) => theirs.includes(version))
  return both.length === 0 ? null : Math.max(...both)
}

function parseSeed(data: unknown): SessionSeed | null {
  const account = own(data, 'account')
  const id = text(account, 'id', 256)
  const name = text(account, 'name', 512)
  const userId = text(data, 'userId', 256)
  const ehrType = text(data, 'ehrType', 256)
  const sessionId = text(data, 'sessionId', 256)
  const deviceId = text(data, 'deviceId', 256)
  if (!id || !name || !userId || !ehrType || !sessionId || !deviceId) return null
  return { userId, account: { id, name }, ehrType, sessionId, deviceId }
}

function parseFailure<T extends string>(data: unknown, type: T) {
  const code = oneOf(data, 'code', SERVICE_SDK_ERROR_CODES)
  const message = text(data, 'message', 1024)
  return code && message ? { type, code, message, ...parseFix(data) } : null
}

/** An unreadable fix is left out: the cause must still arrive. */
function parseFix(data: unknown): { readonly fix?: string } {
  const fix = text(data, 'fix', 1024)
  return fix ? { fix } : {}
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

const isVersion = (value: unknown): value is number => isCount(value) && value > 0

function parseVersions(value: unknown): number[] {
  return Array.isArray(value) && value.length <= 16 ? value.filter(isVersion) : []
}
