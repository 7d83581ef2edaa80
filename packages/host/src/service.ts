// The service as a host sees it: the few calls it makes, with the user's session token in the
// header and never a cookie. It reads answers and names failures; it never retries and
// decides nothing. Contract §3 and §4 (problem details, RFC 9457); introspection RFC 7662.

import type { Hello, PageTimings } from '@chartside/protocol/handshake'
import {
  type AppKind,
  type ChartHandling,
  type HostStepName,
  type Launch,
  type OpenedLaunch,
  parseEndReason,
} from '@chartside/protocol/launch'
import type { Diagnosis } from '@chartside/protocol/payloads'
import { HostError } from './errors.ts'

export interface Introspection {
  readonly active: boolean
  /** The launch_id of the launch that the token belongs to. */
  readonly launchId: string | null
  /** Milliseconds since 1970, by the clock of the service. */
  readonly expiresAt: number | null
  /** The milliseconds from its issue to its end; null when the service does not say. */
  readonly lifetimeMs: number | null
}

/** The report says how a change of the chart was handled, and nothing of the chart. */
export interface ChartReport {
  /** Counts the changes of the launch. */
  readonly change: number
  readonly handled: ChartHandling
  /** The milliseconds until an app was shown again. */
  readonly shownMs?: number
}

export interface StepReport {
  readonly step: HostStepName | 'chart_changed'
  readonly outcome: 'ok' | 'failed'
  readonly code?: string
  readonly detail?: string
  /** The report about the page that said hello. */
  readonly page?: PageReport
  /** The report of `chart_changed`. */
  readonly chart?: ChartReport
}

export interface PageReport {
  readonly hostVersion?: string
  readonly sdkVersion?: string
  readonly timings?: PageTimings
}

/** The form in which the service accepts a version; another text is left out. */
const VERSION = /^[\w .+()/:-]{1,64}$/

export const buildPageReport = (
  hostVersion: string | undefined,
  { sdkVersion, timings }: Pick<Hello, 'sdkVersion' | 'timings'>,
): PageReport => ({
  ...(hostVersion !== undefined && VERSION.test(hostVersion) ? { hostVersion } : {}),
  ...(VERSION.test(sdkVersion) ? { sdkVersion } : {}),
  ...(timings ? { timings } : {}),
})

export interface ServiceClient {
  createLaunch(appId: string, kind: AppKind): Promise<OpenedLaunch>
  findLaunch(id: string): Promise<Launch>
  introspect(accessToken: string): Promise<Introspection>
  reportStep(launchId: string, report: StepReport): Promise<void>
  /** Lets the service visit the page of a launch that makes no step; `origin` is that of this host. */
  diagnose(launchId: string, origin: string): Promise<Diagnosis>
  /** Ends a launch, with its code and its token; sent also while the page of the host unloads. */
  endLaunch(id: string, reason?: 'chart_changed'): Promise<void>
  /** The person is active: moves the end of the sign-in. */
  reportActivity(): Promise<void>
  /** The session's event stream, until `signal` is aborted. */
  openEvents(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

const CALL_TIMEOUT_MS = 15_000
/** The service refuses a longer one; a cut report is better than none. */
const MAX_DETAIL_LENGTH = 500

export function createServiceClient(options: {
  readonly service: string
  readonly sessionToken: string
  readonly sessionId: string
  readonly fetch: typeof fetch
}): ServiceClient {
  const base = options.service.replace(/\/+$/, '')
  const session = `/api/sessions/${encodeURIComponent(options.sessionId)}`

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const { fetch } = options
    const headers = { ...init.headers, authorization: `Bearer ${options.sessionToken}` }
    const signal = init.signal ?? AbortSignal.timeout(CALL_TIMEOUT_MS)
    const response = await fetch(`${base}${path}`, {
      ...init,
      headers,
      signal,
      // An extension would otherwise send the service's cookies along.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
    }).catch((cause: unknown) => {
      throw new HostError(
        'service_unreachable',
        `The service at ${base} could not be reached: check that it runs and that it lists this ` +
          'origin in CHARTSIDE_HOST_ORIGINS.',
        { cause },
      )
    })
    if (!response.ok) throw await readProblem(response)
    return response
  }

  const post = (path: string, body: unknown) =>
    call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  return {
    createLaunch: async (appId, kind) =>
      readJson(await post(`${session}/launches`, { appId, kind })),
    findLaunch: async (id) => readJson(await call(`/api/launches/${encodeURIComponent(id)}`)),
    introspect: async (accessToken) => {
      const response = await call('/app-auth/introspect', {
        method: 'POST',
        body: new URLSearchParams({ token: accessToken }),
      })
      return parseIntrospection(await readJson(response))
    },
    reportStep: async (launchId, report) => {
      const detail = report.detail?.slice(0, MAX_DETAIL_LENGTH)
      const body = detail === undefined ? report : { ...report, detail }
      const url = `/api/launches/${encodeURIComponent(launchId)}/steps`
      await post(url, body).catch((error: unknown) => {
        const { page, ...plain } = body
        // A service of an earlier version refuses the member that it does not know.
        if (!page || !(error instanceof HostError) || error.status !== 400) throw error
        return post(url, plain)
      })
    },
    endLaunch: async (id, reason) => {
      const init = { method: 'DELETE', keepalive: true }
      const query = reason === undefined ? '' : `?reason=${reason}`
      await call(`/api/launches/${encodeURIComponent(id)}${query}`, init)
    },
    diagnose: async (launchId, origin) =>
      readJson(await post(`/api/launches/${encodeURIComponent(launchId)}/diagnosis`, { origin })),
    reportActivity: async () => {
      await post(`${session}/activity`, {})
    },
    openEvents: async (signal) => {
      const headers = { accept: 'text/event-stream' }
      const { body } = await call(`${session}/events`, { headers, signal })
      return body ?? new Blob([]).stream()
    },
  }
}

function parseIntrospection(answer: Record<string, unknown>): Introspection {
  const { active, launch_id, iat, exp } = answer
  return {
    active: active === true,
    launchId: typeof launch_id === 'string' ? launch_id : null,
    expiresAt: typeof exp === 'number' ? exp * 1000 : null,
    lifetimeMs: typeof exp === 'number' && typeof iat === 'number' ? (exp - iat) * 1000 : null,
  }
}

/** The service keeps to its schemas, which its own tests hold it to. */
const readJson = <T>(response: Response) => response.json() as Promise<T>

async function readProblem(response: Response): Promise<HostError> {
  const problem: Record<string, unknown> = await readJson<Record<string, unknown>>(response).catch(
    () => ({}),
  )
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const [seconds] = /^\d{1,6}$/.exec(response.headers.get('retry-after') ?? '') ?? []
  return new HostError(
    text(problem.code) ?? text(problem.error) ?? `http_${response.status}`,
    text(problem.detail) ?? text(problem.title) ?? `The service answered ${response.status}.`,
    {
      status: response.status,
      traceId: text(problem.traceId),
      retryAfterMs: seconds === undefined ? null : Number(seconds) * 1000,
      ended: parseEndReason((problem.ended as { reason?: unknown } | undefined)?.reason),
    },
  )
}
