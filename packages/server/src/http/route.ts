// The types of the route table: what a route declares, what a handler gets and what it answers. One
// JSON schema for each payload gives the check, the handler's types, the OpenAPI document and the
// types of packages/protocol. No Fastify in handlers.
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { Permission } from '../kernel/access.ts'
import type { ApiErrorCode } from '../kernel/errors.ts'
import type { Person } from '../kernel/user.ts'
import type { Service } from '../service.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What leaves the service, whatever its kind. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object leaves as JSON, text as it is, a stream piece by piece. */
  readonly body?: object | string | Readable
}

/** Text, or nothing: pages, documents that are serialized once, redirects. */
export interface TextReply extends Reply {
  readonly body?: string | Readable
}

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

/** The payload that a schema describes. */
export type PayloadOf<Schema> = Schema extends JSONSchema
  ? DeepReadonly<FromSchema<Schema>>
  : undefined

interface JsonReply<Status extends number, Schema> extends Reply {
  readonly status: Status
  readonly body: Schema extends JSONSchema ? PayloadOf<Schema> & object : never
}

/** What a handler answers: the status, and the payload that the schema of this status describes. */
export type Answer<Status extends number, Schema = undefined> = Schema extends object
  ? JsonReply<Status, Schema>
  : TextReply & { readonly status: Status }

/** A schema for each status, or a word for what is not JSON. */
export type Answers = Readonly<Record<number, JSONSchema | string>>

export type AnswersOf<A extends Answers> = {
  [Status in keyof A & number]: Answer<Status, A[Status]>
}[keyof A & number]

/** The names of the parameters in a path: `id` of `/api/apps/:id`. */
export type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

interface AnyCall {
  readonly traceId: string
  /** Where the caller is: an IP address. */
  readonly address: string
  /** Milliseconds; the one moment at which this request happens. */
  readonly now: number
  readonly log: FastifyBaseLogger
}

/** A request of the backend API, checked against the route's schemas. */
export interface Call<Parameter extends string = never, Body = undefined> extends AnyCall {
  readonly params: Readonly<Record<Parameter, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: PayloadOf<Body>
  readonly authorization: string | undefined
  readonly ifMatch: string | undefined
  /** Present on routes whose caller is not `anyone`. */
  readonly person: Person | undefined
}

/** `PersonCall<'id', typeof BODY>`: the parameters of the path, the schema of the body. */
export type PersonCall<Parameter extends string = never, Body = undefined> = Call<
  Parameter,
  Body
> & {
  readonly person: Person
  /** What the route table says that the person must be to the record. */
  readonly permission: Permission
}

/** A call as the surface makes it, before its route's types apply. */
export interface UncheckedCall extends Omit<Call<string>, 'body'> {
  readonly body: unknown
  readonly permission: Permission | undefined
}

/** A call about the record `:id` of its path, whatever its body. */
export type RecordCall = Omit<PersonCall<'id'>, 'body'>

/** A request of an OAuth endpoint, as it came: these parse themselves, to answer in OAuth's words. */
export interface OAuthCall extends AnyCall {
  readonly method: string
  readonly params: Readonly<Record<string, string>>
  /** Without the question mark, still encoded. */
  readonly query: string
  readonly body: string
  readonly contentType: string
  readonly authorization: string | undefined
  readonly accept: string
  readonly ifNoneMatch: string | undefined
}

/** A page, or a form that a page of ours sends. */
export interface PageCall extends AnyCall {
  /** Without the question mark, still encoded. */
  readonly query: string
  /** Of the form when there is one, else of the query; no name comes twice. */
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly cookies: string
  /** The browser says that a page of another origin sent this. Security: login CSRF. */
  readonly isCrossSite: boolean
  /** Whom the page concerns, for the audit trail; the handler says so once it is proven. */
  readonly trail: {
    userId?: string
    accountId?: string
    /** Of a password that was refused: whom somebody tried to be. */
    email?: string
  }
}

interface Described {
  readonly path: string
  /** Unique; becomes operationId. */
  readonly operation: string
  readonly summary: string
  readonly answers: Answers
  /** What only this route refuses with; what its kind refuses with follows (route-errors.ts). */
  readonly errors?: readonly ApiErrorCode[]
  /** `allowed`: callers in an allowed region only (contract §8); `any`: from everywhere. */
  readonly regions: 'allowed' | 'any'
  /** HEAD is GET without the body; absent where GET changes something or never ends. */
  readonly hasHead?: true
  readonly admission: Admission
  /** A larger body is refused with 413. Contract §9. */
  readonly maxBodyBytes: number
}

/**
 * How a request of the route is admitted under load (docs/decisions/0016, 0025):
 * - `limited`: runs in a slot of the concurrency limiter; for requests that use storage.
 * - `throttled`: a few begin in each iteration of the event loop; for requests that any caller may
 *   send in any number, so that a flood of them does not delay the `limited` ones.
 * - `immediate`: begins as it arrives; for health probes and documents that are held in memory.
 */
export type Admission = 'limited' | 'throttled' | 'immediate'

export type RecordKind = 'user' | 'account' | 'app' | 'collection' | 'session' | 'launch'

export interface ApiRoute extends Described {
  readonly surface: 'api'
  readonly method: Method
  /** Whether somebody has to be signed in. */
  readonly caller: 'anyone' | 'person'
  /** What they must be to the record; absent where anyone may call. */
  readonly permission?: Permission
  /** The record: `:id` of the path, else named by `accountId` of the body, else all that one sees. */
  readonly resource?: RecordKind
  readonly query?: JSONSchema
  readonly body?: JSONSchema
  /** Of an event stream: an object of the names of its events, each with the schema of its data. */
  readonly events?: JSONSchema
  /** A poll of this route does not keep an idle sign-in alive. */
  readonly isBackground?: true
  readonly handle: (service: Service, call: never) => Promise<Reply>
}

export interface OAuthRoute extends Described {
  readonly surface: 'oauth'
  readonly methods: readonly Method[]
  readonly caller: 'anyone' | 'client' | 'client_or_person' | 'access_token'
  readonly parameters?: JSONSchema
  /** `any`: every origin; `hosts`: the configured extension origins; absent: no CORS headers. */
  readonly cors?: 'any' | 'hosts'
  readonly handle: (service: Service, call: OAuthCall) => Promise<Reply>
}

/** HTML for a person; works without script. Answers every error with a page. */
export interface PageRoute extends Described {
  readonly surface: 'page'
  readonly method: 'GET' | 'POST'
  readonly caller: 'anyone'
  readonly query?: undefined
  readonly body?: undefined
  readonly handle: (service: Service, call: PageCall) => Promise<Reply>
}

export type Route = ApiRoute | OAuthRoute | PageRoute
