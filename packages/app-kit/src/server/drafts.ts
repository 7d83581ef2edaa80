// What people have typed and not finished, for the page's `createDraft`: one text per person, practice, chart
// and field. Whose it is comes from the app's own session, never from the page, so no other person and
// no other practice reads it; the page names the chart by the host's opaque reference. Logs no text.
// Spec §2.5, §5.6; contract §6, §11.
import { createMemoryDraftStore, type DraftStore } from './draft-store.ts'
import type { LaunchIdentity } from './launch-identity.ts'
import { readJson } from './read-json.ts'
import { requireDuration } from './require-option.ts'
import type { Sessions } from './sessions.ts'

export interface DraftsOptions {
  /** The sessions of `createSessions`. */
  readonly sessions: Pick<Sessions, 'authenticate'>
  /** Default: in memory of this process. */
  readonly store?: DraftStore
  /** The time for which a draft is kept after its last change. Default 24 hours, at most 30 days. */
  readonly lifetimeSeconds?: number
  /** The size of the longest text. Default 32,768. */
  readonly maxBytes?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export interface Drafts {
  /** `GET /api/drafts?name=…&chart=…` → `{ text }`, empty when there is none; 400, 401 `session_ended`. */
  load(request: Request): Promise<Response>
  /** `PUT /api/drafts` with `{ name, text, written_at, chart? }` → `{ saved: true }`; 400, 401. */
  save(request: Request): Promise<Response>
}

const MAX_LIFETIME_SECONDS = 30 * 86_400
const NAME = /^[a-z0-9-]{1,40}$/
/** The form of a chart, as the SDK gives it; empty where the host names no chart. */
const CHART = /^[\w-]{0,64}$/

/**
 * Creates the routes of the drafts of users: `load` for GET and `save` for PUT of `/api/drafts`. A draft
 * belongs to the person and the practice of the session. Spec §8.
 * @throws TypeError when an option is invalid
 * @example const { load, save } = createDrafts({ sessions })
 */
export function createDrafts(options: DraftsOptions): Drafts {
  const { sessions, maxBytes = 32_768, now = () => Date.now() } = options
  const store = options.store ?? createMemoryDraftStore(now)
  const lifetimeMs =
    1000 *
    requireDuration(
      'createDrafts: lifetimeSeconds',
      options.lifetimeSeconds ?? 86_400,
      MAX_LIFETIME_SECONDS,
    )
  return {
    async load(request) {
      const identity = await sessions.authenticate(request)
      if (!identity) return answer(401, SESSION_ENDED)
      const { searchParams } = new URL(request.url)
      const name = searchParams.get('name') ?? ''
      const chart = searchParams.get('chart') ?? ''
      if (!NAME.test(name) || !CHART.test(chart)) return answer(400, INVALID)
      const kept = await store.find(keyOf(identity, name, chart))
      return answer(200, { text: kept && kept.expiresAt > now() ? kept.text : '' })
    },

    async save(request) {
      const identity = await sessions.authenticate(request)
      if (!identity) return answer(401, SESSION_ENDED)
      // A character of text has at most six bytes in JSON.
      const body = (await readJson(request, { maxBytes: maxBytes * 6 + 256 })) ?? {}
      const { name, text, written_at: writtenAt, chart = '' } = body
      const isText = typeof text === 'string' && new TextEncoder().encode(text).length <= maxBytes
      const isNamed = isMatch(name, NAME) && isMatch(chart, CHART)
      if (!isNamed || !isText || !Number.isInteger(writtenAt)) return answer(400, INVALID)
      await store.replace({
        key: keyOf(identity, `${name}`, `${chart}`),
        text,
        // A clock that is ahead would keep out everything that is typed later.
        writtenAt: Math.min(Number(writtenAt), now() + MAX_CLOCK_LEAD_MS),
        expiresAt: now() + lifetimeMs,
      })
      return answer(200, { saved: true })
    },
  }
}

const MAX_CLOCK_LEAD_MS = 60_000

/** Ids of the platform hold no slash; with `encodeURIComponent` none could. */
const keyOf = ({ account, userId }: LaunchIdentity, name: string, chart: string): string =>
  [account.id, userId, name, ...(chart === '' ? [] : [chart])].map(encodeURIComponent).join('/')

const isMatch = (value: unknown, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value)

const SESSION_ENDED = {
  error: 'session_ended',
  cause: 'This session has ended.',
  fix: 'Launch the app again.',
}
const INVALID = {
  error: 'invalid_request',
  cause: 'The request names no draft, or its text is too long.',
  fix: 'Send name (a-z, 0-9 and -), text and written_at, as createDraft of the page does.',
}

function answer(status: number, body: object): Response {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  return Response.json(body, { status, headers })
}
