// The types of a call: what a handler gets and what it answers. One JSON schema for each payload gives
// the check, the handler's types, the OpenAPI document and the types of packages/protocol. Says
// nothing about routes (route.ts), and no handler meets Fastify.

import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { Permission } from '../kernel/access.ts'
import type { Person } from '../kernel/user.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An answer of any kind. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object leaves as JSON, text as it is, a stream piece by piece. */
  readonly body?: object | string | Readable
}

/** The reply is text, or nothing: pages, documents that are serialized once, redirects. */
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

/** A handler answers a status, and the payload that the schema of this status describes. */
export type Answer<Status extends number, Schema = undefined> = Schema extends object
  ? JsonReply<Status, Schema>
  : TextReply & { readonly status: Status }

/** A schema for each status, or a media type for what is not JSON. */
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
  /** The IP address of the caller. */
  readonly address: string
  /** The time of the request in milliseconds. */
  readonly now: number
  readonly log: FastifyBaseLogger
}

/** A request of the backend API, checked against the route's schemas. */
export interface Call<Parameter extends string = never, Body = undefined> extends AnyCall {
  readonly params: Readonly<Record<Parameter, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: PayloadOf<Body>
  readonly authorization: string | undefined
  readonly cookies: string | undefined
  readonly userAgent: string | undefined
  readonly ifMatch: string | undefined
  /** The record before a change, as the API shows it; the audit trail compares it with the answer. */
  readonly auditNotes: {
    before?: object
    /** The reason, in the words of the caller. */
    reason?: string
    /** Further facts for the event of the call, such as the people of one act on many. */
    detail?: Readonly<Record<string, string>>
    /** The only account to whose trail a call about a user belongs. */
    accountId?: string
  }
  /** A route whose caller is not `anyone` has it. */
  readonly person: Person | undefined
}

/** `PersonCall<'id', typeof BODY>` names the parameters of the path and the schema of the body. */
export type PersonCall<Parameter extends string = never, Body = undefined> = Call<
  Parameter,
  Body
> & {
  readonly person: Person
  /** The permission of the route. */
  readonly permission: Permission
}

/** A call as the surface makes it, before its route's types apply. */
export interface UncheckedCall extends Omit<Call<string>, 'body'> {
  readonly body: unknown
  readonly permission: Permission | undefined
}

/** A call about the record `:id` of its path, whatever its body. */
export type RecordCall = Omit<PersonCall<'id'>, 'body'>

/** A request of an OAuth endpoint, unparsed: handlers parse it, to answer with OAuth errors. */
export interface OAuthCall extends AnyCall {
  /** The time in milliseconds when the request arrived, before it waited for a slot of the limiter. */
  readonly receivedAt: number
  readonly method: string
  readonly params: Readonly<Record<string, string>>
  /** The query without the question mark, still encoded. */
  readonly query: string
  readonly body: string
  readonly contentType: string
  readonly authorization: string | undefined
  readonly accept: string
  readonly ifNoneMatch: string | undefined
  /** A script or a form in a browser sent it: servers send neither Origin nor Sec-Fetch-Site. */
  readonly isFromPage: boolean
}

/**
 * The type says what made a browser send the request (Fetch Metadata). `embedded`: an image, a frame or a
 * script of a page. `elsewhere`: a page of another site that navigates without a click. `person`: everything
 * else, also a program without these headers.
 */
export type Initiator = 'person' | 'elsewhere' | 'embedded'

/** A page, or a form that a page of ours sends. */
export interface PageCall extends AnyCall {
  /** The query without the question mark, still encoded. */
  readonly query: string
  /** Fields of the form, else of the query; no name is repeated. */
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly cookies: string
  readonly initiator: Initiator
  readonly userAgent: string | undefined
  /** The Accept and Accept-Encoding headers. */
  readonly accept: string
  readonly encodings: string
  /** The part of the path that `*` stands for. */
  readonly rest: string
  /** The browser says that a page of another origin sent this. Security: login CSRF. */
  readonly isCrossSite: boolean
  /** The user of the page, for the audit trail; the handler sets it after authentication. */
  readonly auditSubject: {
    userId?: string
    accountId?: string
    /** The e-mail address used in a failed password sign-in. */
    email?: string
    /** A refusal that redirects to its page names the status of that page. */
    refusal?: string
  }
}
