// The service of one run: the fake service of the test kit with what a fault puts between it and the app. No
// launch of any other person can be touched, because no installation takes part. Records what passes.
import type { WireStep } from '@chartside/protocol/fault-grade'
import {
  type Answer,
  type FakeIssuer,
  type IdTokenKind,
  type Intercept,
  type RecordedRequest,
  startFakeIssuer,
} from '@chartside/test-kit'
import type { AppSource } from './app-source.ts'
import type { Fault, InterceptTools, SeenExchange } from './fault.ts'

const AUTHORIZE = '/app-auth/authorize'
const TOKEN = '/app-auth/token'
/** An app that loops fills no report. */
const MAX_STEPS = 20
const KEYS = '/app-auth/.well-known/jwks.json'

/** The requests and answers since a fault began. */
export interface Wire {
  readonly exchanges: SeenExchange[]
  readonly authorized: string[]
  readonly traces: string[]
  readonly steps: WireStep[]
}

/** One fault in the service, for its own launches alone. */
export interface PlacedFault {
  readonly wire: Wire
  /** The launch is of this fault. */
  own(launchId: string): void
  /** Takes it out; what passes is recorded on. */
  mend(): void
}

export interface RunService {
  readonly issuer: FakeIssuer
  /** Returns when the app asked for the keys last. Milliseconds since 1970. */
  keysAskedAt(): number
  /** Puts a fault in; undefined: none. */
  place(fault: Fault | undefined): PlacedFault
}

interface Placed {
  readonly wire: Wire
  readonly beganAt: number
  intercept: Intercept | undefined
}

export async function startService(
  { registration, appOrigin, issuer: known }: AppSource,
  sdkScript: string,
): Promise<RunService> {
  /** The placed faults by launch_id, and by the codes that authorize gave it. */
  const placed = new Map<string, Placed>()
  const redirectUris = [...registration.redirectUris]
  const isRegistered = redirectUris.length > 0
  let aheadMs = 0
  let keysAskedAt = 0
  const issuer: FakeIssuer = await startFakeIssuer({
    ...{ ...known, redirectUris, sdkScript },
    now: () => Date.now() + aheadMs,
    intercept: async (request, usual) => {
      if (request.path === KEYS) keysAskedAt = Date.now()
      const redirectUri = request.query.get('redirect_uri') ?? ''
      if (!isRegistered && URL.parse(redirectUri)?.origin === appOrigin)
        redirectUris.push(redirectUri)
      const key = keyOf(request)
      const of = placed.get(key)
      if (!of) return usual(request)
      const answer = (give: typeof usual) => {
        const noted: typeof usual = async (sent) => {
          const given = await give(sent)
          const code = URL.parse(given.headers?.location ?? '')?.searchParams.get('code')
          if (code) placed.set(code, of)
          return given
        }
        return of.intercept ? of.intercept(request, noted) : noted(request)
      }
      return record(of, request, key, () => answer(usual))
    },
  })
  const tools: InterceptTools = {
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    mintIdToken: (kind, claims) => issuer.mintIdToken({ kind: kind as IdTokenKind, claims }),
    rotateKey: () => issuer.rotateKey({ withdraw: true }),
    advance: (ms) => {
      aheadMs = ms
    },
  }
  return {
    issuer,
    keysAskedAt: () => keysAskedAt,
    place: (fault) => {
      const wire: Wire = { exchanges: [], authorized: [], traces: [], steps: [] }
      const intercept = fault?.intercept?.(tools)
      const own: Placed = { wire, beganAt: Date.now(), intercept }
      return {
        wire,
        own: (launchId) => void placed.set(launchId, own),
        mend: () => {
          own.intercept = undefined
          if (fault?.isAlone) aheadMs = 0
        },
      }
    },
  }
}

/** The launch at authorize, the code at the token endpoint. */
function keyOf({ path, query, body }: RecordedRequest): string {
  if (path === AUTHORIZE) return query.get('launch') ?? query.get('login_hint') ?? ''
  return path === TOKEN ? readCode(body) : ''
}

async function record(
  { wire, beganAt }: Placed,
  { path }: RecordedRequest,
  key: string,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const atMs = Date.now() - beganAt
  if (path === AUTHORIZE) wire.authorized.push(key)
  else wire.exchanges.push({ code: key, atMs })
  const given = await answer()
  if (wire.steps.length < MAX_STEPS) wire.steps.push({ atMs, event: describe(path, given) })
  const { trace_id } = (given.body ?? {}) as { trace_id?: unknown }
  const location = URL.parse(given.headers?.location ?? '')
  const [, inAddress] =
    /trace (trc_\w+)/.exec(location?.searchParams.get('error_description') ?? '') ?? []
  for (const trace of [trace_id, inAddress]) {
    if (typeof trace === 'string' && !wire.traces.includes(trace)) wire.traces.push(trace)
  }
  return given
}

/** Names no code and no token: a report is sent on. */
function describe(path: string, { status, headers, body, isCut }: Answer): string {
  const asked = path === AUTHORIZE ? 'The page asks authorize' : 'The server sends the code'
  const query = URL.parse(headers?.location ?? '')?.searchParams
  const error = query ? query.get('error') : (body as { error?: unknown } | undefined)?.error
  return `${asked}: ${status}${error ? ` ${error}` : ''}${isCut ? ', cut off' : ''}`
}

/** Reads JSON, or a form, as identity providers send. */
function readCode(body: string): string {
  try {
    return String((JSON.parse(body) as { code?: unknown }).code)
  } catch {
    return new URLSearchParams(body).get('code') ?? ''
  }
}
