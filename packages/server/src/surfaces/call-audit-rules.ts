// The rules of the audit of calls, pure. Which reads are events: those that show a caller the records of other
// people, such as members, sessions, launches and the trail itself, and no record of their own. And what a
// change leaves: the fields that differ, never a secret. Security P06.

import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { RequestRefused } from '../http/admission/request-refused.ts'
import type { Reply, UncheckedCall } from '../http/call.ts'
import { API_ERRORS, ApiError, type ApiErrorCode } from '../kernel/errors.ts'
import { redactBearers } from '../kernel/identifiers.ts'
import type { SignInMethod, SignInOutcome } from '../metrics/metrics.ts'
import type { ApiRoute, PageRoute } from '../route.ts'

/** The room itself audits these, or they are not security-relevant: the reports of hosts. */
const EXCLUDED_OPERATIONS = new Set([
  'diagnoseLaunch',
  'openLaunch',
  'reportActivity',
  'reportMyActivity',
  'reportStep',
])
/** The reads are GET requests with an effect, and exports of a trail. */
const AUDITED_READS = new Set([
  'accountProviderCallback',
  'oidcCallback',
  'pollToken',
  'exportAuditEvents',
  'exportMembers',
  'exportPlatformAuditEvents',
])
/** Refusals without a signed-in caller that are audited; rate limits bound their number. */
const CREDENTIAL_GUESSES = new Set<ApiErrorCode>(['wrong_credentials'])
export const isAudited = ({ method, operation }: ApiRoute | PageRoute) =>
  (method !== 'GET' || AUDITED_READS.has(operation) || isPersonalRead(operation)) &&
  !EXCLUDED_OPERATIONS.has(operation)

/** The operations in which a user proves who they are. */
const SIGN_IN_METHODS: Readonly<Record<string, SignInMethod>> = {
  signIn: 'password',
  signInWithPassword: 'password',
  signInWithPasskey: 'passkey',
  oidcCallback: 'provider',
  accountProviderCallback: 'provider',
  verifySecondFactor: 'second_factor',
}

export const signInMethodOf = ({ operation }: ApiRoute | PageRoute): SignInMethod | undefined =>
  SIGN_IN_METHODS[operation]

/** Returns undefined when the sign-in goes on with another step. */
export function signInOutcomeOf(error: unknown): SignInOutcome | undefined {
  if (error instanceof RequestRefused) return 'refused'
  if (!(error instanceof ApiError)) return 'failed'
  if (error.code.startsWith('second_factor_')) return undefined
  return API_ERRORS[error.code].status < 500 ? 'refused' : 'failed'
}

export const isCredentialGuess = (code: ApiErrorCode): boolean => CREDENTIAL_GUESSES.has(code)

type Body = Readonly<Record<string, unknown>>

const always = () => true
const ofAnother = (body: Body, userId: string) =>
  typeof body.userId === 'string' && body.userId !== userId
const listOfOthers = ({ items }: Body, userId: string) =>
  Array.isArray(items) && items.some((item: Body) => ofAnother(item, userId))

/** The functions say, by operation, whether this answer shows records of people other than the caller. */
const PERSONAL_READS: Readonly<Record<string, (body: Body, userId: string) => boolean>> = {
  listMembers: always,
  showMember: ({ id }, userId) => id !== userId,
  listAuditEvents: always,
  listPlatformAuditEvents: always,
  showSession: ofAnother,
  listSessions: listOfOthers,
  showLaunch: ofAnother,
  listLaunches: listOfOthers,
  listProblemReports: listOfOthers,
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

/** Returns `old.name` and `new.name` of each field that differs. */
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

/** The detail of a call that had an effect: what a PATCH changed, and why in the words of the caller. */
export function describeEffect(
  { method }: Pick<ApiRoute, 'method'>,
  { auditNotes }: Pick<UncheckedCall, 'auditNotes'>,
  after: Body,
): Record<string, string> {
  const { before, reason, detail } = auditNotes
  const isChange = method === 'PATCH' && before !== undefined
  return {
    ...(isChange ? describeChanges(objectOf(before), after) : {}),
    ...(reason === undefined ? {} : { reason }),
    ...detail,
  }
}

/** The detail of an event of a refusal, by what the counter of the caller says; undefined for no event. */
export function describeSuppressed({
  isAllowed,
  suppressed,
}: {
  readonly isAllowed: boolean
  readonly suppressed: number
}): Record<string, string> | undefined {
  if (isAllowed)
    return suppressed > 0 ? { suppressed: `${suppressed} refusals before this one` } : {}
  return suppressed === 1
    ? { suppressed: 'further refusals of this caller in this minute' }
    : undefined
}

/** Further field names are not stored. */
const MAX_FIELDS = 20

/** Returns the names only: a value may be personal, or a secret in the wrong field. */
export const fieldNames = (body: Readonly<Record<string, unknown>>) =>
  Object.keys(body).slice(0, MAX_FIELDS).sort().join(' ')

export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
