// The declaration of a route: its address, who may call it, its schemas, its admission and its
// handler. The rows of the route table have these types; the server, the OpenAPI document and the
// tests read them. Holds no route of its own.
import type { JSONSchema } from 'json-schema-to-ts'
import type { LimitKind } from './http/admission/rate-limit-rules.ts'
import type { Answers, Method, OAuthCall, PageCall, Reply } from './http/call.ts'
import type { Permission } from './kernel/access.ts'
import type { ApiErrorCode } from './kernel/errors.ts'

interface Described {
  readonly path: string
  /** The name is unique and becomes operationId. */
  readonly operation: string
  readonly summary: string
  readonly answers: Answers
  /** Errors of this route only; those of its kind follow from it (route-errors.ts). */
  readonly errors?: readonly ApiErrorCode[]
  /** Callers in an allowed region only, of servers or of directories (contract §8, §13); `any`: from everywhere. */
  readonly regions: 'allowed' | 'directories' | 'any'
  /** HEAD is GET without the body; absent where GET changes something or never ends. */
  readonly hasHead?: true
  readonly admission: Admission
  /** A larger body is refused with 413. Contract §9. */
  readonly maxBodyBytes: number
}

/**
 * The type says how a request of the route is admitted under load (docs/inside/decisions/0016, 0025):
 * - `limited`: runs in a slot of the concurrency limiter; for requests that use storage.
 * - `throttled`: a few begin in each iteration of the event loop; for requests that any caller may
 *   send in any number, so that a flood of them does not delay the `limited` ones.
 * - `immediate`: begins as it arrives; for health probes and documents that are held in memory.
 */
export type Admission = 'limited' | 'throttled' | 'immediate'

export type RecordKind = 'user' | 'account' | 'app' | 'collection' | 'session' | 'launch'

/**
 * Each route is generic in the parts of the service that its handler names. A reader of the table that
 * calls no handler takes any route, `Route`; the server takes those whose parts it has.
 */
export interface ApiRoute<Parts = never> extends Described {
  readonly surface: 'api'
  readonly method: Method
  /** `person`: the caller must be signed in. */
  readonly caller: 'anyone' | 'person'
  /** The permission on the record; absent where anyone may call. */
  readonly permission?: Permission
  /**
   * The write gives access, weakens a protection or makes a secret, so it takes a sign-in of the last ten
   * minutes: `always`, or only with a body that has one of these members (a boolean: with this value).
   * Contract §3, security V21.
   */
  readonly recentAuth?: 'always' | Readonly<Record<string, 'any' | boolean>>
  /**
   * The route is about the person and all of their accounts: refused for a sign-in at the provider of an
   * account. Contract §13.
   */
  readonly wholePerson?: true
  /** The record: `:id` of the path, else `accountId` of the body, else all visible records. */
  readonly resource?: RecordKind
  readonly query?: JSONSchema
  readonly body?: JSONSchema
  /** An event stream has an object of the names of its events, each with the schema of its data. */
  readonly events?: JSONSchema
  /** A developer key may call it too; every other route refuses one. Decision 95. */
  readonly takesDeveloperKey?: true
  /** Hosts call it by themselves, so a call is no activity of a person and keeps no sign-in alive. */
  readonly isBackground?: true
  readonly handle: (service: Parts, call: never) => Promise<Reply>
}

/** The request that a browser sends before a page of `origin` may send one that a form could not. */
export interface CorsPreflight {
  readonly origin: string
  /** The names of headers, as they arrived. */
  readonly headers: string
}

export interface OAuthRoute<Parts = never> extends Described {
  readonly surface: 'oauth'
  readonly methods: readonly Method[]
  readonly caller: 'anyone' | 'client' | 'client_or_person' | 'access_token' | 'identity_provider'
  readonly parameters?: JSONSchema
  /** POST takes a form only, and its redirect is 303 (RFC 9700 4.12). */
  readonly isForm?: true
  /** The origins: `any` stands for every one, `hosts` for the configured host origins; when absent, no CORS headers. */
  readonly cors?: 'any' | 'hosts'
  /** The limit whose callers wait in a queue apart (surfaces/connection/over-limit-queue.ts). */
  readonly limitedBy?: LimitKind
  /** Every request that can succeed has this text; without it, such a caller is refused immediately. */
  readonly requiredText?: string
  readonly handle: (service: Parts, call: OAuthCall) => Promise<Reply>
  /** Notes that a browser asked by OPTIONS, for a page of another origin. The answer stays a refusal. */
  readonly notePreflight?: (service: Parts, call: OAuthCall, asked: CorsPreflight) => Promise<void>
  /** Answers a browser that was sent to a wrong address in place of this one. */
  readonly handleWrongPath?: (service: Parts, call: OAuthCall) => Promise<Reply>
}

/** The page is HTML for a person; it works without script, and answers every error with a page. */
export interface PageRoute<Parts = never> extends Described {
  readonly surface: 'page'
  readonly method: 'GET' | 'POST'
  readonly caller: 'anyone'
  readonly query?: undefined
  readonly body?: undefined
  readonly handle: (service: Parts, call: PageCall) => Promise<Reply>
}

export type Route<Parts = never> = ApiRoute<Parts> | OAuthRoute<Parts> | PageRoute<Parts>
