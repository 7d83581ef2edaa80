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

/** The largest bodies by kind of route. Contract §9. */
export const MAX_BODY_BYTES = {
  /** Any caller may send such a body: sign-in and the forms of the pages. */
  anyone: 4 * 1024,
  /** A passkey with its attestation. */
  passkeyRegistration: 16 * 1024,
  oauth: 8 * 1024,
  /** The backend API. */
  api: 16 * 1024,
  /** A draft with the content of a collection. */
  collection: 256 * 1024,
  /** A run of some forty faults, each with its checks. */
  faultRun: 256 * 1024,
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
  Parts,
  const Body extends JSONSchema | undefined = undefined,
>(
  options: ApiRouteOptions<Path, Body, A> & {
    readonly permission: Permission
    readonly resource: RecordKind
    readonly regions?: 'any'
    /** `throttled` suits work that waits for something other than storage. */
    readonly admission?: 'throttled'
    readonly maxBodyBytes?: number
    readonly handle: (
      service: Parts,
      call: PersonCall<NamesIn<Path>, Body>,
    ) => Promise<AnswersOf<A> | TextReply>
  },
): ApiRoute<Parts> {
  return {
    regions: 'allowed',
    admission: 'limited',
    maxBodyBytes: MAX_BODY_BYTES.api,
    ...options,
    surface: 'api',
    caller: 'person',
  } as ApiRoute<Parts>
}

/** A route that needs no sign-in, from everywhere. */
export function openRoute<
  const Path extends string,
  const A extends Answers,
  Parts,
  const Body extends JSONSchema | undefined = undefined,
>(
  options: ApiRouteOptions<Path, Body, A> & {
    readonly admission: 'throttled' | 'immediate'
    readonly handle: (
      service: Parts,
      call: Call<NamesIn<Path>, Body>,
    ) => Promise<AnswersOf<A> | TextReply>
  },
): ApiRoute<Parts> {
  return {
    ...options,
    surface: 'api',
    caller: 'anyone',
    regions: 'any',
    maxBodyBytes: MAX_BODY_BYTES.anyone,
  } as ApiRoute<Parts>
}

export function oauthRoute<Parts, const A extends Answers>(
  options: Omit<OAuthRoute<Parts>, 'surface' | 'maxBodyBytes' | 'answers' | 'handle'> & {
    readonly answers: A
    readonly handle: (service: Parts, call: OAuthCall) => Promise<AnswersOf<A> | TextReply>
  },
): OAuthRoute<Parts> {
  return { ...options, surface: 'oauth', maxBodyBytes: MAX_BODY_BYTES.oauth }
}

/** A page or a form for every caller: `throttled`, and small bodies unless it says otherwise. */
export function pageRoute<Parts>(
  options: Omit<
    PageRoute<Parts>,
    'surface' | 'caller' | 'regions' | 'admission' | 'maxBodyBytes'
  > & {
    readonly maxBodyBytes?: number
  },
): PageRoute<Parts> {
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
export function lazyHandler<
  const Name extends string,
  Handlers extends Readonly<Record<Name, PageRoute['handle']>>,
>(load: () => Promise<Handlers>, name: Name): Handlers[Name] {
  const handle: PageRoute['handle'] = async (service, call) => (await load())[name](service, call)
  return handle as Handlers[Name]
}
