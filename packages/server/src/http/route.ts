// The words of the route table: what a route says about itself, what a handler gets and what it
// gives back. One JSON schema per payload gives the check, the handler's type and the OpenAPI
// document. No Fastify in handlers.
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { Needs } from '../kernel/access.ts'
import type { ApiErrorCode } from '../kernel/errors.ts'
import type { Person } from '../kernel/user.ts'
import type { Service } from '../service.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object leaves as JSON, text as it is, a stream piece by piece. */
  readonly body?: object | string | Readable
}

interface AnyCall {
  readonly traceId: string
  /** Where the caller is: an IP address. */
  readonly address: string
  /** Milliseconds; the one moment at which this request happens. */
  readonly now: number
  readonly log: FastifyBaseLogger
}

/** A request of the backend API, checked against the route's schemas. */
export interface Call<Body = undefined> extends AnyCall {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: Body
  readonly authorization: string | undefined
  readonly ifMatch: string | undefined
  /** Present on routes whose caller is not `anyone`. */
  readonly person: Person | undefined
}

export type PersonCall<Body = undefined> = Call<Body> & {
  readonly person: Person
  /** What the route table says that the person must be to the record. */
  readonly needs: Needs
}

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
  readonly isFromElsewhere: boolean
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
  readonly answers: Readonly<Record<number, JSONSchema | string>>
  /** What only this route refuses with; what its kind refuses with follows (route-errors.ts). */
  readonly errors?: readonly ApiErrorCode[]
  /** `allowed`: callers in an allowed region only (contract §8); `any`: from everywhere. */
  readonly regions: 'allowed' | 'any'
  /** HEAD is GET without the body; absent where GET changes something or never ends. */
  readonly hasHead?: true
}

export type RecordKind = 'user' | 'account' | 'app' | 'collection' | 'session' | 'launch'

export interface ApiRoute extends Described {
  readonly surface: 'api'
  readonly method: Method
  /** Whether somebody has to be signed in. */
  readonly caller: 'anyone' | 'person'
  /** What they must be to the record; absent where anyone may call. */
  readonly needs?: Needs
  /** The record: `:id` of the path, else named by `accountId` of the body, else all that one sees. */
  readonly of?: RecordKind
  readonly query?: JSONSchema
  readonly body?: JSONSchema
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

type ApiRouteOptions<B extends JSONSchema | undefined> = Omit<
  ApiRoute,
  'surface' | 'caller' | 'needs' | 'of' | 'regions' | 'body' | 'handle'
> & {
  readonly body?: B
}
type BodyOf<B> = B extends JSONSchema ? FromSchema<B> : undefined

/** A route for somebody signed in; for callers in an allowed region unless it says otherwise. */
export function personRoute<const B extends JSONSchema | undefined = undefined>(
  options: ApiRouteOptions<B> & {
    readonly needs: Needs
    readonly of: RecordKind
    readonly regions?: 'any'
    readonly handle: (service: Service, call: PersonCall<BodyOf<B>>) => Promise<Reply>
  },
): ApiRoute {
  return { regions: 'allowed', ...options, surface: 'api', caller: 'person' } as ApiRoute
}

/** A route that needs no sign-in, from everywhere. */
export function openRoute<const B extends JSONSchema | undefined = undefined>(
  options: ApiRouteOptions<B> & {
    readonly handle: (service: Service, call: Call<BodyOf<B>>) => Promise<Reply>
  },
): ApiRoute {
  return { ...options, surface: 'api', caller: 'anyone', regions: 'any' } as ApiRoute
}

export function oauthRoute(options: Omit<OAuthRoute, 'surface'>): OAuthRoute {
  return { ...options, surface: 'oauth' }
}

export function pageRoute(options: Omit<PageRoute, 'surface' | 'caller' | 'regions'>): PageRoute {
  return { ...options, surface: 'page', caller: 'anyone', regions: 'any' }
}

/**
 * A page whose file is loaded when somebody first asks for it: most nodes show most pages rarely, and
 * a node that starts should serve launches, not read pages.
 */
export function lazily<Name extends string>(
  load: () => Promise<Readonly<Record<Name, PageRoute['handle']>>>,
  name: Name,
): PageRoute['handle'] {
  return async (service, call) => (await load())[name](service, call)
}

/** What POST answers for a record that it made and that GET shows at `location`. */
export const created = (location: string, body: object): Reply => ({
  status: 201,
  headers: { location },
  body,
})

/** The next `updatedAt` of a record: of now, and never what it was. */
export const nextUpdate = ({ updatedAt }: { readonly updatedAt: number }, now: number) =>
  Math.max(now, updatedAt + 1)

/** Milliseconds as the backend API shows times: RFC 3339. */
export const rfc3339 = (milliseconds: number) => new Date(milliseconds).toISOString()
