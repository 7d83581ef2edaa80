// Builds the rows of the route table: one function for each kind of route, with its defaults, and the
// types that bind a handler to the schemas of its route. Holds the bounds of bodies. Contract §9.
import type { JSONSchema } from 'json-schema-to-ts'
import type {
  Answers,
  AnswersOf,
  Call,
  NamesIn,
  OAuthCall,
  PersonCall,
  TextReply,
} from './http/call.ts'
import type { Permission } from './kernel/access.ts'
import type { ApiRoute, OAuthRoute, PageRoute, RecordKind } from './route.ts'
import type { Service } from './service.ts'

/** The largest bodies by kind of route. Contract §9. */
export const MAX_BODY_BYTES = {
  /** Where any caller may send one: sign-in and the forms of the pages. */
  anyone: 4 * 1024,
  /** A passkey with its attestation. */
  passkeyRegistration: 16 * 1024,
  oauth: 8 * 1024,
  /** The backend API. */
  api: 16 * 1024,
  /** A draft with the content of a collection. */
  collection: 256 * 1024,
} as const

type ApiRouteOptions<
  Path extends string,
  Body extends JSONSchema | undefined,
  A extends Answers,
> = Omit<
  ApiRoute,
  | 'surface'
  | 'caller'
  | 'permission'
  | 'resource'
  | 'regions'
  | 'admission'
  | 'maxBodyBytes'
  | 'path'
  | 'body'
  | 'answers'
  | 'handle'
> & {
  readonly path: Path
  readonly body?: Body
  readonly answers: A
}

/**
 * A route for a signed-in user. Unless it says otherwise: callers in an allowed region, `limited`,
 * bodies of the backend API.
 */
export function personRoute<
  const Path extends string,
  const A extends Answers,
  const Body extends JSONSchema | undefined = undefined,
>(
  options: ApiRouteOptions<Path, Body, A> & {
    readonly permission: Permission
    readonly resource: RecordKind
    readonly regions?: 'any'
    /** For work that waits for something other than storage. */
    readonly admission?: 'throttled'
    readonly maxBodyBytes?: number
    readonly handle: (
      service: Service,
      call: PersonCall<NamesIn<Path>, Body>,
    ) => Promise<AnswersOf<A> | TextReply>
  },
): ApiRoute {
  return {
    regions: 'allowed',
    admission: 'limited',
    maxBodyBytes: MAX_BODY_BYTES.api,
    ...options,
    surface: 'api',
    caller: 'person',
  } as ApiRoute
}

/** A route that needs no sign-in, from everywhere. */
export function openRoute<
  const Path extends string,
  const A extends Answers,
  const Body extends JSONSchema | undefined = undefined,
>(
  options: ApiRouteOptions<Path, Body, A> & {
    readonly admission: 'throttled' | 'immediate'
    readonly handle: (
      service: Service,
      call: Call<NamesIn<Path>, Body>,
    ) => Promise<AnswersOf<A> | TextReply>
  },
): ApiRoute {
  return {
    ...options,
    surface: 'api',
    caller: 'anyone',
    regions: 'any',
    maxBodyBytes: MAX_BODY_BYTES.anyone,
  } as ApiRoute
}

export function oauthRoute<const A extends Answers>(
  options: Omit<OAuthRoute, 'surface' | 'maxBodyBytes' | 'answers' | 'handle'> & {
    readonly answers: A
    readonly handle: (service: Service, call: OAuthCall) => Promise<AnswersOf<A> | TextReply>
  },
): OAuthRoute {
  return { ...options, surface: 'oauth', maxBodyBytes: MAX_BODY_BYTES.oauth }
}

/** A page or a form for every caller: `throttled`, and small bodies unless it says otherwise. */
export function pageRoute(
  options: Omit<PageRoute, 'surface' | 'caller' | 'regions' | 'admission' | 'maxBodyBytes'> & {
    readonly maxBodyBytes?: number
  },
): PageRoute {
  return {
    admission: 'throttled',
    maxBodyBytes: MAX_BODY_BYTES.anyone,
    ...options,
    surface: 'page',
    caller: 'anyone',
    regions: 'any',
  }
}

/**
 * A page whose file is loaded at its first request: most nodes show most pages rarely, and a node
 * that starts should serve launches, not read pages.
 */
export function lazyHandler<Name extends string>(
  load: () => Promise<Readonly<Record<Name, PageRoute['handle']>>>,
  name: Name,
): PageRoute['handle'] {
  return async (service, call) => (await load())[name](service, call)
}
